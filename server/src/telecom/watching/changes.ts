// Has something changed since the last look? Compares an answer with what was known. What is not known is never a change.

import { maxAgeHours } from '@ringfence/contract'
import type { Operator, Subject } from '../operators.ts'
import { dayMs } from './pace.ts'
import type { CheckState } from './watch-record.ts'

export interface Learned {
  readonly state: Omit<CheckState, 'dueAt'>
  /** Absent: nothing new. */
  readonly change?: Change
}

export interface Change {
  /** When it happened, where an operator says so; RFC 3339. */
  readonly changedAt?: string
  readonly operator?: string
  readonly previousOperator?: string
}

type Known = Omit<CheckState, 'dueAt'>

interface WindowAnswer {
  readonly swapped: boolean
  /** The window that was answered: an operator may refuse the one of the question. */
  readonly maxAgeHours: number
  readonly latestChange?: string
  /** The connector. */
  readonly source?: string
}

const hourMs = 3_600_000
const longestHours = maxAgeHours.maximum
/** Operators learn of a change late: it may be dated this long before the last look. */
const lateMs = dayMs
/** By how much the clock of an operator may differ. */
const skewHours = 0.1
/** Operators round dates. */
const roundingMs = 60_000

/**
 * Looks for a swap that is not known. The first answer is the baseline: only a swap after the watch began is new. Later windows reach a
 * day behind the last look, but not behind the last known swap. An operator that reports no date answers for whole hours, so a swap that
 * was found there may be the known one.
 *
 * @param query `maxAge` undefined: the usual window
 */
export async function learnSwap(
  before: Known,
  query: (maxAge: number | undefined) => Promise<WindowAnswer>,
  now: number,
): Promise<Learned> {
  const known = notAhead(before, now)
  const { seenAt, coveredUntil = (seenAt ?? now) - lateMs, noticedAt = coveredUntil, clearFrom, beganAt } = known
  const looks = { ...known, seenAt: now, beganAt: Math.min(now, beganAt ?? seenAt ?? now) }
  const floor = Math.min(now, Math.max(coveredUntil, noticedAt, (seenAt ?? now) - lateMs))
  // A first look soon after the beginning has the usual window, which says whether later ones are clear.
  const watchedHours = hoursAfter(looks.beganAt, now)
  const firstHours = watchedHours >= 1 ? Math.min(longestHours, watchedHours) : undefined
  const first = await query(seenAt === undefined ? firstHours : hoursIn(now - floor))
  const { swapped, latestChange, source } = first
  const isSameSource = known.source === undefined || source === known.source
  const { clearFrom: _, ...found }: Known = { ...looks, ...(source !== undefined && { source }) }
  if (latestChange !== undefined) {
    const changedMs = Date.parse(latestChange)
    // The date is stored as it is: of two swaps between two looks the operator reports the second.
    const dated = { ...found, coveredUntil: Math.max(changedMs, known.coveredUntil ?? changedMs) }
    // Another connector may know another date of an old change: only what happened since the last look is new to it.
    const newAfter = isSameSource ? coveredUntil : Math.max(coveredUntil, seenAt ?? 0)
    const isNew = seenAt === undefined ? changedMs > (beganAt ?? now) : changedMs > newAfter + roundingMs
    return { state: dated, ...(isNew && { change: { changedAt: latestChange } }) }
  }
  const windowFrom = now - first.maxAgeHours * hourMs
  if (seenAt === undefined) {
    const from = swapped ? now : Math.max(windowFrom, now - lateMs)
    const state = { ...found, coveredUntil: from, ...(!swapped && { clearFrom: windowFrom }) }
    const isNew = swapped && first.maxAgeHours <= watchedHours
    return { state, ...(isNew && { change: {} }) }
  }
  const newAfter = isSameSource ? floor : Math.max(floor, seenAt)
  const quiet = { ...found, coveredUntil: Math.max(newAfter, now - lateMs) }
  if (!swapped) return { state: { ...quiet, clearFrom: windowFrom } }
  // New if this window was clear at the last look. Else a shorter one decides, which begins after all that is known.
  const isNew = (isSameSource && clearFrom !== undefined && windowFrom >= clearFrom) || (await isWithin(certainHours()))
  return isNew ? { state: { ...found, coveredUntil: now }, change: {} } : { state: quiet }

  /** Up to an hour longer where the other connector found nothing before its look. */
  function certainHours(): number {
    return !isSameSource && clearFrom !== undefined ? hoursIn(now - newAfter) : hoursAfter(newAfter, now)
  }

  async function isWithin(hours: number): Promise<boolean> {
    if (hours < 1) return false
    const certain = await query(Math.min(longestHours, hours))
    return certain.swapped && certain.maxAgeHours <= hours
  }
}

/** Whole hours that contain this time. */
const hoursIn = (ms: number) => Math.min(longestHours, Math.max(1, Math.ceil(ms / hourMs)))

/** Whole hours up to now that begin after this time for certain. */
const hoursAfter = (time: number, now: number) => Math.ceil((now - time) / hourMs - skewHours) - 1

/** A clock that was set back: times that it wrote before are not ahead of it. A date of an operator may be, by less than a day. */
function notAhead(known: Known, now: number): Known {
  const { seenAt, coveredUntil, noticedAt, reportedAt, beganAt } = known
  if (seenAt === undefined || seenAt <= now) return known
  return {
    ...known,
    seenAt: now,
    ...(coveredUntil !== undefined && { coveredUntil: Math.min(coveredUntil, now) }),
    ...(noticedAt !== undefined && { noticedAt: Math.min(noticedAt, now) }),
    ...(reportedAt !== undefined && { reportedAt: Math.min(reportedAt, now) }),
    ...(beganAt !== undefined && { beganAt: Math.min(beganAt, now) }),
  }
}

/**
 * What an operator reports automatically: a swap at a time. The same swap is not new again when a poll finds it, and one of more than a day
 * before the watch began is not new at all. Within an hour of a report that counted, each report is of the same swap: an operator
 * cannot make more than 24 events of a number in a day.
 */
export function learnReported(before: Known, changedAt: number, now: number): Learned {
  const known = notAhead(before, now)
  const {
    seenAt = now,
    beganAt = seenAt,
    coveredUntil = beganAt - lateMs,
    noticedAt = Number.NEGATIVE_INFINITY,
    reportedAt = Number.NEGATIVE_INFINITY,
  } = known
  // The time may be that of the report: a poll in between has found the swap with its own date.
  const foundUntil = Math.min(noticedAt, coveredUntil + hourMs)
  if (changedAt <= Math.max(coveredUntil, foundUntil, reportedAt + hourMs, beganAt - lateMs)) return { state: known }
  const { clearFrom: _, ...state } = known
  return {
    state: { ...state, seenAt: now, reportedAt: now, coveredUntil: Math.max(now, changedAt) },
    change: { changedAt: new Date(changedAt).toISOString() },
  }
}

/**
 * Looks for another subscriber since the watch began, or since the day after the last one was noticed: operators answer for whole days.
 * There is no query before tomorrow then. A first look on a later day finds another subscriber since the day after the watch began.
 */
export async function learnRecycling(
  known: Known,
  query: (since: string) => Promise<{ recycled: boolean }>,
  now: number,
): Promise<Learned> {
  const today = dateOf(now)
  const tomorrow = dateOf(now + dayMs)
  const { seenAt, beganAt = now } = known
  const isLate = seenAt === undefined && dateOf(beganAt) < today
  const first = isLate ? dateOf(beganAt + dayMs) : today
  // A later date is that of a clock that was set back.
  const since = known.since === undefined ? first : known.since > tomorrow ? tomorrow : known.since
  if (since > today) return { state: { ...known, since } }
  const { recycled } = await query(since)
  if (!recycled) return { state: { ...known, since, seenAt: now } }
  return { state: { ...known, since: tomorrow, seenAt: now }, ...((seenAt !== undefined || isLate) && { change: {} }) }
}

const dateOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)

/**
 * Compares who serves the number. A source that failed may know better than those after it. So then only a complete answer counts, and
 * only of the source of the last one, or if it agrees with that. Undefined: not known.
 */
export function learnOperator(
  known: Known,
  { operator, ported, portedBy, sourceFailure }: Pick<Subject, 'operator' | 'ported' | 'portedBy' | 'sourceFailure'>,
  now: number,
): Learned | undefined {
  if (operator === undefined && ported === undefined) return undefined
  const isFailed = sourceFailure !== undefined
  if (isFailed && (operator === undefined || ported === undefined)) return undefined
  const state: Known = {
    ...known,
    ...(portedBy !== undefined && { source: portedBy }),
    seenAt: now,
    ...(operator && { operator: { ...(operator.id !== undefined && { id: operator.id }), name: operator.name } }),
    ...(ported !== undefined && { ported }),
  }
  const moved = operator && known.operator && !isSame(operator, known.operator)
  const flipped =
    !(operator && known.operator) && known.ported !== undefined && ported !== undefined && ported !== known.ported
  if (!moved && !flipped) return { state }
  if (isFailed && portedBy !== known.source) return undefined
  return {
    state,
    change: {
      ...(operator && { operator: operator.name }),
      ...(known.operator && { previousOperator: known.operator.name }),
    },
  }
}

const isSame = (a: Pick<Operator, 'id' | 'name'>, b: Pick<Operator, 'id' | 'name'>) =>
  a.id !== undefined && b.id !== undefined ? a.id === b.id : a.name === b.name
