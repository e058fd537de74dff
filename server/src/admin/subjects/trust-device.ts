// /admin/v1/users/devices/trust: a person trusts a device of a user again.

import type { AdminTrustDeviceRequest, TrustedDevice } from '@ringfence/contract'
import { trustAccountDevice } from '../../accounts/devices/trusted-devices.ts'
import { Refusal } from '../../core/errors.ts'
import { currentDeviceId } from '../../device/store/device-aliases.ts'
import type { ActorCall } from '../call.ts'
import type { AdminNeeds } from '../room.ts'
import { readVisits } from './read-visits.ts'

/** How many visits are looked through for one whose content is stored. */
const mostRead = 20

/** Refuses with `accountDeviceUnknown`. */
export async function adminTrustUserDevice(
  { userId, deviceId: named }: AdminTrustDeviceRequest,
  { actor: { tenantId } }: ActorCall,
  needs: AdminNeeds,
): Promise<TrustedDevice> {
  const deviceId = await currentDeviceId(needs.database, tenantId, named)
  const visits = await readVisits({ tenantId, deviceId }, { limit: mostRead }, needs)
  const newest = visits.find(({ content }) => content)?.content
  if (!newest) throw new Refusal('accountDeviceUnknown')
  return trustAccountDevice({ tenantId, userId, deviceId, analysis: newest.analysis }, needs)
}
