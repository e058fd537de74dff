// How is what a poll found written? New state, event and the end of the claim in one transaction: a change is reported once.

import type { WatchableCheck } from '@ringfence/contract'
import type { Core } from '../../core/core.ts'
import type { TenantKeys } from '../../core/crypto/keyring.ts'
import type { NewEvent } from '../../core/event-recorder.ts'
import type { Queryable } from '../../core/storage/database.ts'
import { uuidText } from '../../core/storage/uuid.ts'
import { writeEvents } from '../../events/events.ts'
import { findClaimed, updateWatch, type WatchRow } from '../store/number-watches.ts'
import { deleteTelecomAnswers } from '../store/telecom-answers.ts'
import { detachSubscriptions } from '../store/watch-subscriptions.ts'
import type { Change } from './changes.ts'
import { dayMs, type Intervals, intervalOf, nextDayAt, nextDueAt, placeOf, retryAt } from './pace.ts'
import type { PolledCheck } from './poll-watch.ts'
import { type CheckState, firstDue, openWatch, sealWatch, unsubscribed, type WatchContent } from './watch-record.ts'

/**
 * Writes the result of a poll.
 *
 * @returns false, and does nothing, when the watch was deleted, changed or claimed by another server meanwhile
 */
export async function notePolled(
  row: WatchRow,
  polled: readonly PolledCheck[],
  { claim, intervals, needs }: { claim: Uint8Array; intervals: Intervals; needs: Core },
): Promise<boolean> {
  const { database, tenantKeyring, events, clock } = needs
  const { tenantId } = row
  const keys = await tenantKeyring.keysOf(tenantId)
  const recorder = await events.recorder(tenantId)
  return database.transaction(async (tx) => {
    const current = await findClaimed(tx, row, claim)
    if (!current) return false
    const now = clock.now()
    const content = openWatch(current, keys)
    const states = { ...content.states }
    if (states.simSwap && isLeft(states.simSwap, polled)) {
      await detachSubscriptions(tx, tenantId, current.id)
      states.simSwap = unsubscribed(states.simSwap, now)
    }
    const place = placeOf(current.numberHash)
    for (const one of polled) {
      const state = states[one.check]
      const intervalMs = state && intervalOf(state, intervals[one.check], now)
      if (intervalMs !== undefined) states[one.check] = nextState(state!, one, { now, intervalMs, place })
    }
    const next = { ...content, states }
    const changes = polled.flatMap(({ check, change, source, operator }) =>
      change
        ? [
            changeEvent(
              current,
              content,
              check,
              { ...(operator !== undefined && { operator }), ...change, ...(source !== undefined && { source }) },
              'poll',
              now,
            ),
          ]
        : [],
    )
    await updateWatch(tx, { ...current, dueAt: firstDue(next), sealed: sealWatch(next, current, keys) })
    if (changes.length > 0) await writeChanges(tx, current, content, changes, recorder, keys)
    return true
  })
}

/** Whether the operator that reports swaps serves the number no more: it was ported, or another connector answers for it. */
function isLeft({ subscribedTo }: CheckState, polled: readonly PolledCheck[]): boolean {
  const answering = polled.find(({ check }) => check === 'simSwap')?.source
  const isElsewhere = subscribedTo !== undefined && answering !== undefined && answering !== subscribedTo
  return isElsewhere || polled.some(({ check, change }) => check === 'portability' && change)
}

/** The event, and the end of the stored answers about the number: they may be older than the change. */
export async function writeChanges(
  tx: Queryable,
  { tenantId }: WatchRow,
  { digits }: WatchContent,
  changes: readonly NewEvent[],
  recorder: Awaited<ReturnType<Core['events']['recorder']>>,
  keys: TenantKeys,
): Promise<void> {
  await writeEvents(tx, recorder(changes))
  await deleteTelecomAnswers(tx, tenantId, keys.hash(digits))
}

export function changeEvent(
  { id }: WatchRow,
  { digits, reference }: WatchContent,
  check: WatchableCheck,
  { changedAt, operator, previousOperator, source }: Change & { source?: string },
  by: 'poll' | 'subscription',
  now: number,
): NewEvent {
  return {
    type: 'telecom.number_changed',
    data: {
      watchId: uuidText(id),
      check,
      phoneNumber: digits,
      noticedAt: new Date(now).toISOString(),
      changedAt,
      by,
      source,
      operator,
      previousOperator,
      reference,
    },
    orderedBy: `number ${digits}`,
    subjects: { phoneNumber: digits },
    outcome: check,
  }
}

function nextState(
  before: CheckState,
  { outcome, state, change }: PolledCheck,
  { now, intervalMs, place }: { now: number; intervalMs: number; place: number },
): CheckState {
  if (outcome === 'deferred') return { ...before, dueAt: nextDayAt(now, before.polledAt) }
  const { failures = 0, isUnsupported: _, ...known } = before
  if (outcome === 'unsupported')
    return { ...known, isUnsupported: true, dueAt: nextDueAt(now, Math.max(intervalMs, dayMs), place) }
  if (outcome !== 'answered')
    return { ...known, failures: failures + 1, dueAt: retryAt(now, failures + 1, intervalMs, place) }
  const { failures: _failures, isUnsupported: _unsupported, ...found } = { ...known, ...state }
  return {
    ...found,
    polledAt: now,
    ...(change && { noticedAt: now }),
    dueAt: nextDueAt(now, intervalMs, place),
  }
}
