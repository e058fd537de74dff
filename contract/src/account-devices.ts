// Which devices does a user trust? Your backend lists, names, revokes and deletes them. (beside the specification)

import Type, { type Static } from 'typebox'
import { personal } from './admin/personal.ts'
import { closed, time } from './schema-parts.ts'
import { DevicePlatform } from './sdk.ts'

export const UserId = Type.String({ minLength: 1, maxLength: 256, description: 'Your id of the user' })
const DeviceId = Type.String({
  pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
  description: 'deviceId of a report, or of this list',
})

export const TrustedDevice = Type.Object(
  {
    deviceId: Type.String({ description: 'Stable id of the device' }),
    name: Type.Optional(personal('text', Type.String({ description: 'The name that you gave it' }))),
    trusted: Type.Boolean({ description: 'False after it was revoked, or after a bad label with this userId' }),
    platform: DevicePlatform,
    browser: Type.Optional(Type.String()),
    os: Type.Optional(Type.String({ description: 'Operating system of a browser' })),
    model: Type.Optional(Type.String({ description: 'Model of a phone' })),
    firstSeenAt: time('The first session that was confirmed for the user'),
    lastSeenAt: time('The last one, to ten minutes'),
    revokedAt: Type.Optional(time('When it was revoked')),
  },
  { $id: 'TrustedDevice', ...closed, description: 'A device of a user; unknown fields are omitted' },
)
export type TrustedDevice = Static<typeof TrustedDevice>

export const AccountDevicesRequest = Type.Object({ userId: UserId }, { $id: 'AccountDevicesRequest' })
export type AccountDevicesRequest = Static<typeof AccountDevicesRequest>

export const AccountDevices = Type.Object(
  { devices: Type.Array(TrustedDevice, { description: 'Last seen first, at most 64' }) },
  { $id: 'AccountDevices', ...closed, description: 'The devices of a user' },
)
export type AccountDevices = Static<typeof AccountDevices>

export const UpdateAccountDeviceRequest = Type.Object(
  {
    userId: UserId,
    deviceId: DeviceId,
    name: Type.Optional(
      Type.String({ maxLength: 64, description: 'Name to show to the user; an empty text removes it' }),
    ),
    trusted: Type.Optional(
      Type.Literal(false, {
        description: 'Revokes the device: it is unknown to the account until a later session is confirmed',
      }),
    ),
  },
  { $id: 'UpdateAccountDeviceRequest' },
)
export type UpdateAccountDeviceRequest = Static<typeof UpdateAccountDeviceRequest>

export const DeleteAccountDevicesRequest = Type.Object(
  {
    userId: UserId,
    deviceId: Type.Optional({ ...DeviceId, description: 'One device; without it, all devices of the user' }),
  },
  { $id: 'DeleteAccountDevicesRequest' },
)
export type DeleteAccountDevicesRequest = Static<typeof DeleteAccountDevicesRequest>

export const DeletedAccountDevices = Type.Object(
  { deleted: Type.Integer({ description: 'Number of deleted devices; 0 when there were none' }) },
  { $id: 'DeletedAccountDevices', ...closed, description: 'The devices are deleted' },
)
export type DeletedAccountDevices = Static<typeof DeletedAccountDevices>
