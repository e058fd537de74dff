// /admin/v1/system/…: how the parts of the service are doing, and what a check of it finds.

import type { Findings, NoFields, SystemDetails } from '@ringfence/contract'
import { sizeOfStore } from '../../../core/storage/servers/store-size.ts'
import { findLedger } from '../../../core/storage/upgrade/ledger.ts'
import { waitingDeliveries } from '../../../events/store/deliveries.ts'
import type { ActorCall } from '../../call.ts'
import { serviceFindings } from '../../doctor/service-findings.ts'
import { keyStatusOf } from '../../key-rotation/status.ts'
import type { AdminNeeds } from '../../room.ts'
import { isoTime, timeMember } from '../iso-time.ts'

const mostCounted = 10_000

export async function adminReadSystemDetails(
  _: NoFields,
  { actor: { tenantId } }: ActorCall,
  needs: AdminNeeds,
): Promise<SystemDetails> {
  const {
    upstreams,
    idTokens: { signingKeys },
    database,
    keyring,
  } = needs
  const [store, streams, keys, signing] = await Promise.all([
    storeDetails(needs),
    streamDetails(needs),
    keyStatusOf(tenantId, database, keyring),
    signingKeys.list(),
  ])
  return {
    store,
    streams,
    upstreams: upstreams.health().map(({ name, isOpen, calls, failures, averageMs, lastFailure, ...times }) => ({
      ...{ name, circuit: isOpen ? ('open' as const) : ('closed' as const), calls, failures },
      ...(averageMs !== undefined && { averageMs: Math.round(averageMs) }),
      ...timeMember('lastCallAt', times.lastCallAt),
      ...timeMember('lastFailureAt', times.lastFailureAt),
      ...(lastFailure !== undefined && { lastFailure }),
    })),
    keys: {
      ...keys,
      ...(keys.rotation && { rotation: { ...keys.rotation, startedAt: isoTime(keys.rotation.startedAt) } }),
      signingKeys: signing.map(({ keyId, use, startsAt }) => ({ keyId, use, startsAt: isoTime(startsAt) })),
    },
  } as SystemDetails
}

async function storeDetails({ database }: AdminNeeds): Promise<SystemDetails['store']> {
  const startedAt = performance.now()
  const isAnswered = await database.ping().then(
    () => true,
    () => false,
  )
  const latencyMs = Math.round((performance.now() - startedAt) * 10) / 10
  const [bytes, ledger] = await Promise.all([
    sizeOfStore(database).catch(() => undefined),
    findLedger(database).catch(() => undefined),
  ])
  return {
    ...(isAnswered && { latencyMs }),
    ...(bytes !== undefined && { bytes }),
    ...(ledger && { migrations: ledger.applied.length }),
    pools: [...database.pools()],
  }
}

const streamDetails = ({
  delivery: { streams: eventStreams },
  database,
}: AdminNeeds): Promise<SystemDetails['streams']> =>
  Promise.all(
    [...eventStreams.values()].map(async ({ receiverId, name, isMasked }) => {
      const { count, since } = await waitingDeliveries(database, receiverId, mostCounted)
      const personalData = isMasked ? ('masked' as const) : ('clear' as const)
      return { name, personalData, waiting: count, ...timeMember('waitingSince', since) }
    }),
  )

export async function adminCheckSystem(
  _: NoFields,
  { actor: { tenantId } }: ActorCall,
  needs: AdminNeeds,
): Promise<Findings> {
  return { findings: await serviceFindings(needs, tenantId) }
}
