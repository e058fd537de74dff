// How does an operator come to report the SIM swaps of a watched number? The service subscribes, renews and ends subscriptions.

import { randomBytes, randomUUID } from 'node:crypto'
import type { TenantKeys } from '../../crypto/keyring.ts'
import { parsePhoneNumber } from '../../phone/phone-number.ts'
import type { Platform } from '../../platform.ts'
import type { Queryable } from '../../storage/database.ts'
import { findWatch, updateWatch, type WatchRow } from '../../storage/watches/number-watches.ts'
import {
  claimDueSubscriptions,
  deleteSubscription,
  hasSubscription,
  insertSubscription,
  putSubscriptionId,
  type SubscriptionRow,
} from '../../storage/watches/watch-subscriptions.ts'
import { logged } from '../../upstream/upstream-error.ts'
import { CheckUnsupported } from '../connectors/connector.ts'
import { dayMs } from './pace.ts'
import { firstDue, openWatch, sealWatch, type WatchContent } from './watch-record.ts'

/** Longer subscriptions are renewed. */
const longestMs = 30 * dayMs
const renewBeforeMs = dayMs
/** How long a server may take to subscribe or end; then another one does. */
const claimMs = 120_000
const callMs = 10_000
/** An operator that refused a subscription is asked again after this time. */
const refusedMs = dayMs
const mostAtOnce = 8

/** Where operators send events. */
export const notificationPath = '/v1/telecom/notifications'

/** The hash under which a token of an operator is stored. */
export const tokenHashOf = (token: string, { keyring }: Pick<Platform, 'keyring'>): Uint8Array =>
  keyring.hashSecret(`watch subscription ${token}`)

/**
 * Subscribes to the SIM swaps of this number, if its connector offers that and nobody has done so yet. Without BASE_URL no operator
 * reaches this service. A failure leaves the number to polls.
 */
export async function subscribeToSwaps(
  row: WatchRow,
  { digits, consent: own }: Pick<WatchContent, 'digits' | 'consent'>,
  connectorName: string,
  platform: Platform,
): Promise<void> {
  const { database, clock, settings, telecom, log } = platform
  const connector = telecom.connectors.get(connectorName)
  const number = parsePhoneNumber(digits)
  // An operator of the sandbox is on this machine.
  const baseUrl = settings.baseUrl ?? (connector?.sandbox ? platform.baseAddress() : undefined)
  if (!connector?.swapSubscriptions || !number || baseUrl === undefined) return
  const { tenantId, id: watchId } = row
  if (await hasSubscription(database, tenantId, watchId)) return
  const now = clock.now()
  const [sinkId, accessToken] = [randomBytes(16), randomBytes(32).toString('base64url')]
  const until = Math.min(row.expiresAt, now + longestMs)
  await insertSubscription(database, {
    ...{ sinkId, tenantId, watchId, connector: connectorName, subscriptionId: null },
    tokenHash: tokenHashOf(accessToken, platform),
    expiresAt: until,
    dueAt: now + claimMs,
  })
  const sink = `${baseUrl.replace(/\/+$/, '')}${notificationPath}/${sinkId.toString('hex')}`
  try {
    const accepted = await connector.swapSubscriptions.subscribe(
      number,
      { sink, accessToken, until },
      { ...inquiry(), consent: own ?? telecom.purposes.automatic(tenantId) },
    )
    const expiresAt = Math.min(until, accepted.expiresAt ?? until)
    const dueAt = expiresAt >= row.expiresAt ? expiresAt : renewalOf(expiresAt, now)
    const keys = await platform.tenantKeyring.keysOf(tenantId)
    await database.transaction(async (tx) => {
      await putSubscriptionId(tx, sinkId, { subscriptionId: accepted.id, expiresAt, dueAt })
      await setSubscribed(tx, { tenantId, watchId }, expiresAt, { keys, now })
    })
  } catch (error) {
    if (!(error instanceof CheckUnsupported))
      log.warn({ connector: connectorName, ...logged(error) }, 'cannot subscribe to SIM swaps; the number is polled')
    // The row stays until then, so that the operator is not asked at each poll.
    await database.query('update watch_subscription set due_at = $2 where sink_id = $1', [sinkId, now + refusedMs])
  }
}

/** A day before its end, but not before half of its time, and not within the hour. */
const renewalOf = (expiresAt: number, now: number): number =>
  Math.max(expiresAt - renewBeforeMs, now + Math.floor((expiresAt - now) / 2), now + 3_600_000)

/** Renews subscriptions that end soon, and ends those whose watch is gone. @returns how many */
export async function tendSubscriptions(platform: Platform): Promise<number> {
  const { database, clock } = platform
  const now = clock.now()
  const due = await claimDueSubscriptions(database, { now, until: now + claimMs, limit: mostAtOnce })
  await Promise.all(due.map((row) => endSubscription(row, platform)))
  return due.length
}

/** Then the number is polled at once, which subscribes again while the watch goes on. */
async function endSubscription(row: SubscriptionRow, platform: Platform): Promise<void> {
  const { telecom, log, clock } = platform
  const { swapSubscriptions } = telecom.connectors.get(row.connector) ?? {}
  if (row.subscriptionId !== null && swapSubscriptions && row.expiresAt > clock.now()) {
    try {
      await swapSubscriptions.end(row.subscriptionId, inquiry())
    } catch (error) {
      log.warn({ connector: row.connector, ...logged(error) }, 'cannot end a subscription; trying again')
      return
    }
  }
  await forgetSubscription(row, platform)
}

/** The number is polled again. */
export async function forgetSubscription(row: SubscriptionRow, platform: Platform): Promise<void> {
  const keys = await platform.tenantKeyring.keysOf(row.tenantId)
  await platform.database.transaction(async (tx) => {
    await deleteSubscription(tx, row.sinkId)
    await setSubscribed(tx, row, undefined, { keys, now: platform.clock.now() })
  })
}

async function setSubscribed(
  tx: Queryable,
  { tenantId, watchId }: Pick<SubscriptionRow, 'tenantId' | 'watchId'>,
  until: number | undefined,
  { keys, now }: { keys: TenantKeys; now: number },
): Promise<void> {
  const watch = await findWatch(tx, tenantId, watchId, now)
  if (!watch) return
  const content = openWatch(watch, keys)
  const { simSwap } = content.states
  if (!simSwap) return
  const { subscribedUntil: _, ...state } = simSwap
  const next = {
    ...content,
    states: {
      ...content.states,
      simSwap: until === undefined ? { ...state, dueAt: now } : { ...state, subscribedUntil: until },
    },
  }
  await updateWatch(tx, { ...watch, dueAt: firstDue(next), sealed: sealWatch(next, watch, keys) })
}

const inquiry = () => ({ signal: AbortSignal.timeout(callMs), correlator: randomUUID() })
