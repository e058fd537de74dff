// What is stored about one device, and how is it deleted? For investigations, and for people who ask to be forgotten.

import { forgetIn } from '../../accounts/learn.ts'
import { deviceKeyOf } from '../../accounts/session.ts'
import type { Core } from '../../core/core.ts'
import { uuidBytes, uuidText } from '../../core/storage/uuid.ts'
import { deviceHashOf } from '../../device/history/visit.ts'
import { saltOf } from '../../device/identity/fingerprint.ts'
import type { Identification } from '../../device/identity/identification.ts'
import { keysOfRows } from '../../device/identity/learn.ts'
import { accountsWithDevice } from '../../device/store/account-devices.ts'
import type { Compression } from '../../device/store/compression/compression.ts'
import { currentDeviceId } from '../../device/store/device-aliases.ts'
import { type Erased, eraseDevice } from '../../device/store/device-erasure.ts'
import { installationsOfDevice } from '../../device/store/installations.ts'
import { openRecord } from '../../device/store/record.ts'
import { visitsOfDevice } from '../../device/store/visits-of-device.ts'
import { forgetInVelocities } from '../../rules/velocities/forget.ts'

export interface RecordedInstallation {
  readonly id: string
  readonly hasKey: boolean
  /** A visit that resembled the device made it; otherwise it is the device's first. */
  readonly bySimilarity: boolean
  /** Epoch milliseconds. */
  readonly firstSeenAt: number
  readonly lastSeenAt: number
}

export interface RecordedVisit {
  readonly at: number
  readonly dfrId: string
  readonly country?: string
  /** Names of the weights that fired. */
  readonly signals: readonly string[]
  /** These three are absent when the report has expired. */
  readonly requestId?: string
  readonly installationId?: string
  readonly identification?: Identification
}

export interface DeviceRecord {
  readonly deviceId: string
  /** Those of browsers; a phone has none. */
  readonly installations: readonly RecordedInstallation[]
  /** Newest first. */
  readonly visits: readonly RecordedVisit[]
}

type Services = Pick<Core, 'database' | 'tenantKeyring'>

export interface DeviceName {
  readonly tenantId: string
  /** A UUID. */
  readonly deviceId: string
}

/** Undefined when nothing is stored about it. */
export async function recordOfDevice(
  { tenantId, deviceId: named }: DeviceName,
  mostVisits: number,
  { database, tenantKeyring, compression }: Services & { compression: Compression },
): Promise<DeviceRecord | undefined> {
  const keys = await tenantKeyring.keysOf(tenantId)
  const deviceId = await currentDeviceId(database, tenantId, named)
  const deviceHash = deviceHashOf(deviceId, keys)
  const [installations, visits] = await Promise.all([
    installationsOfDevice(database, tenantId, uuidBytes(deviceId)),
    visitsOfDevice(database, { tenantId, deviceHash }, mostVisits),
  ])
  if (installations.length + visits.length === 0) return undefined
  return {
    deviceId,
    installations: installations.map(({ id, keyHash, bySimilarity, firstSeenAt, lastSeenAt }) => ({
      id: uuidText(id),
      hasKey: keyHash !== null,
      bySimilarity: bySimilarity === 1,
      firstSeenAt,
      lastSeenAt,
    })),
    visits: visits.map(({ dfrId: id, analysedAt, country, signals, sealed }): RecordedVisit => {
      const dfrId = Buffer.from(id).toString('hex')
      const analysis = sealed && openRecord({ tenantId, dfrId, sealed }, keys, compression).analysis
      const { requestId, installationId, identification } = analysis ?? {}
      return {
        at: analysedAt,
        dfrId,
        ...(country !== null && { country }),
        signals: signals.split(' ').filter((name) => name !== ''),
        ...(requestId !== undefined && { requestId }),
        ...(installationId !== undefined && { installationId }),
        ...(identification && { identification }),
      }
    }),
  }
}

/** Deletes everything about a device, the reports of its visits, what accounts learned from it, and what velocities counted for it. It gets a new id when it returns. */
export async function forgetDevice(
  { tenantId, deviceId: named }: DeviceName,
  { database, tenantKeyring }: Services,
): Promise<Erased> {
  const keys = await tenantKeyring.keysOf(tenantId)
  const deviceId = await currentDeviceId(database, tenantId, named)
  const id = uuidBytes(deviceId)
  const deviceHash = deviceHashOf(deviceId, keys)
  // One transaction for each account: a device of a farm has thousands.
  for (const accountHash of await accountsWithDevice(database, id)) {
    const device = deviceKeyOf(deviceId, keys)
    await database.transaction((tx) => forgetIn(tx, { tenantId, accountHash }, { device }, keys))
  }
  return database.transaction(async (tx) => {
    const installations = await installationsOfDevice(tx, tenantId, id)
    const blocking = [...keysOfRows(installations, saltOf(keys))]
    const installationIds = installations.map((installation) => uuidText(installation.id))
    await forgetInVelocities(tx, { deviceId: uuidText(id), installationIds }, keys)
    return eraseDevice(tx, { tenantId, deviceId: id, deviceHash, keys: blocking })
  })
}
