// POST /client/v1/accounts/devices/…: a backend lists, names, revokes and deletes the devices of a user.

import type {
  AccountDevices,
  AccountDevicesRequest,
  DeleteAccountDevicesRequest,
  DeletedAccountDevices,
  EventData,
  TrustedDevice,
  UpdateAccountDeviceRequest,
} from '@ringfence/contract'
import type { Call } from '../../clients/call.ts'
import type { Core } from '../../core/core.ts'
import type { TenantKeys } from '../../core/crypto/keyring.ts'
import { Refusal } from '../../core/errors.ts'
import type { NewEvent } from '../../core/event-recorder.ts'
import { uuidBytes } from '../../core/storage/uuid.ts'
import type { Analysis } from '../../device/analysis/analyse.ts'
import { historySince } from '../../device/history/retention.ts'
import { accountHashOf } from '../../device/history/visit.ts'
import {
  type AccountDevice,
  deleteAccountDevices,
  devicesOfAccount,
  findAccountDevice,
  packedInstallations,
  putAccountDevice,
} from '../../device/store/account-devices.ts'
import { deleteKnowledge } from '../../device/store/account-knowledge.ts'
import { currentDeviceId } from '../../device/store/device-aliases.ts'
import { writeEvents } from '../../events/events.ts'
import { forgetIn, withdrawIn } from '../learn.ts'
import { effectiveUserIdOf } from '../person.ts'
import type { AccountsNeeds } from '../room.ts'
import { deviceKeyOf } from '../session.ts'
import {
  confirmationOf,
  deviceIdOf,
  isByKey,
  openDescription,
  sealDescription,
  trustedAgain,
} from './confirmed-device.ts'

export async function listAccountDevices(
  { userId: named }: AccountDevicesRequest,
  { caller: { tenantId } }: Call,
  { database, tenantKeyring, clock, settings }: AccountsNeeds,
): Promise<AccountDevices> {
  const keys = await tenantKeyring.keysOf(tenantId)
  const userId = await effectiveUserIdOf(tenantId, named, { database, tenantKeyring })
  const account = { tenantId, accountHash: accountHashOf(userId, keys) }
  const since = historySince(clock.now(), settings)
  const devices = await devicesOfAccount(database, account.accountHash, since)
  return { devices: devices.map((device) => shown(device, account, keys)) }
}

/** Refuses with `accountDeviceUnknown`. A device that was revoked already keeps its time. */
export async function updateAccountDevice(
  { userId: asNamed, deviceId: idAsNamed, name, trusted }: UpdateAccountDeviceRequest,
  { caller: { tenantId } }: Call,
  { database, tenantKeyring, clock, events }: AccountsNeeds,
): Promise<TrustedDevice> {
  const keys = await tenantKeyring.keysOf(tenantId)
  const record = await events.recorder(tenantId)
  const userId = await effectiveUserIdOf(tenantId, asNamed, { database, tenantKeyring })
  const deviceId = await currentDeviceId(database, tenantId, idAsNamed)
  const account = { tenantId, accountHash: accountHashOf(userId, keys) }
  const now = clock.now()
  return database.transaction(async (tx) => {
    const stored = await findAccountDevice(tx, account.accountHash, uuidBytes(deviceId))
    if (!stored) throw new Refusal('accountDeviceUnknown')
    const { name: before, ...description } = openDescription(stored, account, keys)
    const named = name ?? before
    const isRevoked = trusted === false && stored.revokedAt === null
    const device = {
      ...stored,
      ...(isRevoked && { revokedAt: now }),
      sealed: sealDescription({ ...description, ...(named && { name: named }) }, { ...account, deviceId }, keys),
    }
    await putAccountDevice(tx, account.accountHash, device)
    if (trusted === false) await withdrawIn(tx, account, { device: deviceKeyOf(deviceId, keys) }, keys, now)
    const happened = [
      ...(named !== before ? [deviceChange(userId, 'named', 1, deviceId)] : []),
      ...(isRevoked ? [deviceChange(userId, 'revoked', 1, deviceId)] : []),
    ]
    await writeEvents(tx, record(happened))
    return shown(device, account, keys)
  })
}

/**
 * Deletes what is stored about the devices of a user, and what the account learned from them: without a `deviceId`, everything. What is
 * stored about each device stays.
 */
export async function deleteDevicesOfAccount(
  { userId: named, deviceId: idAsNamed }: DeleteAccountDevicesRequest,
  { caller: { tenantId } }: Call,
  { database, tenantKeyring, events }: AccountsNeeds,
): Promise<DeletedAccountDevices> {
  const keys = await tenantKeyring.keysOf(tenantId)
  const record = await events.recorder(tenantId)
  const userId = await effectiveUserIdOf(tenantId, named, { database, tenantKeyring })
  const deviceId = idAsNamed && (await currentDeviceId(database, tenantId, idAsNamed))
  const accountHash = accountHashOf(userId, keys)
  const deleted = await database.transaction(async (tx) => {
    if (deviceId === undefined) await deleteKnowledge(tx, accountHash)
    else await forgetIn(tx, { tenantId, accountHash }, { device: deviceKeyOf(deviceId, keys) }, keys)
    const count = await deleteAccountDevices(tx, accountHash, deviceId === undefined ? undefined : uuidBytes(deviceId))
    if (count > 0) await writeEvents(tx, record([deviceChange(userId, 'deleted', count, deviceId)]))
    return count
  })
  return { deleted }
}

/** A device, and a visit of it whose installation is trusted. */
export interface DeviceToTrust {
  readonly tenantId: string
  readonly userId: string
  readonly deviceId: string
  readonly analysis: Analysis
}

/**
 * Trusts a device of an account again, by the decision of a person: its installation of this visit counts as confirmed now. What it
 * taught before stays withdrawn. Refuses with `accountDeviceUnknown`. A device that is trusted already stays as it is.
 */
export async function trustAccountDevice(
  { tenantId, userId, deviceId, analysis }: DeviceToTrust,
  { database, tenantKeyring, clock, events }: Pick<Core, 'database' | 'tenantKeyring' | 'clock' | 'events'>,
): Promise<TrustedDevice> {
  const keys = await tenantKeyring.keysOf(tenantId)
  const record = await events.recorder(tenantId)
  const account = { tenantId, accountHash: accountHashOf(userId, keys) }
  return database.transaction(async (tx) => {
    const stored = await findAccountDevice(tx, account.accountHash, uuidBytes(deviceId))
    if (!stored) throw new Refusal('accountDeviceUnknown')
    if (stored.revokedAt === null) return shown(stored, account, keys)
    const id = analysis.installationId ?? deviceId
    const confirmedBy = confirmationOf(analysis)
    const confirmed = { id, confirmedAt: clock.now(), confirmedBy, knowsKey: isByKey(analysis) }
    const installations = packedInstallations([trustedAgain(stored, confirmed)])
    const device = { ...stored, revokedAt: null, installations }
    await putAccountDevice(tx, account.accountHash, device)
    await writeEvents(tx, record([deviceChange(userId, 'trusted', 1, deviceId)]))
    return shown(device, account, keys)
  })
}

/** Changes of the devices of a user are in order. */
function deviceChange(
  userId: string,
  change: EventData<'account.device.changed'>['change'],
  devices: number,
  deviceId?: string,
): NewEvent {
  return {
    type: 'account.device.changed',
    data: { userId, change, deviceId, devices },
    orderedBy: `account ${userId}`,
    subjects: { userId, deviceId },
    outcome: change,
  }
}

function shown(
  device: AccountDevice,
  account: { tenantId: string; accountHash: Uint8Array },
  keys: TenantKeys,
): TrustedDevice {
  const { firstSeenAt, lastSeenAt, revokedAt } = device
  const { name, ...description } = openDescription(device, account, keys)
  return {
    deviceId: deviceIdOf(device),
    ...(name !== undefined && { name }),
    trusted: revokedAt === null,
    ...description,
    firstSeenAt: new Date(firstSeenAt).toISOString(),
    lastSeenAt: new Date(lastSeenAt).toISOString(),
    ...(revokedAt !== null && { revokedAt: new Date(revokedAt).toISOString() }),
  }
}
