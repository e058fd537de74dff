// Which devices are one device that was split? Finds pairs that fit alike, and that an account or the network shows to be one.

import type { Core } from '../../core/core.ts'
import { isSameId, uuidText } from '../../core/storage/uuid.ts'
import { installationsIn, trustedOfBoth } from '../store/account-devices.ts'
import {
  findInstallations,
  type InstallationRow,
  installationsAfter,
  installationsOfDevice,
  stages,
} from '../store/installations.ts'
import { place } from './components.ts'
import { sureFrom } from './confidence.ts'
import { decide } from './decide.ts'
import { type Fingerprint, saltOf, unpacked } from './fingerprint.ts'
import { likelyIn } from './learn.ts'
import { models } from './score.ts'
import { candidatesOf, probabilityOf, type SimilarRecord } from './similarity.ts'

/** Two devices that are one. Ids are UUIDs. */
export interface Split {
  /** The newer id: an alias from now on. */
  readonly from: string
  /** The older one, which remains. */
  readonly into: string
  /** What shows it beside the facts: a common network, or an account that a backend confirmed for both. */
  readonly because: 'network' | 'account'
}

export interface HealOptions {
  /** Merges a pair, and returns whether it could. Undefined: only report what would be merged. */
  readonly merge?: ((split: Split) => Promise<boolean>) | undefined
  readonly signal?: AbortSignal
  /** Where to begin, and how many installations to look at; default: all. */
  readonly after?: Uint8Array
  readonly most?: number
}

const batch = 200

type Services = Pick<Core, 'database' | 'tenantKeyring'>

interface Place extends Pick<Core, 'database'> {
  readonly tenantId: string
  readonly salt: string
}

/**
 * Finds the devices of a tenant that were split, and merges them. It runs beside the service; it can be interrupted and repeated.
 * @returns what was merged, or without `merge` what would be
 */
export async function healSplits(
  tenantId: string,
  services: Services,
  { merge, signal, after = new Uint8Array(0), most = Number.POSITIVE_INFINITY }: HealOptions,
): Promise<Split[]> {
  const healed: Split[] = []
  /** Without `merge`, the store still has the devices that would be gone. */
  const gone = new Set<string>()
  for (let [from, left] = [after, most]; left > 0 && signal?.aborted !== true; left -= batch) {
    const rows = await installationsAfter(services.database, tenantId, from, Math.min(batch, left))
    for (const { id } of rows) {
      const split = await splitOf({ tenantId, id }, services, gone)
      if (!split) continue
      if ((await merge?.(split)) === false) continue
      gone.add(split.from)
      healed.push(split)
    }
    if (rows.length < batch) break
    from = rows.at(-1)!.id
  }
  return healed
}

/**
 * The device of this installation and an older one that it was split from: its facts fit the other as they would fit its own, and one
 * account confirmed an installation of either that is its own, or both came from one network and were never in use at the same time.
 * Whoever copies facts gets an installation of the device, so an account that confirmed only such a one proves nothing. What only
 * resembled the older device when it was new must have returned since, as that one may be away for a day, and now be sure to be it: one
 * of equal machines never is.
 * @param gone devices that are merged already
 */
export async function splitOf(
  { tenantId, id }: { tenantId: string; id: Uint8Array },
  { database, tenantKeyring }: Services,
  gone: ReadonlySet<string> = new Set(),
): Promise<Split | undefined> {
  const at: Place = { database, tenantId, salt: saltOf(await tenantKeyring.keysOf(tenantId)) }
  // Read again: a merge may have moved it.
  const [row] = await findInstallations(database, tenantId, [id])
  if (!row?.fingerprint || gone.has(uuidText(row.deviceId))) return undefined
  const visit = unpacked(row.fingerprint)
  if (visit.isIndistinguishable) return undefined
  const own = await installationsOfDevice(database, tenantId, row.deviceId)
  const { records, sure } = await fitting(visit, row, at)
  for (const record of records) {
    if (gone.has(uuidText(record.deviceId))) continue
    const its = await installationsOfDevice(database, tenantId, record.deviceId)
    if (!isOlder(its, own)) continue // found from the other side
    const isConfirmed = !areUsedByTurns(own, its) && (await isConfirmedForOne(database, own, its))
    const isSequel =
      isSameNetwork(record.fingerprint, visit) &&
      (own.some(likelyIn) ? sure === record.device.id && hasReturned(own) : hasReturned([...own, ...its])) &&
      !areInUseTogether(own, its)
    if (!isConfirmed && !isSequel) continue
    const because = isConfirmed ? 'account' : 'network'
    return { from: uuidText(row.deviceId), into: uuidText(record.deviceId), because }
  }
  return undefined
}

/**
 * Records of other devices that this fingerprint fits like its own, the oldest first; one of each device. `sure`: the device that
 * similarity would give a visit with this fingerprint.
 */
async function fitting(
  visit: Fingerprint,
  row: InstallationRow,
  at: Place,
): Promise<{ records: SimilarRecord[]; sure: string | undefined }> {
  const isOwn = (deviceId: Uint8Array) => isSameId(deviceId, row.deviceId)
  const { keys, candidates, full } = await candidatesOf(visit, at, ({ deviceId }) => isOwn(deviceId))
  const model = models[visit.family]
  const { record, logOdds, limit, scored } = decide(visit, keys, candidates, full, row.lastSeenAt, model)
  const isSure = record && probabilityOf(visit, { logOdds, limit }) >= sureFrom
  const best = new Map<string, SimilarRecord>()
  for (const { candidate, cautious } of scored) {
    if (cautious >= model.threshold && !best.has(candidate.device.id)) best.set(candidate.device.id, candidate)
  }
  const records = [...best.values()].sort((a, b) => a.firstSeenAt - b.firstSeenAt)
  return { records, sure: isSure ? record.device.id : undefined }
}

/** Whether an account trusts both, on an installation of either that was not made by resemblance. */
async function isConfirmedForOne(
  database: Core['database'],
  younger: readonly InstallationRow[],
  older: readonly InstallationRow[],
): Promise<boolean> {
  const [ownOfYounger, ownOfOlder] = [younger, older].map(
    (rows) => new Set(rows.filter(({ confidence }) => confidence === null).map(({ id }) => uuidText(id))),
  )
  const isAmong = (ids: ReadonlySet<string>, installations: Uint8Array) =>
    installationsIn({ installations }).some(({ id }) => ids.has(id))
  const ids = { younger: younger[0]!.deviceId, older: older[0]!.deviceId }
  const trusted = await trustedOfBoth(database, ids)
  return trusted.some(({ ofYounger, ofOlder }) => isAmong(ownOfYounger!, ofYounger) && isAmong(ownOfOlder!, ofOlder))
}

const isSameNetwork = ({ hashes, previous }: SimilarRecord['fingerprint'], visit: Fingerprint): boolean => {
  const network = visit.hashes[place.network]!
  return network !== 0 && (hashes[place.network] === network || (previous.get(place.network) ?? []).includes(network))
}

/** Two machines are in use at the same time; a device that was split goes on as one of the two. */
const areInUseTogether = (one: readonly InstallationRow[], other: readonly InstallationRow[]): boolean =>
  one.some((a) => other.some((b) => a.firstSeenAt < b.lastSeenAt && b.firstSeenAt < a.lastSeenAt))

/** A private window ends before, and its key with it. */
const privateWindowMs = 3_600_000

/**
 * Whether each of the two has a key that came back after the other one's appeared: storage that was cleared has lost the older key, so
 * nobody split one device. One person may have two equal machines.
 */
const areUsedByTurns = (one: readonly InstallationRow[], other: readonly InstallationRow[]): boolean => {
  const isLasting = ({ keyHash, firstSeenAt, lastSeenAt }: InstallationRow) =>
    keyHash !== null && lastSeenAt - firstSeenAt >= privateWindowMs
  return areInUseTogether(one.filter(isLasting), other.filter(isLasting))
}

/** Equal machines that came once each, in one office, show nothing. */
const hasReturned = (rows: readonly InstallationRow[]) => rows.some(({ stage }) => stage === stages.established)

/** Of two that were first seen at once, the one with the lower id: every server must say the same. */
function isOlder(its: readonly InstallationRow[], own: readonly InstallationRow[]): boolean {
  const [a, b] = [its, own].map((rows) => Math.min(...rows.map(({ firstSeenAt }) => firstSeenAt)))
  return a! < b! || (a === b && Buffer.compare(its[0]!.deviceId, own[0]!.deviceId) < 0)
}
