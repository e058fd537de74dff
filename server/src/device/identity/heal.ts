// Which devices are one device that was split? Finds pairs that fit alike and were never in use at the same time, and merges them.

import type { Core } from '../../core/core.ts'
import type { TenantKeys } from '../../core/crypto/keyring.ts'
import type { Queryable } from '../../core/storage/database.ts'
import { isSameId, uuidText } from '../../core/storage/uuid.ts'
import { moveHistory } from '../history/move-history.ts'
import { deviceHashOf } from '../history/visit.ts'
import { accountsOfDevice } from '../store/account-devices.ts'
import { keyDeletes, keyInserts } from '../store/device-keys.ts'
import {
  findInstallations,
  type InstallationRow,
  installationsAfter,
  installationsMove,
  installationsOfDevice,
  stages,
} from '../store/installations.ts'
import { mostDevicesOfAKey } from './blocking-keys.ts'
import { place } from './components.ts'
import { decide } from './decide.ts'
import { type Fingerprint, saltOf, unpacked } from './fingerprint.ts'
import { tableOf } from './installation-change.ts'
import { keysOfRows } from './learn.ts'
import { models } from './score.ts'
import { candidatesOf, type SimilarRecord } from './similarity.ts'

export interface HealedSplit {
  /** The id that is no longer answered. */
  readonly from: string
  /** The id that remains: the one that a backend confirmed for an account, else the older one. */
  readonly into: string
  /** What shows it beside the facts: a common network, or an account that a backend confirmed for both. */
  readonly because: 'network' | 'account'
}

export interface HealOptions {
  /** False: only report what would be merged. */
  readonly apply: boolean
  readonly signal?: AbortSignal
}

const batch = 200

interface Place extends Pick<Core, 'database'> {
  readonly tenantId: string
  readonly keys: TenantKeys
  readonly salt: string
}

/**
 * Merges devices of a tenant that were split: the facts of one fit the other as they would fit its own, and both came from one network
 * or were confirmed for one account. Devices that were in use at the same time are two, unless an account has both. Installations,
 * keys, visits, labels and history move to the remaining id; trusted devices of an account keep the id that was confirmed.
 * Runs beside the service, in one short transaction for each merge; it can be interrupted and repeated.
 * @returns what was merged, or with `apply: false` what would be
 */
export async function healSplits(
  tenantId: string,
  { database, tenantKeyring }: Pick<Core, 'database' | 'tenantKeyring'>,
  { apply, signal }: HealOptions,
): Promise<HealedSplit[]> {
  const keys = await tenantKeyring.keysOf(tenantId)
  const at: Place = { database, tenantId, keys, salt: saltOf(keys) }
  const healed: HealedSplit[] = []
  /** Without `apply`, the store still has the devices that would be gone. */
  const gone = new Set<string>()
  for (let after: Uint8Array = new Uint8Array(0); signal?.aborted !== true; ) {
    const rows = await installationsAfter(database, tenantId, after, batch)
    for (const { id } of rows) {
      const split = await splitOf(id, gone, at)
      if (!split) continue
      if (apply) await merge(split.from, split.into, at)
      gone.add(uuidText(split.from))
      healed.push({ from: uuidText(split.from), into: uuidText(split.into), because: split.because })
    }
    if (rows.length < batch) break
    after = rows.at(-1)!.id
  }
  return healed
}

interface Split {
  readonly from: Uint8Array
  readonly into: Uint8Array
  readonly because: HealedSplit['because']
}

/** The device of this installation and an older one that it was split from. */
async function splitOf(id: Uint8Array, gone: ReadonlySet<string>, at: Place): Promise<Split | undefined> {
  const { database, tenantId } = at
  // Read again: a merge may have moved it.
  const [row] = await findInstallations(database, tenantId, [id])
  if (!row?.fingerprint || gone.has(uuidText(row.deviceId))) return undefined
  const visit = unpacked(row.fingerprint)
  if (visit.isIndistinguishable) return undefined
  const own = await installationsOfDevice(database, tenantId, row.deviceId)
  const others = (await fitting(visit, row, at)).filter(({ deviceId }) => !gone.has(uuidText(deviceId)))
  for (const record of others) {
    const its = await installationsOfDevice(database, tenantId, record.deviceId)
    if (firstSeen(its) > firstSeen(own)) continue // found from the other side
    const [younger, older] = await Promise.all([row, record].map((one) => accountsOfDevice(database, one.deviceId)))
    const isConfirmed = !younger!.isDisjointFrom(older!)
    const isSequel =
      isSameNetwork(record.fingerprint, visit) && hasReturned([...own, ...its]) && !areInUseTogether(own, its)
    if (!isConfirmed && !isSequel) continue
    const keepsYounger = younger!.size > 0 && older!.size === 0
    const [from, into] = keepsYounger ? [record.deviceId, row.deviceId] : [row.deviceId, record.deviceId]
    return { from, into, because: isConfirmed ? 'account' : 'network' }
  }
  return undefined
}

/** Records of other devices that this fingerprint fits like its own, the oldest first; one of each device. */
async function fitting(visit: Fingerprint, row: InstallationRow, at: Place): Promise<SimilarRecord[]> {
  const isOwn = (deviceId: Uint8Array) => isSameId(deviceId, row.deviceId)
  const { keys, candidates, full } = await candidatesOf(visit, at, ({ deviceId }) => isOwn(deviceId))
  const model = models[visit.family]
  const { scored } = decide(visit, keys, candidates, full, row.lastSeenAt, model)
  const best = new Map<string, SimilarRecord>()
  for (const { candidate, cautious } of scored) {
    if (cautious >= model.threshold && !best.has(candidate.device.id)) best.set(candidate.device.id, candidate)
  }
  return [...best.values()].sort((a, b) => a.firstSeenAt - b.firstSeenAt)
}

const isSameNetwork = ({ hashes, previous }: SimilarRecord['fingerprint'], visit: Fingerprint): boolean => {
  const network = visit.hashes[place.network]!
  return network !== 0 && (hashes[place.network] === network || (previous.get(place.network) ?? []).includes(network))
}

/** Two machines are in use at the same time; a device that was split goes on as one of the two. */
const areInUseTogether = (one: readonly InstallationRow[], other: readonly InstallationRow[]): boolean =>
  one.some((a) => other.some((b) => a.firstSeenAt < b.lastSeenAt && b.firstSeenAt < a.lastSeenAt))

/** Equal machines that came once each, in one office, show nothing. */
const hasReturned = (rows: readonly InstallationRow[]) => rows.some(({ stage }) => stage === stages.established)

const firstSeen = (rows: readonly InstallationRow[]) => Math.min(...rows.map(({ firstSeenAt }) => firstSeenAt))

async function merge(from: Uint8Array, into: Uint8Array, { database, tenantId, keys, salt }: Place): Promise<void> {
  const run = async (tx: Queryable) => {
    const rows = await installationsOfDevice(tx, tenantId, from)
    for (const row of rows) {
      const table = tableOf(row.stage)
      if (!table) continue
      const its = [...keysOfRows([row], salt)]
      const read = { tenantId, id: row.id, lastSeenAt: row.lastSeenAt }
      const moved = [...keyInserts(table, into, its, read, mostDevicesOfAKey), ...keyDeletes(table, from, its, read)]
      for (const { sql, params } of moved) await tx.query(sql, params)
    }
    const { sql, params } = installationsMove(tenantId, from, into)
    await tx.query(sql, params)
    await moveHistory(tx, deviceHashOf(uuidText(from), keys), deviceHashOf(uuidText(into), keys))
  }
  await database.transaction(run)
}
