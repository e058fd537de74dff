// What is stored about a device of an account? Which session confirmed it, what it is, and the name that its user gave it.

import { hash } from 'node:crypto'
import type { TrustedDevice } from '@ringfence/contract'
import type { TenantKeys } from '../../core/crypto/keyring.ts'
import { withoutUnknown } from '../../core/json/without-unknown.ts'
import { uuidText } from '../../core/storage/uuid.ts'
import type { Analysis } from '../../device/analysis/analyse.ts'
import { type AccountDevice, type ConfirmedInstallation, installationsIn } from '../../device/store/account-devices.ts'

export const confirmationOf = ({ requestId }: Pick<Analysis, 'requestId'>): Uint8Array =>
  hash('sha256', requestId, 'buffer').subarray(0, 8)

/** That a decision about the session proved it. */
export const decisionOf = ({ requestId }: Pick<Analysis, 'requestId'>): Uint8Array =>
  hash('sha256', `decision ${requestId}`, 'buffer').subarray(0, 8)

/** Whether the session proved the key of its installation. */
export const isByKey = ({ identification }: Pick<Analysis, 'identification'>): boolean => identification?.by === 'key'

/** A confirmation of a revoked device. What the account knew of its keys stays: whoever has copied ids could wait until it is revoked. */
export const trustedAgain = (revoked: AccountDevice, confirmed: ConfirmedInstallation): ConfirmedInstallation => ({
  ...confirmed,
  knowsKey: confirmed.knowsKey || installationsIn(revoked).some(({ knowsKey }) => knowsKey),
})

export const isConfirmedBy = ({ confirmedBy }: ConfirmedInstallation, confirmation: Uint8Array): boolean =>
  Buffer.compare(confirmedBy, confirmation) === 0

/** Whether an installation was confirmed before a session, and by another one: so a report says the same each time it is read. */
export const isConfirmedBefore = (
  installation: ConfirmedInstallation,
  analysis: Pick<Analysis, 'requestId' | 'evidence'>,
): boolean =>
  installation.confirmedAt <= analysis.evidence.now &&
  ![confirmationOf(analysis), decisionOf(analysis)].some((own) => isConfirmedBy(installation, own))

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
