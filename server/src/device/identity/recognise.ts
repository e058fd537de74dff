// Which device is this? By the key of its installation, by its token, by similarity to known devices; else a new one. Writes nothing.

import { randomUUID } from 'node:crypto'
import type { WebFacts } from '@ringfence/contract'
import type { Core } from '../../core/core.ts'
import type { TenantKeys } from '../../core/crypto/keyring.ts'
import { isSameId, uuidBytes, uuidOfHash, uuidText } from '../../core/storage/uuid.ts'
import { priorModels, type TenantModels } from '../learning/tenant-models.ts'
import { findInstallations, type InstallationRow, installationsOfDevice, stages } from '../store/installations.ts'
import { claimKey } from './blocking-keys.ts'
import { traitsOf } from './components.ts'
import {
  confidenceByKey,
  confidenceByToken,
  confidenceOf,
  confidenceOfIndistinguishable,
  sureFrom,
} from './confidence.ts'
import { highestConfidence } from './crowd.ts'
import { contradicts, excludes } from './decide.ts'
import { type DeviceToken, keyInToken } from './device-token.ts'
import { changesBetween, fingerprintOf, saltOf, unpacked } from './fingerprint.ts'
import type { IdentifiedBy, Likely } from './identification.ts'
import type { InstallationChange, LikelyDevice } from './installation-change.ts'
import { changeOfKnown, changeOfNew, changeOfSimilar, likelyIn, networkOf, type Seen } from './learn.ts'
import { lacksMost } from './missing-facts.ts'
import { isOverPace, isYoung, type Pace } from './pace.ts'
import { revision } from './score.ts'
import { findSimilar, probabilityOf, type SimilarRecord } from './similarity.ts'

/** One visit of a device. */
export interface Visit {
  readonly tenantId: string
  readonly facts: WebFacts
  /** IP address of the connection. */
  readonly address: string | undefined
  /** A token that this tenant issued and that has not expired. */
  readonly token?: DeviceToken | undefined
  /** Of the key that the visit proved. */
  readonly keyHash?: Uint8Array | undefined
  /** The SDK's installation id. It only separates concurrent first visits that look the same. */
  readonly installation?: string
  /** How many new devices its network may make. Called for a new device only. */
  readonly pace?: () => Promise<Pace>
}

export interface Recognition {
  /** A UUID, the same at every recognised visit. */
  readonly deviceId: string
  readonly installationId: string
  readonly newDevice: boolean
  readonly by: IdentifiedBy
  /** `score`: the probability that `deviceId` is right, 0 to 1; `revision` names the weights. */
  readonly confidence: { readonly score: number; readonly revision: string }
  /** What the device resembled when it was new, where similarity was not sure enough. */
  readonly likely?: Likely
  /** Its network made too many new devices when this one was new. */
  readonly isCrowded?: boolean
  /** Why the token was not followed. `copied`: without the key of its installation. `foreign`: of a device that this cannot be. */
  readonly token?: 'copied' | 'foreign'
  /** The token shows tampering. A browser that lost its key but looks like the device of the token does not. */
  readonly tamperingByToken: boolean
  /** Components that changed since the last visit (components.ts); none for a new device. */
  readonly changes: readonly string[]
  /** Must be stored with the analysis. Absent: nothing changed. */
  readonly change?: InstallationChange
}

export type RecognitionServices = Pick<Core, 'clock' | 'database' | 'tenantKeyring'>

/** Concurrent first visits of one device within such a slot get the same id. It is longer than any request. */
const slotMs = 30_000
/** From this part of the new devices that a network may make on, to be in it proves little. */
const crowdedFrom = 0.1
const noKey = new Uint8Array(0)

interface Context extends Pick<RecognitionServices, 'database'> {
  readonly visit: Visit
  readonly keys: TenantKeys
  readonly seen: Seen
}

/** Reads and decides. Of concurrent first visits, also in several processes, all get the same id. */
export async function recognise(
  visit: Visit,
  { clock, database, tenantKeyring }: RecognitionServices,
  models: TenantModels = priorModels,
): Promise<Recognition> {
  const { tenantId, facts, address, token, keyHash } = visit
  const keys = await tenantKeyring.keysOf(tenantId)
  const salt = saltOf(keys)
  const fingerprint = fingerprintOf(traitsOf(facts, address), salt)
  const isPoor = lacksMost(facts, fingerprint.family)
  const seen = { tenantId, salt, now: clock.now(), fingerprint, isPoor, models, ...(keyHash && { keyHash }) }
  const context: Context = { visit, keys, seen, database }

  const { named, ofKey } = await findNamed(context)
  const isCopied = token !== undefined && !fitsKey(token, named, keyHash)
  const isNamed = named !== undefined && !isCopied && (named.keyHash !== null || ofKey === undefined)
  const known = isNamed ? named : ofKey
  const judged = known && (await judge(known, context))
  const recognition =
    judged?.contradicts === false
      ? await ofInstallation(judged, context)
      : await ofResemblance(context, { excluded: known, spare: isCopied || known ? undefined : token?.installationId })
  if (judged?.contradicts) return { ...recognition, token: 'foreign', tamperingByToken: true }
  if (!isCopied) return recognition
  return { ...recognition, token: 'copied', tamperingByToken: await isTampering(named, recognition, context) }
}

/** The installation of the token, and the one of the key; a key that came without a token finds its own. */
async function findNamed({ visit: { tenantId, token, keyHash }, keys, database }: Context) {
  const ids = [token && uuidBytes(token.installationId), keyHash && idOfKey(keyHash, keys)] as const
  const known = ids.filter((id) => id !== undefined)
  const rows = known.length > 0 ? await findInstallations(database, tenantId, known) : []
  const [named, ofKey] = ids.map((id) => id && rows.find((row) => isSameId(row.id, id)))
  return { named, ofKey: ofKey?.keyHash && keyHash && isSameId(ofKey.keyHash, keyHash) ? ofKey : undefined }
}

/** A token with a key counts with this key only, and so does that of an installation which got a key since. */
function fitsKey(token: DeviceToken, named: InstallationRow | undefined, keyHash: Uint8Array | undefined): boolean {
  if (token.key !== undefined && (!keyHash || keyInToken(keyHash) !== token.key)) return false
  return !named?.keyHash || (keyHash !== undefined && isSameId(named.keyHash, keyHash))
}

interface Judged {
  readonly row: InstallationRow
  /** The visit is of other hardware or of another browser. */
  readonly contradicts: boolean
}

/** Compares with the installation's own fingerprint, which nobody else can change; without one, with the oldest of its device. */
async function judge(row: InstallationRow, { seen, database }: Context): Promise<Judged> {
  // A key stays in its browser: with other hardware, its computer was rebuilt.
  if (row.keyHash && seen.keyHash && isSameId(row.keyHash, seen.keyHash)) return { row, contradicts: false }
  const fingerprint =
    row.fingerprint ??
    (await installationsOfDevice(database, seen.tenantId, row.deviceId)).find((one) => one.fingerprint)?.fingerprint
  return { row, contradicts: fingerprint ? contradicts(unpacked(fingerprint), seen.fingerprint) : false }
}

/** An installation without a key is bound to the first one that a visit presents which would be its device without the token too. */
async function ofInstallation({ row }: Judged, context: Context): Promise<Recognition> {
  const { seen, database } = context
  const by = row.keyHash === null ? 'token' : 'key'
  const byProof = by === 'token' ? confidenceByToken(seen.fingerprint) : confidenceByKey
  // The proof is of the installation. That it belongs to this device is as sure as when it joined by similarity.
  const probability = Math.min(byProof, (row.confidence ?? 1000) / 1000)
  const bind = row.keyHash === null && seen.keyHash !== undefined && (await resembles(row, context))
  const learned = await changeOfKnown(row, seen, bind, { database })
  return {
    ...answer(by, { device: row.deviceId, installation: row.id }, probability),
    ...shown(likelyIn(row)),
    // A device within the limit of its network was listed when it was new.
    isCrowded: row.stage === stages.unlisted && row.bySimilarity === 0 && (await isCrowded(context, { row })),
    ...learned,
  }
}

/** Whoever copied a token could bind another key, and so lock the owner out: the browser must look like the owner's too. */
async function resembles({ deviceId }: InstallationRow, { seen, database }: Context): Promise<boolean> {
  if (seen.fingerprint.isIndistinguishable) return true
  const { record } = await findSimilar(seen.fingerprint, { database, ...seen })
  return record !== undefined && isSameId(record.deviceId, deviceId)
}

/**
 * A visit that no installation proves. It never becomes an existing installation, however similar.
 * @param excluded contradicts the visit. Other records of its device stay candidates: nobody leaves a device by a wrong token
 * @param spare the id in a token whose installation was not stored, or was deleted
 */
async function ofResemblance(
  context: Context,
  { excluded, spare }: { excluded: InstallationRow | undefined; spare: string | undefined },
): Promise<Recognition> {
  const { seen, database } = context
  const { fingerprint } = seen
  const similarity = await findSimilar(
    fingerprint,
    { database, ...seen },
    ({ id }) => excluded !== undefined && isSameId(id, excluded.id),
  )
  const { record, logOdds } = similarity
  const isTab = record !== undefined && isConcurrent(record, context)
  const joining = isTab ? record.id : record && newInstallationId(record.deviceId, excluded, context)
  const id = spare === undefined ? joining : uuidBytes(spare)
  const byFacts = record && probabilityOf(fingerprint, similarity, seen.models)
  const isSure =
    record !== undefined && byFacts !== undefined && byFacts >= sureFrom && !(await isInCrowdedNetwork(record, context))
  const probability =
    record && id && Math.min(byFacts!, await highestConfidence(database, { ...seen, deviceId: record.deviceId }))
  // What others did lately lowers the confidence only: else whoever looks alike could take a device's id from it.
  if (record && id && probability !== undefined && (isTab || isSure)) {
    const change = changeOfSimilar(record, similarity, { installationId: id, probability }, seen)
    const changes = changesBetween(record.fingerprint, fingerprint)
    const similar = answer('similarity', { device: record.deviceId, installation: id }, probability)
    return { ...similar, ...shown(likelyIn(record)), changes, change }
  }
  const likely = record && { deviceId: record.deviceId, confidence: Math.round(probability! * 1000) }
  const judged = [...similarity.candidates.map(({ deviceId }) => deviceId), ...(excluded ? [excluded.deviceId] : [])]
  const { device, isFirst } =
    spare === undefined ? await newDevice(judged, context) : { device: uuidBytes(spare), isFirst: true }
  // Without a key, another tab that just opened is the same installation.
  const installation = spare !== undefined || !seen.keyHash ? device : newInstallationId(device, excluded, context)
  const by = spare === undefined ? 'none' : context.visit.keyHash ? 'key' : 'token'
  const isOverLimit = await isCrowded(context)
  return {
    ...answer(by, { device, installation }, confidenceOfNew(by, fingerprint, { logOdds, resembled: probability })),
    ...shown(likely),
    newDevice: isFirst,
    isCrowded: isOverLimit,
    // Beyond the limit of its network, and where it resembles a device, it is no candidate for others until it returns.
    change: changeOfNew({ device, installation, isFirst, likely }, seen, likely === undefined && !isOverLimit),
  }
}

/** Whether the record is of a first visit a moment ago, as of another tab that just opened. */
function isConcurrent({ deviceId, keyHash }: SimilarRecord, context: Context): boolean {
  const shared = sharedId(context)
  return shared !== undefined && isSameId(deviceId, shared) && isSameId(keyHash ?? noKey, context.seen.keyHash ?? noKey)
}

/**
 * Whether the record is of a device that never returned, in a network that makes so many new ones that to be in it says little: an office
 * on its first day, or a farm. An established device keeps its id, whoever floods its network.
 */
async function isInCrowdedNetwork({ fingerprint: known, device }: SimilarRecord, context: Context): Promise<boolean> {
  const network = networkOf(context.seen.fingerprint)
  if (device.isEstablished || network === undefined || networkOf(known) !== network) return false
  return isCrowded(context, { part: crowdedFrom })
}

/** How sure it is that the device is new, or is the one of a token whose installation is gone. */
function confidenceOfNew(
  by: IdentifiedBy,
  fingerprint: Seen['fingerprint'],
  { logOdds, resembled }: { logOdds: number; resembled: number | undefined },
): number {
  if (by === 'key') return confidenceByKey
  if (by === 'token') return confidenceByToken(fingerprint)
  if (resembled !== undefined) return 1 - resembled
  return fingerprint.isIndistinguishable ? confidenceOfIndistinguishable : confidenceOf(fingerprint, 'new', logOdds)
}

const shown = (likely: LikelyDevice | undefined): Pick<Recognition, 'likely'> =>
  likely ? { likely: { deviceId: uuidText(likely.deviceId), confidence: likely.confidence / 1000 } } : {}

/** The id that concurrent first visits share. Random where a device of this id has another key, or was judged to be another one. */
async function newDevice(
  judged: readonly Uint8Array[],
  context: Context,
): Promise<{ device: Uint8Array; isFirst: boolean }> {
  const { seen, database } = context
  const { tenantId, fingerprint, keyHash } = seen
  const random = { device: uuidBytes(randomUUID()), isFirst: true }
  const device = sharedId(context)
  if (!device || judged.some((id) => isSameId(id, device))) return random
  const rows = await installationsOfDevice(database, tenantId, device)
  const isOther = rows.some(
    (row) =>
      !isSameId(row.keyHash ?? noKey, keyHash ?? noKey) ||
      (row.fingerprint && excludes(unpacked(row.fingerprint), fingerprint)),
  )
  return isOther ? random : { device, isFirst: rows.length === 0 }
}

function sharedId({ visit, keys, seen: { salt, now, fingerprint, keyHash, isPoor } }: Context): Uint8Array | undefined {
  // Poor visits of one network look alike, whoever sends them.
  const shown = isPoor ? { ...fingerprint, isIndistinguishable: true } : fingerprint
  const claim = claimKey(shown, keyHash ? keyInToken(keyHash) : visit.installation, salt)
  return claim === undefined
    ? undefined
    : uuidBytes(uuidOfHash(keys.hash(`new device ${claim} ${Math.floor(now / slotMs)}`)))
}

/** A key has one installation, found without a token. Concurrent visits of a browser without a key share one too. */
function newInstallationId(
  deviceId: Uint8Array,
  excluded: InstallationRow | undefined,
  { visit: { installation }, keys, seen: { keyHash, now } }: Context,
): Uint8Array {
  const ofKey = keyHash && idOfKey(keyHash, keys)
  if (ofKey && !(excluded && isSameId(ofKey, excluded.id))) return ofKey
  if (installation === undefined || keyHash) return uuidBytes(randomUUID())
  const device = Buffer.from(deviceId).toString('hex')
  return uuidBytes(uuidOfHash(keys.hash(`new installation ${device} ${installation} ${Math.floor(now / slotMs)}`)))
}

const idOfKey = (keyHash: Uint8Array, keys: TenantKeys) =>
  uuidBytes(uuidOfHash(keys.hash(`installation of key ${Buffer.from(keyHash).toString('hex')}`)))

/**
 * Whether its network had made as many new devices as it may, or this part of them, when this one was new.
 * @param row undefined for a new device
 */
async function isCrowded(
  { visit: { pace }, seen: { fingerprint, now }, database }: Context,
  { row, part = 1 }: { row?: Pick<InstallationRow, 'firstSeenAt'>; part?: number } = {},
): Promise<boolean> {
  const network = networkOf(fingerprint)
  const { firstSeenAt = now } = row ?? {}
  if (!pace || network === undefined || !isYoung(firstSeenAt, now)) return false
  const limit = await pace()
  const most = Math.ceil(limit.most * part)
  return isOverPace(database, { network, firstSeenAt, isStored: row !== undefined }, { ...limit, most })
}

/**
 * Whether a copied token shows tampering. A browser may lose its key and keep its cookie; then it still looks like its device.
 * Devices that look all the same must contradict the token.
 */
async function isTampering(
  named: InstallationRow | undefined,
  { deviceId }: Recognition,
  context: Context,
): Promise<boolean> {
  if (!named || uuidText(named.deviceId) === deviceId) return false
  return !context.seen.fingerprint.isIndistinguishable || (await judge(named, context)).contradicts
}

const answer = (
  by: IdentifiedBy,
  { device, installation }: { device: Uint8Array; installation: Uint8Array },
  probability: number,
): Recognition => ({
  deviceId: uuidText(device),
  installationId: uuidText(installation),
  newDevice: false,
  by,
  confidence: { score: Math.round(probability * 1000) / 1000, revision },
  tamperingByToken: false,
  changes: [],
})
