// How is the whole log read? Slice by slice, so that the service answers others meanwhile.

import type { Call } from '../../api/call.ts'
import { CallFailed } from '../../api/problem.ts'
import type { AuditLine, AuditSlice, VerifiedAudit } from '../../api/types.ts'
import { type AuditFilters, sentAuditFilters } from './filters.ts'

export interface Verification extends VerifiedAudit {
  /** Of the whole log. */
  readonly allErased: number
}

/** Checks every line. @param onProgress with the number of the last line that was checked */
export async function verifyLog(call: Call, onProgress: (lines: number) => void): Promise<Verification> {
  let found = await patiently(() => call('verifyAudit', {}))
  let allErased = found.erased
  while (found.next !== undefined && found.head !== undefined && !found.broken) {
    onProgress(found.lines)
    const { next: after, head } = found
    found = await patiently(() => call('verifyAudit', { after, head }))
    allErased += found.erased
  }
  return { ...found, allErased }
}

export interface Exported {
  readonly lines: AuditLine[]
  /** False: there are more lines than a page can hold. */
  readonly isComplete: boolean
}

const mostExported = 100_000

/** The lines that fit the filters, oldest first. */
export async function readLog(call: Call, filters: AuditFilters): Promise<Exported> {
  const fits = fitting(filters)
  const lines: AuditLine[] = []
  let after: number | undefined = 0
  while (after !== undefined && lines.length < mostExported) {
    const from: number = after
    const slice: AuditSlice = await patiently(() => call('exportAudit', { after: from }))
    lines.push(...slice.lines.filter(fits))
    after = slice.next
  }
  return { lines, isComplete: after === undefined }
}

function fitting(filters: AuditFilters): (line: AuditLine) => boolean {
  const { actor, action, from, to } = sentAuditFilters(filters)
  return (line) =>
    (actor === undefined || line.actor === actor) &&
    (action === undefined || line.action === action) &&
    (from === undefined || line.at >= from) &&
    (to === undefined || line.at < to)
}

const mostTries = 5

/** A call among many may meet a limit: it waits as long as the service says. */
async function patiently<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (tries === mostTries || !(error instanceof CallFailed) || !error.isTemporary) throw error
      const seconds = error.retryAfterSeconds ?? 1
      await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
    }
  }
}
