// How does an operator come to report the SIM swaps of a watched number? The service subscribes, renews and ends subscriptions.

import { randomBytes, randomUUID } from 'node:crypto'
import { endpoints, pathWith } from '@ringfence/contract'
import type { TenantKeys } from '../../core/crypto/keyring.ts'
import type { Queryable } from '../../core/storage/database.ts'
import { parsePhoneNumber } from '../../phone/phone-number.ts'
import { logged } from '../../upstream/upstream-error.ts'
import { CheckUnsupported } from '../connectors/connector.ts'
import type { TelecomNeeds } from '../room.ts'
import { findWatch, updateWatch, type WatchRow } from '../store/number-watches.ts'
import {
  claimDueSubscriptions,
  deleteSubscription,
  detachSubscription,
  hasSubscription,
  insertSubscription,
  noWatch,
  putSubscriptionId,
  type SubscriptionRow,
} from '../store/watch-subscriptions.ts'
import { dayMs } from './pace.ts'
import { type CheckState, firstDue, openWatch, sealWatch, unsubscribed, type WatchContent } from './watch-record.ts'

/** Longer subscriptions are renewed. */
const longestMs = 30 * dayMs
const renewBeforeMs = dayMs
/** How long a server may take to subscribe or end; then another one does. */
const claimMs = 120_000
const callMs = 10_000
/** An operator that refused a subscription is asked again after this time. */
const refusedMs = dayMs
const mostAtOnce = 8

/** The hash under which a token of an operator is stored. */
export const tokenHashOf = (token: string, { keyring }: Pick<TelecomNeeds, 'keyring'>): Uint8Array =>
  keyring.hashSecret(`watch subscription ${token}`)

/**
 * Subscribes to the SIM swaps of this number, if its connector offers that and nobody has done so yet. Without BASE_URL no operator
 * reaches this service. A failure leaves the number to polls.
 */
export async function subscribeToSwaps(
  row: WatchRow,
  { digits, consent: own }: Pick<WatchContent, 'digits' | 'consent'>,
  connectorName: string,
  needs: TelecomNeeds,
): Promise<void> {
  const { database, clock, settings, telecom, log } = needs
  const connector = telecom.connectors.get(connectorName)
  const number = parsePhoneNumber(digits)
  // An operator of the sandbox is on this machine.
  const baseUrl = settings.baseUrl ?? (connector?.sandbox ? needs.addresses.base() : undefined)
  if (!connector?.swapSubscriptions || !number || baseUrl === undefined) return
  const { tenantId, id: watchId } = row
  if (await hasSubscription(database, { tenantId, watchId, connector: connectorName })) return
  const now = clock.now()
  const [sinkId, accessToken] = [randomBytes(16), randomBytes(32).toString('base64url')]
  const until = Math.min(row.expiresAt, now + longestMs)
  const subscription: SubscriptionRow = {
    ...{ sinkId, tenantId, watchId, connector: connectorName, subscriptionId: null },
    tokenHash: tokenHashOf(accessToken, needs),
    expiresAt: until,
    dueAt: now + claimMs,
  }
  const isWatched = await database.transaction(async (tx) => {
    if (!(await findWatch(tx, tenantId, watchId, now))) return false
    await insertSubscription(tx, subscription)
    return true
  })
  if (!isWatched) return
  const path = pathWith(endpoints.receiveNotification.path, sinkId.toString('hex'))
  const sink = `${baseUrl.replace(/\/+$/, '')}${path}`
  try {
    const accepted = await connector.swapSubscriptions.subscribe(
      number,
      { sink, accessToken, until },
      { ...inquiry(), consent: own ?? telecom.purposes.automatic(tenantId) },
    )
    const expiresAt = Math.min(until, accepted.expiresAt ?? until)
    const dueAt = expiresAt >= row.expiresAt ? expiresAt : renewalOf(expiresAt, now)
    const keys = await needs.tenantKeyring.keysOf(tenantId)
    await database.transaction(async (tx) => {
      const isKept = await putSubscriptionId(tx, subscription, { subscriptionId: accepted.id, expiresAt, dueAt })
      if (isKept) return setSubscribed(tx, subscription, expiresAt, { keys, now })
      // The watch was deleted, or the number ported, while the operator accepted: the subscription is ended.
      await deleteSubscription(tx, sinkId)
      const ended = { sinkId: randomBytes(16), watchId: noWatch, subscriptionId: accepted.id, expiresAt, dueAt: 0 }
      await insertSubscription(tx, { ...subscription, ...ended })
    })
  } catch (error) {
    if (!(error instanceof CheckUnsupported))
      log.warn({ connector: connectorName, ...logged(error) }, 'cannot subscribe to SIM swaps; the number is polled')
    // The row stays until then, so that the operator is not asked at each poll.
    await database.query(
      'update watch_subscription set due_at = $2 where sink_id = $1 and due_at > 0 and subscription_id is null',
      [sinkId, now + refusedMs],
    )
  }
}

/** A day before its end, but not before half of its time, and not within the hour. */
const renewalOf = (expiresAt: number, now: number): number =>
  Math.max(expiresAt - renewBeforeMs, now + Math.floor((expiresAt - now) / 2), now + 3_600_000)

/** Ends subscriptions that are due: before their time is over, so that they are made again, or with their watch. @returns how many */
export async function renewSubscriptions(needs: TelecomNeeds): Promise<number> {
  const { database, clock } = needs
  const now = clock.now()
  const due = await claimDueSubscriptions(database, { now, until: now + claimMs, limit: mostAtOnce })
  await Promise.all(due.map((row) => endSubscription(row, needs)))
  return due.length
}

/** The number is polled at once, which subscribes again while the watch goes on. What the operator still reports counts for nothing. */
async function endSubscription(row: SubscriptionRow, needs: TelecomNeeds): Promise<void> {
  const { telecom, log, clock, database, tenantKeyring } = needs
  const keys = await tenantKeyring.keysOf(row.tenantId)
  await database.transaction(async (tx) => {
    await detachSubscription(tx, row.sinkId)
    // One that the operator never accepted has changed nothing.
    if (row.subscriptionId !== null) await setSubscribed(tx, row, undefined, { keys, now: clock.now() })
  })
  const { swapSubscriptions } = telecom.connectors.get(row.connector) ?? {}
  if (row.subscriptionId !== null && swapSubscriptions && row.expiresAt > clock.now()) {
    try {
      await swapSubscriptions.end(row.subscriptionId, inquiry())
    } catch (error) {
      log.warn({ connector: row.connector, ...logged(error) }, 'cannot end a subscription; trying again')
      return
    }
  }
  await deleteSubscription(database, row.sinkId)
}

/**
 * An operator that ends a subscription gets another one, but not within a day of the previous end: else one that accepts and ends each
 * of them would be called without pause.
 *
 * @param isInactive the operator still has it and reports nothing, so that it is ended there too
 */
export async function noteEnded(row: SubscriptionRow, needs: TelecomNeeds, isInactive: boolean): Promise<void> {
  const { tenantKeyring, database, clock } = needs
  const keys = await tenantKeyring.keysOf(row.tenantId)
  await database.transaction(async (tx) => {
    const now = clock.now()
    await deleteSubscription(tx, row.sinkId)
    if (isInactive) await insertSubscription(tx, { ...row, watchId: noWatch, dueAt: 0 })
    const { endedAt } = (await setSubscribed(tx, row, undefined, { keys, now, isEnd: true })) ?? {}
    if (endedAt === undefined || now - endedAt >= refusedMs) return
    const pause = { sinkId: randomBytes(16), tokenHash: randomBytes(32), subscriptionId: null, dueAt: now + refusedMs }
    await insertSubscription(tx, { ...row, ...pause })
  })
}

/** @returns what was known before */
async function setSubscribed(
  tx: Queryable,
  { tenantId, watchId, connector }: SubscriptionRow,
  until: number | undefined,
  { keys, now, isEnd }: { keys: TenantKeys; now: number; isEnd?: true },
): Promise<CheckState | undefined> {
  const watch = await findWatch(tx, tenantId, watchId, now)
  if (!watch) return undefined
  const content = openWatch(watch, keys)
  const { simSwap } = content.states
  if (!simSwap) return undefined
  const learned =
    until === undefined
      ? { ...unsubscribed(simSwap, now), ...(isEnd && { endedAt: now }) }
      : { ...simSwap, subscribedUntil: until, subscribedTo: connector }
  const next = { ...content, states: { ...content.states, simSwap: learned } }
  await updateWatch(tx, { ...watch, dueAt: firstDue(next), sealed: sealWatch(next, watch, keys) })
  return simSwap
}

const inquiry = () => ({ signal: AbortSignal.timeout(callMs), correlator: randomUUID() })
