// Has something changed since the last look? Compares an answer with what was known. What is not known is never a change.

import type { Operator, Subject } from '../operators.ts'
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
  readonly latestChange?: string
  /** The connector. */
  readonly source?: string
}

const hourMs = 3_600_000
/** Of CAMARA; longer gaps are not asked for. */
const longestHours = 2400
/** By how much the clock of an operator may differ. */
const skewHours = 0.1
/** Operators round dates. */
const roundingMs = 60_000

/**
 * Looks for a swap since the last observation. The first answer is the baseline. An operator that reports no date answers for whole
 * hours, so the window may reach behind the last look: a change that was found then is not new.
 *
 * @param ask `maxAge` undefined: the usual window
 */
export async function learnSwap(
  known: Known,
  ask: (maxAge: number | undefined) => Promise<WindowAnswer>,
  now: number,
): Promise<Learned> {
  const { seenAt, coveredUntil = seenAt, wasFound } = known
  const elapsedHours = seenAt === undefined ? undefined : Math.max(0, now - seenAt) / hourMs
  const window = elapsedHours === undefined ? undefined : Math.min(longestHours, Math.max(1, Math.ceil(elapsedHours)))
  const { swapped, latestChange, source } = await ask(window)
  const state: Known = { ...known, seenAt: now, wasFound: swapped, ...(source !== undefined && { source }) }
  if (latestChange !== undefined) {
    const changedMs = Date.parse(latestChange)
    // The date is stored as it is: of two swaps between two looks the operator reports the second.
    const dated = { ...state, coveredUntil: Math.max(changedMs, known.coveredUntil ?? changedMs) }
    // Another connector may know another date of an old change: only what happened since the last look is new to it.
    const isSameSource = known.source === undefined || source === known.source
    const before = isSameSource ? coveredUntil : Math.max(coveredUntil ?? 0, seenAt ?? 0)
    const isNew = before !== undefined && changedMs > before + roundingMs
    return { state: dated, ...(isNew && { change: { changedAt: latestChange } }) }
  }
  if (elapsedHours === undefined || !swapped) return { state }
  const certainHours = Math.min(longestHours, Math.ceil(elapsedHours - skewHours) - 1)
  const isNew = !wasFound || (certainHours >= 1 && (await ask(certainHours)).swapped)
  return isNew ? { state: { ...state, coveredUntil: now }, change: {} } : { state }
}

/** What an operator reports by itself: a swap at a time. The same swap is not new again when a poll finds it. */
export function learnReported(known: Known, changedAt: number, now: number): Learned {
  const { coveredUntil = Number.NEGATIVE_INFINITY, noticedAt = Number.NEGATIVE_INFINITY } = known
  // The time may be that of the report: a poll in between has found the swap with its own date.
  if (changedAt <= Math.max(coveredUntil, Math.min(noticedAt, coveredUntil + hourMs))) return { state: known }
  return {
    state: { ...known, seenAt: now, coveredUntil: Math.max(now, changedAt), wasFound: true },
    change: { changedAt: new Date(changedAt).toISOString() },
  }
}

/**
 * Looks for another subscriber since the watch began, or since the day after the last one was noticed: operators answer for whole days.
 *
 * @returns undefined when there is nothing to ask before tomorrow
 */
export async function learnRecycling(
  known: Known,
  ask: (since: string) => Promise<{ recycled: boolean }>,
  now: number,
): Promise<Learned | undefined> {
  const today = new Date(now).toISOString().slice(0, 10)
  const { since = today, seenAt } = known
  if (since > today) return undefined
  const { recycled } = await ask(since)
  if (!recycled) return { state: { ...known, since, seenAt: now } }
  const tomorrow = new Date(Date.parse(today) + 24 * hourMs).toISOString().slice(0, 10)
  return { state: { ...known, since: tomorrow, seenAt: now }, ...(seenAt !== undefined && { change: {} }) }
}

/** Compares who serves the number. A source that failed may know it, so then nothing is compared. Undefined: not known. */
export function learnOperator(
  known: Known,
  { operator, ported, sourceFailure }: Pick<Subject, 'operator' | 'ported' | 'sourceFailure'>,
  now: number,
): Learned | undefined {
  if (sourceFailure !== undefined || (operator === undefined && ported === undefined)) return undefined
  const state: Known = {
    ...known,
    seenAt: now,
    ...(operator && { operator: { ...(operator.id !== undefined && { id: operator.id }), name: operator.name } }),
    ...(ported !== undefined && { ported }),
  }
  const moved = operator && known.operator && !isSame(operator, known.operator)
  const flipped =
    !(operator && known.operator) && known.ported !== undefined && ported !== undefined && ported !== known.ported
  if (!moved && !flipped) return { state }
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
