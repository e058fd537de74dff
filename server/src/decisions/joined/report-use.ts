// Whose report is it? A report serves one session: everybody else counts whose decision names it.

import type { TenantKeys } from '../../core/crypto/keyring.ts'
import type { BatchStatement } from '../../core/storage/database.ts'
import type { StoredAnalysis } from '../../device/store/device-analyses.ts'
import { reportSubjectsUpdate } from '../../device/store/report-subjects.ts'
import { accountHashOf, emailHashOf, numberHashOf } from '../../events/subject-hashes.ts'

/** For more than this, a report is no evidence: kiosks and shared tablets make one for each person. */
export const mostSubjects = 3

const subjectBytes = 8

/** Who a decision is about: the user, else the number, else the email address. */
export interface ReportSubject {
  readonly userId: string | undefined
  /** The id under which the user signed in; a decision may have been about it before it was linked. */
  readonly personId: string | undefined
  readonly digits: string | undefined
  readonly email: string | undefined
}

export interface ReportUse {
  /** With this one: 1 for a report of one session, `mostSubjects` + 1 when the report is used up. */
  readonly subjects: number
  /** Record the subject; for the commit of the decision, which fails with ConditionFailed when another one recorded a subject first. */
  readonly statements: readonly BatchStatement[]
}

export function useOfReport(
  stored: Pick<StoredAnalysis, 'tenantId' | 'dfrId' | 'subjects'>,
  { userId, personId, digits, email }: ReportSubject,
  keys: Pick<TenantKeys, 'hash'>,
): ReportUse {
  const names = [
    ...[userId, personId].flatMap((id) => (id === undefined ? [] : [accountHashOf(id, keys)])),
    ...(digits === undefined ? [] : [numberHashOf(digits, keys)]),
    ...(email === undefined ? [] : [emailHashOf(email, keys)]),
  ].map((hash) => Buffer.from(hash).toString('hex'))
  const before = subjectsIn(stored.subjects)
  const [subject] = names
  if (subject === undefined || before.includes(subject)) return { subjects: before.length, statements: [] }
  const write = (after: readonly string[]): BatchStatement[] => [
    reportSubjectsUpdate(stored, stored.subjects, Buffer.from(after.join(''), 'hex')),
  ]
  // The person had no user id yet. Only the first one, so that one number does not vouch for many users.
  const [first, ...others] = before
  if (first !== undefined && names.includes(first)) {
    return { subjects: before.length, statements: write([subject, ...others]) }
  }
  if (before.length >= mostSubjects) return { subjects: mostSubjects + 1, statements: [] }
  return { subjects: before.length + 1, statements: write([...before, subject]) }
}

const subjectsIn = (packed: Uint8Array | null): string[] =>
  (Buffer.from(packed ?? [])
    .toString('hex')
    .match(new RegExp(`.{${2 * subjectBytes}}`, 'g')) ?? []) as string[]
