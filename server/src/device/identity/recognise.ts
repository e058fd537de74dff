// Which device is this? By its token first, else by likeness to known devices; one that is neither is new.

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
import { confidenceByToken, confidenceOf, confidenceOfUniform } from './confidence.ts'
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
import { revision } from './score.ts'
import { likenessOf } from './similarity.ts'

/** One visit of a device. */
export interface Visit {
  readonly tenantId: string
  readonly facts: WebFacts
  /** Of the person's connection. */
  readonly address: string | undefined
  /** What a first-party token of this tenant names; the caller has verified its signature. */
  readonly tokenDeviceId: string | undefined
  /** What the SDK calls its installation. Used only to tell first visits of one iPhone at the same moment from those of two. */
  readonly installation?: string
}

export interface Recognition {
  /** A UUID, random; the same at every visit that is recognised. */
  readonly deviceId: string
  readonly newDevice: boolean
  /** `score`: the probability that `deviceId` is right, 0 to 1; `revision` names the weights. */
  readonly confidence: { readonly score: number; readonly revision: string }
  /** The token names a device that this cannot be; it was passed over. */
  readonly tamperingByToken: boolean
  /** Components that were told otherwise the time before (components.ts), none for a new device. */
  readonly changes: readonly string[]
}

type Services = Pick<Platform, 'clock' | 'database' | 'tenantKeyring'>

/** Visits of one moment that a claim joins; longer than any request takes. */
const claimMs = 30_000
/** A device that has not changed is not written more often than this. */
const writtenAgainMs = 600_000

/**
 * Recognises the device of a visit, or makes one, and remembers what it showed. Of several first visits at the same moment, in
 * whatever processes, one makes the device and the others get its id.
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
    // Signed by us, so it was given to this device: before it was known, or it has been forgotten since.
    const newDevice = await keepDevice(token, fingerprint, context)
    return { ...answer({ id: token }, [], confidenceByToken), newDevice }
  }
  const tamperingByToken = named !== undefined && contradicts(named.fingerprint, fingerprint)
  if (named && !tamperingByToken) {
    return answer(named, await remember(named, fingerprint, context), confidenceByToken)
  }

  // A device whose token was borrowed is not recognised by likeness either: whoever copied the one may have copied the other.
  const isBorrowed = (id: Uint8Array) => named !== undefined && sameId(id, named.id)
  const { device, candidates, logOdds } = await likenessOf(fingerprint, context, isBorrowed)
  if (device) {
    const changes = await remember(device, fingerprint, context)
    return { ...answer(device, changes, confidenceOf(fingerprint.family, 'known', logOdds)), tamperingByToken }
  }
  const { id, isOurs } = await makeDevice(
    fingerprint,
    visit.installation,
    named ? [...candidates, named] : candidates,
    context,
  )
  const sureness = fingerprint.isIndistinguishable
    ? confidenceOfUniform
    : confidenceOf(fingerprint.family, 'new', logOdds)
  return { ...answer({ id }, [], sureness), newDevice: isOurs, tamperingByToken }
}

/** Drops claims that no visit can meet any more; to be done every minute or so. */
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

/** The 16 bytes of a device id, or undefined for what is none. */
const bytesOf = (deviceId: string | undefined) =>
  deviceId !== undefined && isUuid(deviceId) ? uuidBytes(deviceId) : undefined

const textOf = (id: Uint8Array) => uuidText(Buffer.from(id).toString('hex'))

function answer({ id }: { id: Uint8Array }, changes: readonly string[], probability: number): Recognition {
  return {
    deviceId: textOf(id),
    newDevice: false,
    confidence: { score: Math.round(probability * 1000) / 1000, revision },
    tamperingByToken: false,
    changes,
  }
}

/** Writes what is new of a known device, and nothing where nothing is; answers which components were told otherwise. */
async function remember(
  known: Known,
  visit: Fingerprint,
  { database, tenantId, salt, now }: Context,
): Promise<string[]> {
  const changes = changesBetween(known.fingerprint, visit)
  const after = updated(known.fingerprint, visit)
  const before = packed(known.fingerprint)
  const bytes = packed(after)
  const isChanged = Buffer.compare(before, bytes) !== 0
  if (!isChanged && now < known.lastSeenAt + writtenAgainMs) return changes
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

/** A new device, or that of a visit at this moment with which a claim is shared. */
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
    // One that was a candidate has been judged to be another.
    if (!judged.some((candidate) => sameId(candidate.id, holder))) {
      const record = sameId(holder, made) ? undefined : await findDevice(database, tenantId, holder)
      if (!record || !excludes(unpacked(record.fingerprint), visit)) id = holder
    }
  }
  // Whoever lost the claim writes the same again: the one who has it may have died in between.
  await keepDevice(id, visit, context)
  return { id, isOurs: sameId(id, made) }
}

/** Whether the device was not kept yet. */
async function keepDevice(
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
