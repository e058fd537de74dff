// In which state is a user, device or number? Of a user its proven sessions and labels say so, of a device or number its decisions and labels.

import type { FoundEvent, SubjectState } from '@ringfence/contract'
import type { Queryable } from '../../core/storage/database.ts'
import { findReportLabels, type Label } from '../../device/store/labels/report-labels.ts'

const windowMs = 30 * 86_400_000
const stopping: ReadonlySet<unknown> = new Set(['REVIEW', 'CHALLENGE', 'BLOCK'])

interface Judged {
  readonly isStopped: boolean
  readonly label: Label | undefined
}

/** The decisions of these events that were made in the last 30 days, with their labels. */
export async function judgedDecisions(
  database: Queryable,
  tenantId: string,
  { events, now }: { readonly events: readonly FoundEvent[]; readonly now: number },
): Promise<Judged[]> {
  const decisions = events.flatMap(({ type, timestamp, data: { decisionId, action } }) => {
    const isRecent = type === 'decision.created' && Date.parse(timestamp) > now - windowMs
    return isRecent && typeof decisionId === 'string' ? [{ decisionId, isStopped: stopping.has(action) }] : []
  })
  if (decisions.length === 0) return []
  const labels = await findReportLabels(database, tenantId, decisions)
  return decisions.map(({ isStopped }, i) => ({ isStopped, label: labels[i] }))
}

const isBad = (label: Label | undefined) => label !== undefined && label !== 'legitimate'

/** @param labels of reports of the device, beside those of decisions */
export function stateOfThing(
  decisions: readonly Judged[],
  { labels, now }: { labels: readonly { readonly label: Label; readonly knownAt: number }[]; now: number },
): SubjectState {
  const recent = labels.filter(({ label, knownAt }) => isBad(label) && knownAt > now - windowMs).length
  // A label of a decision is one of its report too.
  const badLabels = Math.max(recent, decisions.filter(({ label }) => isBad(label)).length)
  const refused = decisions.filter(({ isStopped }) => isStopped).length
  return stateOfCounts({ badLabels, refused, passed: decisions.length - refused })
}

/** Of a device or number: what its last 30 days have. */
export function stateOfCounts({
  badLabels,
  refused,
  passed,
}: Pick<SubjectState, 'badLabels' | 'refused' | 'passed'>): SubjectState {
  const level = badLabels > 0 ? 'bad' : refused > 0 ? 'watch' : passed > 0 ? 'good' : 'unknown'
  const said = [
    badLabels > 0 && countText(badLabels, 'bad label'),
    refused > 0 && `${countText(refused, 'decision')} stopped`,
    passed > 0 && `${countText(passed, 'decision')} not stopped`,
  ].filter((each) => each !== false)
  const text = said.length === 0 ? 'No decision and no label in 30 days.' : `In 30 days: ${said.join(', ')}.`
  return { level, text, badLabels, passed, refused }
}

/**
 * An attacked account is not a bad one: what was stopped counts apart, with its labels. An account that was taken over is to be watched.
 *
 * @param sessions proven ones of the account; `labels`: those that name the user
 */
export function stateOfUser(
  decisions: readonly Judged[],
  {
    sessions,
    labels,
  }: { sessions: number; labels: readonly { readonly label: Label; readonly isOfDecision: boolean }[] },
): SubjectState {
  const passed = decisions.filter(({ isStopped }) => !isStopped)
  const own = [
    ...passed.flatMap(({ label }) => label ?? []),
    // Those of a decision are with the decision.
    ...labels.flatMap(({ label, isOfDecision }) => (isOfDecision ? [] : [label])),
  ]
  const takenOver = own.filter((label) => label === 'accountTakeover').length
  const badLabels = own.filter(isBad).length - takenOver
  const refused = decisions.length - passed.length
  return stateOfAccount({ sessions, badLabels, takenOver, refused, passed: passed.length })
}

/** Of a user: proven sessions and labels, and what was stopped apart. */
export function stateOfAccount({
  sessions,
  badLabels,
  takenOver,
  refused,
  passed,
}: Pick<SubjectState, 'badLabels' | 'refused' | 'passed'> & { sessions: number; takenOver: number }): SubjectState {
  const level = badLabels > 0 ? 'bad' : takenOver > 0 ? 'watch' : sessions > 0 ? 'good' : 'unknown'
  const said = [
    sessions > 0 ? countText(sessions, 'proven session') : 'No proven session',
    badLabels > 0 && countText(badLabels, 'bad label'),
    takenOver > 0 && `taken over ${takenOver === 1 ? 'once' : `${takenOver} times`}`,
  ].filter((each) => each !== false)
  const apart = refused > 0 ? ` Apart from it, ${countText(refused, 'attempt')} stopped in 30 days.` : ''
  return { level, text: `${said.join(', ')}.${apart}`, badLabels, passed, refused }
}

const countText = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`
