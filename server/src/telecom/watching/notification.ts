// POST /v1/telecom/notifications/{sinkId}: an operator reports a SIM swap, or what becomes of a subscription, as a CloudEvent.

import { timingSafeEqual } from 'node:crypto'
import type { OperatorNotification } from '@ringfence/contract'
import type { AnyCall } from '../../core/call.ts'
import { Refusal } from '../../core/errors.ts'
import { dateTimeMs } from '../../core/json/date-time.ts'
import type { TelecomNeeds } from '../room.ts'
import { findWatch, updateWatch } from '../store/number-watches.ts'
import { findSubscription, type SubscriptionRow } from '../store/watch-subscriptions.ts'
import { learnReported } from './changes.ts'
import { changeEvent, writeChanges } from './note-polled.ts'
import { dayMs } from './pace.ts'
import { noteEnded, tokenHashOf } from './subscriptions.ts'
import { openWatch, sealWatch } from './watch-record.ts'

/** Of a watch, those that counted; others are known by their time. */
const mostEventIds = 20
/** CAMARA 0.4 writes `api-name` for its own name in some types of events about subscriptions. */
const typeOf =
  /^org\.camaraproject\.(?:(?=.*\.subscription-)api-name|sim-swap-subscriptions)\.v\d{1,3}\.(swapped|subscription-(?:started|updated|ended))$/

/**
 * Refuses with `notificationRefused` whoever does not have the token of this subscription, and with `fieldInvalid` an event that cannot
 * be of it. An event that was received before is a success without effect.
 */
export async function receiveNotification(
  { sinkId, id, source, type, time, data }: OperatorNotification,
  { bearerToken }: AnyCall,
  needs: TelecomNeeds,
): Promise<null> {
  const row = await findSubscription(needs.database, Buffer.from(sinkId, 'hex'))
  // The same answer for a wrong token and an unknown sink.
  const hash = tokenHashOf(bearerToken ?? '', needs)
  const isRight = timingSafeEqual(hash, row?.tokenHash ?? Buffer.alloc(hash.length))
  if (!row || !isRight || bearerToken === undefined) throw new Refusal('notificationRefused')
  const [, kind] = typeOf.exec(type) ?? []
  if (kind === undefined) throw wrong('type is none of sim-swap-subscriptions')
  // The operator has accepted the subscription, and this server does not know its id yet: the operator sends the event again.
  if (row.subscriptionId === null) throw new Refusal('unavailable')
  if (data.subscriptionId !== row.subscriptionId) throw wrong('data.subscriptionId is not that of this sink')
  const isInactive = kind === 'subscription-updated' && data.updateReason === 'SUBSCRIPTION_INACTIVE'
  if (kind === 'subscription-ended' || isInactive) await noteEnded(row, needs, isInactive)
  if (kind === 'swapped') await noteSwap(row, { eventId: `${source} ${id}`, at: timeOf(time, needs), data }, needs)
  return null
}

const wrong = (mistake: string) => new Refusal('fieldInvalid', { mistake })

function timeOf(time: string, { clock }: TelecomNeeds): number {
  const [at, now] = [dateTimeMs(time), clock.now()]
  // Less than a day: a clock or a time zone is wrong.
  if (at > now + dayMs) throw wrong('time is in the future')
  return Math.min(at, now)
}

/** State and event in one transaction: a change that a poll has found already is not reported again. */
async function noteSwap(
  { tenantId, watchId, connector }: SubscriptionRow,
  { eventId, at, data }: { eventId: string; at: number; data: OperatorNotification['data'] },
  { database, clock, tenantKeyring, events }: TelecomNeeds,
): Promise<void> {
  const keys = await tenantKeyring.keysOf(tenantId)
  const recorder = await events.recorder(tenantId)
  await database.transaction(async (tx) => {
    const now = clock.now()
    const watch = await findWatch(tx, tenantId, watchId, now)
    if (!watch) return
    const content = openWatch(watch, keys)
    const { simSwap } = content.states
    if (!simSwap) return
    if (data.phoneNumber !== undefined && data.phoneNumber !== `+${content.digits}`)
      throw wrong('data.phoneNumber is not the number of this subscription')
    const eventIds = simSwap.eventIds ?? []
    if (eventIds.includes(eventId)) return
    const { state, change } = learnReported(simSwap, at, now)
    // Nothing is written then: it would cost a poll that is in flight its claim.
    if (state === simSwap) return
    const learned = {
      ...state,
      dueAt: simSwap.dueAt,
      eventIds: [...eventIds, eventId].slice(-mostEventIds),
      ...(change && { noticedAt: now }),
    }
    const next = { ...content, states: { ...content.states, simSwap: learned } }
    await updateWatch(tx, { ...watch, sealed: sealWatch(next, watch, keys) })
    if (!change) return
    const event = changeEvent(watch, content, 'simSwap', { ...change, source: connector }, 'subscription', now)
    await writeChanges(tx, watch, content, [event], recorder, keys)
  })
}
