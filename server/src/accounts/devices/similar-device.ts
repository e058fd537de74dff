// Which of a user's devices does a visit resemble? Compares fingerprints, as they are stored for the installations of each device.

import type { Database } from '../../core/storage/database.ts'
import { isSameId, uuidBytes } from '../../core/storage/uuid.ts'
import { type AccountMatch, type AccountRecord, matchAccount } from '../../device/identity/account-match.ts'
import { unpacked } from '../../device/identity/fingerprint.ts'
import type { AccountDevice } from '../../device/store/account-devices.ts'
import { installationsOfDevice } from '../../device/store/installations.ts'

interface ComparedRecord extends AccountRecord {
  readonly device: AccountDevice
}

/** The visit that is compared; its device is stored already. */
export interface ComparedVisit {
  readonly tenantId: string
  readonly deviceId: string
  readonly installationId: string
  readonly visitedAt: number
}

/** Nothing when there is nothing to compare: a phone app, a visit that showed too little, a user without devices. */
export async function mostSimilar(
  { tenantId, deviceId, installationId, visitedAt }: ComparedVisit,
  devices: readonly AccountDevice[],
  database: Database,
): Promise<AccountMatch<ComparedRecord>> {
  const [ofVisit, ...ofDevices] = await Promise.all(
    [uuidBytes(deviceId), ...devices.map((device) => device.deviceId)].map((id) =>
      installationsOfDevice(database, tenantId, id),
    ),
  )
  const own = ofVisit!.find(({ id }) => isSameId(id, uuidBytes(installationId)))
  // An installation without a fingerprint equals another one of its device. One that is not stored may equal none.
  const visit = own && (own.fingerprint ?? ofVisit!.find(({ fingerprint }) => fingerprint !== null)?.fingerprint)
  if (!visit) return { probability: 0 }
  const records = devices.flatMap((device, index) =>
    ofDevices[index]!.flatMap(({ id, fingerprint, lastSeenAt }) =>
      fingerprint && !isSameId(id, uuidBytes(installationId))
        ? [{ device, fingerprint: unpacked(fingerprint), lastSeenAt }]
        : [],
    ),
  )
  return matchAccount(unpacked(visit), records, visitedAt)
}
