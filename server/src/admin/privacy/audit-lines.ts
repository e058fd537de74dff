// Which lines of the audit log name a subject? All are opened: the log has no hash of the person in a line.

import type { Database } from '../../core/storage/database.ts'
import { type AuditLine, openAuditLine, sealErased } from '../audit/chain.ts'
import { type AuditLineRow, auditLinesAfter, replaceDetails } from '../store/audit-lines.ts'
import { subjectFinder, type Without } from './find-subject.ts'
import type { Subject } from './person.ts'

const slice = 200

/** They name people who use the console, so that nobody hides who was let in. */
const aboutStaff = new Set(['invite', 'acceptInvitation'])

interface FoundLine {
  readonly row: AuditLineRow
  readonly line: AuditLine
  readonly found: Without['found']
  /** The details with marks in place of what names the subject. */
  readonly details: AuditLine['details']
}

async function* linesNaming(
  database: Pick<Database, 'query'>,
  { tenantId, subject, keys, pause }: Subject,
): AsyncGenerator<FoundLine> {
  const find = subjectFinder(subject)
  for (let after = 0; ; ) {
    const rows = await auditLinesAfter(database, { tenantId, after, limit: slice })
    for (const row of rows) {
      if (aboutStaff.has(row.action)) continue
      const line = openAuditLine(row, keys)
      const { value: sent, found } = find(line.details.sent)
      if (found.length > 0) yield { row, line, found, details: { ...line.details, sent } }
      await pause()
    }
    const last = rows.at(-1)
    if (!last || rows.length < slice) return
    after = last.number
  }
}

export interface ExportedAuditLine extends Pick<AuditLine, 'number' | 'at' | 'actor' | 'action'> {
  /** Only what names the subject: a call may name others too. */
  readonly sent: Without['found']
}

export async function* auditLinesOf(
  database: Pick<Database, 'query'>,
  about: Subject,
): AsyncGenerator<ExportedAuditLine> {
  for await (const { line, found } of linesNaming(database, about)) {
    const { number, at, actor, action } = line
    yield { number, at, actor, action, sent: found }
  }
}

/**
 * The chain of hashes stays whole: it has the hash of the details, which begin with a random part. Who did what, when and why stays.
 * @param erasure the id of its receipt
 * @returns how many lines
 */
export async function eraseAuditLines(
  database: Pick<Database, 'query'>,
  about: Subject,
  erasure: string,
): Promise<number> {
  const erased = new Set<number>()
  // A line that another erasure or key rotation has just replaced is read again.
  for (let missed = true; missed; ) {
    missed = false
    for await (const { row, line, details } of linesNaming(database, about)) {
      const sealed = sealErased(line, { details, erasure }, about.keys)
      const rows = await replaceDetails(database, row, sealed)
      if (rows === 0) missed = true
      else erased.add(line.number)
    }
  }
  return erased.size
}
