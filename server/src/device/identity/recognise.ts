// Which device is this? By its token, else by similarity to known devices, else a new one.

import { randomUUID } from 'node:crypto'
import type { WebFacts } from '@ringfence/contract'
import type { Platform } from '../../platform.ts'
import {
  claimDevice,
  type DeviceRecord,
  deleteDeviceKeys,
  dropDeviceClaims,
  findDevice,
  insertDevice,
  insertDeviceKeys,
  updateDevice,
} from '../../storage/devices.ts'
import { isUuid, uuidBytes, uuidText } from '../../storage/uuid.ts'
import { claimKey, keysOfDevice, mostDevicesOfAKey } from './blocking-keys.ts'
import { traitsOf } from './components.ts'
import { confidenceByToken, confidenceOf, confidenceOfIndistinguishable } from './confidence.ts'
import { contradicts, excludes } from './decide.ts'
import {
  changesBetween,
  type Fingerprint,
  fingerprintOf,
  type KnownFingerprint,
  packed,
  saltOf,
  unpacked,
  updated,
} from './fingerprint.ts'
import type { IdentifiedBy } from './identification.ts'
import { revision } from './score.ts'
import { findSimilar } from './similarity.ts'

/** One visit of a device. */
export interface Visit {
  readonly tenantId: string
  readonly facts: WebFacts
  /** IP address of the connection. */
  readonly address: string | undefined
  /** The device id in a first-party token. The caller has verified its signature. */
  readonly tokenDeviceId: string | undefined
  /** The SDK's installation id. Used only to separate concurrent first visits of two iPhones. */
  readonly installation?: string
}

export interface Recognition {
  /** A random UUID, the same at every recognised visit. */
  readonly deviceId: string
  readonly newDevice: boolean
  readonly by: IdentifiedBy
  /** `score`: the probability that `deviceId` is right, 0 to 1; `revision` names the weights. */
  readonly confidence: { readonly score: number; readonly revision: string }
  /** The token names a device that this cannot be; it was ignored. */
  readonly tamperingByToken: boolean
  /** Components that changed since the last visit (components.ts); none for a new device. */
  readonly changes: readonly string[]
}

type Services = Pick<Platform, 'clock' | 'database' | 'tenantKeyring'>

/** Concurrent visits share a claim for this time, which is longer than any request. */
const claimMs = 30_000
/** An unchanged device is not written more often than this. */
const rewriteMs = 600_000

/**
 * Recognises the device of a visit or makes a new one, and stores its fingerprint. Of concurrent first visits, also in several
 * processes, one makes the device and the others get its id.
 */
export async function recognise(visit: Visit, services: Services): Promise<Recognition> {
  const { tenantId, facts, address, tokenDeviceId } = visit
  const salt = saltOf(await services.tenantKeyring.keysOf(tenantId))
  const now = services.clock.now()
  const fingerprint = fingerprintOf(traitsOf(facts, address), salt)
  const context = { tenantId, salt, now, ...services }

  const token = bytesOf(tokenDeviceId)
  const record = token && (await findDevice(services.database, tenantId, token))
  const named = record && opened(record)
  if (token && !named) {
    // The signature is valid, so we issued this id: the device was never stored, or it was deleted.
    const newDevice = await storeDevice(token, fingerprint, context)
    return { ...answer('token', { id: token }, [], confidenceByToken), newDevice }
  }
  const tamperingByToken = named !== undefined && contradicts(named.fingerprint, fingerprint)
  if (named && !tamperingByToken) {
    return answer('token', named, await storeChanges(named, fingerprint, context), confidenceByToken)
  }

  // The owner of a foreign token is never a candidate for similarity: an attacker who copied the token may have copied the facts.
  const isForeign = (id: Uint8Array) => named !== undefined && sameId(id, named.id)
  const { device, candidates, logOdds } = await findSimilar(fingerprint, context, isForeign)
  if (device) {
    const changes = await storeChanges(device, fingerprint, context)
    return {
      ...answer('similarity', device, changes, confidenceOf(fingerprint, 'known', logOdds)),
      tamperingByToken,
    }
  }
  const { id, isOurs } = await makeDevice(
    fingerprint,
    visit.installation,
    named ? [...candidates, named] : candidates,
    context,
  )
  const probability = fingerprint.isIndistinguishable
    ? confidenceOfIndistinguishable
    : confidenceOf(fingerprint, 'new', logOdds)
  return { ...answer('none', { id }, [], probability), newDevice: isOurs, tamperingByToken }
}

/** Deletes expired claims; maintenance calls it about every minute. */
export function dropStaleClaims({ clock, database }: Pick<Platform, 'clock' | 'database'>): Promise<number> {
  return dropDeviceClaims(database, clock.now() - 2 * claimMs)
}

interface Context extends Services {
  readonly tenantId: string
  readonly salt: string
  readonly now: number
}

type Known = Pick<DeviceRecord, 'id' | 'lastSeenAt'> & { readonly fingerprint: KnownFingerprint }

const opened = (record: DeviceRecord): Known => ({ ...record, fingerprint: unpacked(record.fingerprint) })

/** The 16 bytes of a device id; undefined when it is malformed. */
const bytesOf = (deviceId: string | undefined) =>
  deviceId !== undefined && isUuid(deviceId) ? uuidBytes(deviceId) : undefined

const textOf = (id: Uint8Array) => uuidText(Buffer.from(id).toString('hex'))

function answer(
  by: IdentifiedBy,
  { id }: { id: Uint8Array },
  changes: readonly string[],
  probability: number,
): Recognition {
  return {
    deviceId: textOf(id),
    newDevice: false,
    by,
    confidence: { score: Math.round(probability * 1000) / 1000, revision },
    tamperingByToken: false,
    changes,
  }
}

/** Stores the changes of a known device, and from time to time when it was last seen. @returns the changed components */
async function storeChanges(
  known: Known,
  visit: Fingerprint,
  { database, tenantId, salt, now }: Context,
): Promise<string[]> {
  const changes = changesBetween(known.fingerprint, visit)
  const after = updated(known.fingerprint, visit)
  const before = packed(known.fingerprint)
  const bytes = packed(after)
  const isChanged = Buffer.compare(before, bytes) !== 0
  if (!isChanged && now < known.lastSeenAt + rewriteMs) return changes
  const [oldKeys, newKeys] = isChanged
    ? [keysOfDevice(known.fingerprint, salt), keysOfDevice(after, salt)]
    : [new Set<number>(), new Set<number>()]
  await Promise.all([
    updateDevice(database, tenantId, { id: known.id, fingerprint: bytes, lastSeenAt: Math.max(now, known.lastSeenAt) }),
    insertDeviceKeys(database, known.id, [...newKeys.difference(oldKeys)], mostDevicesOfAKey),
    deleteDeviceKeys(database, known.id, [...oldKeys.difference(newKeys)]),
  ])
  return changes
}

/** A new device, or the device of a concurrent visit with the same claim. */
async function makeDevice(
  visit: Fingerprint,
  installation: string | undefined,
  judged: readonly { readonly id: Uint8Array }[],
  context: Context,
): Promise<{ id: Uint8Array; isOurs: boolean }> {
  const { database, tenantId, salt, now } = context
  const made = uuidBytes(randomUUID())
  const key = claimKey(visit, installation, salt)
  let id: Uint8Array = made
  if (key !== undefined) {
    const holder = await claimDevice(database, { key, id: made, now, staleBefore: now - claimMs })
    // A candidate was already judged to be another device.
    if (!judged.some((candidate) => sameId(candidate.id, holder))) {
      const record = sameId(holder, made) ? undefined : await findDevice(database, tenantId, holder)
      if (!record || !excludes(unpacked(record.fingerprint), visit)) id = holder
    }
  }
  // The loser of the claim writes the same device: the winner may have crashed before its write.
  await storeDevice(id, visit, context)
  return { id, isOurs: sameId(id, made) }
}

/** @returns whether the device was not stored before */
async function storeDevice(
  id: Uint8Array,
  visit: Fingerprint,
  { database, tenantId, salt, now }: Context,
): Promise<boolean> {
  const known: KnownFingerprint = { ...visit, previous: new Map() }
  const [isNew] = await Promise.all([
    insertDevice(database, tenantId, { id, fingerprint: packed(known), firstSeenAt: now, lastSeenAt: now }),
    insertDeviceKeys(database, id, [...keysOfDevice(known, salt)], mostDevicesOfAKey),
  ])
  return isNew
}

const sameId = (a: Uint8Array, b: Uint8Array) => Buffer.compare(a, b) === 0
