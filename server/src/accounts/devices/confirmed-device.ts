// What is stored about a device of an account? Its confirmed installations, what it is, and the name that its user gave it.

import { hash } from 'node:crypto'
import type { TrustedDevice } from '@ringfence/contract'
import type { TenantKeys } from '../../core/crypto/keyring.ts'
import { withoutUnknown } from '../../core/json/without-unknown.ts'
import { uuidBytes, uuidText } from '../../core/storage/uuid.ts'
import type { Analysis } from '../../device/analysis/analyse.ts'
import type { AccountDevice } from '../../device/store/account-devices.ts'

export interface ConfirmedInstallation {
  readonly id: string
  /** Epoch milliseconds. */
  readonly confirmedAt: number
  /** 8 bytes of the session that was confirmed first. */
  readonly confirmedBy: Uint8Array
}

export const confirmationOf = ({ requestId }: Pick<Analysis, 'requestId'>): Uint8Array =>
  hash('sha256', requestId, 'buffer').subarray(0, 8)

/** That a decision about the session proved it. */
export const decisionOf = ({ requestId }: Pick<Analysis, 'requestId'>): Uint8Array =>
  hash('sha256', `decision ${requestId}`, 'buffer').subarray(0, 8)

export const isConfirmedBy = ({ confirmedBy }: ConfirmedInstallation, confirmation: Uint8Array): boolean =>
  Buffer.compare(confirmedBy, confirmation) === 0

/** Whether an installation was confirmed before a session, and by another one: so a report says the same each time it is read. */
export const isConfirmedBefore = (
  installation: ConfirmedInstallation,
  analysis: Pick<Analysis, 'requestId' | 'evidence'>,
): boolean =>
  installation.confirmedAt <= analysis.evidence.now &&
  ![confirmationOf(analysis), decisionOf(analysis)].some((own) => isConfirmedBy(installation, own))

/** A browser whose storage is cleared at each visit makes new ones; the newest are stored. */
const mostInstallations = 8
const idBytes = 16
const timeBytes = 6
const entryBytes = idBytes + timeBytes + 8

/** For each installation, newest first: id, time, session. */
export function packedInstallations(installations: readonly ConfirmedInstallation[]): Uint8Array {
  return Buffer.concat(
    installations.slice(0, mostInstallations).map(({ id, confirmedAt, confirmedBy }) => {
      const bytes = Buffer.alloc(entryBytes)
      uuidBytes(id).copy(bytes)
      bytes.set(confirmedBy, idBytes + timeBytes)
      bytes.writeUIntBE(Math.max(0, confirmedAt), idBytes, timeBytes)
      return bytes
    }),
  )
}

export function installationsIn({ installations }: Pick<AccountDevice, 'installations'>): ConfirmedInstallation[] {
  const bytes = Buffer.from(installations)
  return Array.from({ length: bytes.length / entryBytes }, (_, index) => {
    const from = index * entryBytes
    return {
      id: uuidText(bytes.subarray(from, from + idBytes)),
      confirmedAt: bytes.readUIntBE(from + idBytes, timeBytes),
      confirmedBy: bytes.subarray(from + idBytes + timeBytes, from + entryBytes),
    }
  })
}

/** What people recognise a device by. */
export type Description = Pick<TrustedDevice, 'platform' | 'browser' | 'os' | 'model' | 'name'>

export function descriptionOf({ platform, deviceInfo, deviceMeta }: Analysis): Description {
  const { browserName: browser, os } = deviceInfo.browserInfo ?? {}
  return { platform, ...withoutUnknown({ browser, os, model: deviceMeta.model }) }
}

export const deviceIdOf = ({ deviceId }: Pick<AccountDevice, 'deviceId'>): string => uuidText(deviceId)

/** The place of a row, so that a moved row cannot be opened. */
export const contextOf = (tenantId: string, accountHash: Uint8Array, deviceId: string) =>
  `account device ${tenantId} ${Buffer.from(accountHash).toString('hex')} ${deviceId}`

export const sealDescription = (
  description: Description,
  place: { tenantId: string; accountHash: Uint8Array; deviceId: string },
  keys: TenantKeys,
): Uint8Array => keys.seal(JSON.stringify(description), contextOf(place.tenantId, place.accountHash, place.deviceId))

export const openDescription = (
  { sealed, ...device }: AccountDevice,
  place: { tenantId: string; accountHash: Uint8Array },
  keys: TenantKeys,
): Description => JSON.parse(keys.open(sealed, contextOf(place.tenantId, place.accountHash, deviceIdOf(device))))
