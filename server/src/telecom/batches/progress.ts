// How far is a batch? The counts of a part that is done are added to those before.

import { failures } from '@ringfence/contract'
import { Refusal } from '../../core/errors.ts'
import { inBodyError } from '../telecom-checks.ts'
import type { Progress, StoredLine, StoredResult } from './batch-record.ts'

export const erasedLine: StoredResult = { e: inBodyError(new Refusal('batchLineErased')) }

export const invalidLine = (mistake: string): StoredResult => ({
  e: inBodyError(new Refusal('batchLineInvalid', { mistake })),
})

const invalidCodes: ReadonlySet<string> = new Set([
  failures.batchLineInvalid.errorCode,
  failures.invalidPhoneNumber.errorCode,
])

interface DonePart {
  readonly lines: readonly StoredLine[]
  /** Of each line. */
  readonly results: readonly (StoredResult | null)[]
}

export function addResults(progress: Progress, { lines, results }: DonePart, currency: string | undefined): Progress {
  const errors: Record<string, number> = { ...progress.errors }
  let { answered, failed, invalid, duplicates } = progress
  let micros = progress.cost?.micros ?? 0
  let sandbox = progress.sandbox ?? false
  for (const [place, line] of lines.entries()) {
    const { c, e, k = 0, s } = results[place]!
    const codes = e
      ? [e.errorCode]
      : Object.values(c ?? {}).flatMap((result) => (result.success ? [] : [result.error.errorCode]))
    for (const code of codes) errors[code] = (errors[code] ?? 0) + 1
    if (line.d) duplicates++
    if (e && invalidCodes.has(e.errorCode)) invalid++
    else if (codes.length > 0) failed++
    else answered++
    micros += k
    sandbox ||= s === 1
  }
  return {
    ...progress,
    ...{ answered, failed, invalid, duplicates, errors },
    done: progress.done + lines.length,
    ...(currency !== undefined && { cost: { currency, micros } }),
    ...(sandbox && { sandbox: true }),
  }
}
