// What does the console see of a user beside devices and events: numbers, identities, labels, velocities, and what is usual?

import Type, { type Static } from 'typebox'
import { UserId } from '../../account-devices.ts'
import { closed, time } from '../../schema-parts.ts'
import { ShownCount, ShownNumberLink, ShownSubjectLabel, SubjectDeviceId, SubjectState } from './subjects.ts'

export const AdminUserRequest = Type.Object({ userId: UserId }, { $id: 'AdminUserRequest' })
export type AdminUserRequest = Static<typeof AdminUserRequest>

const values = (description: string) =>
  Type.Array(
    Type.Object(
      { value: Type.String(), sessions: Type.Integer({ description: 'How many proven sessions had it' }) },
      closed,
    ),
    { description: `${description}; most frequent first` },
  )

export const ShownHabits = Type.Object(
  {
    sessions: Type.Integer({ description: 'Proven sessions that the account has learned from' }),
    firstAt: time('The first of them'),
    lastAt: time('The last of them'),
    sources: Type.Integer({ description: 'Installations, or networks without one, that showed them' }),
    isEnough: Type.Boolean({
      description: 'Whether there are enough of them for new and rare values; rules read nothing before',
    }),
    countries: values('ISO 3166-1 alpha-2'),
    networks: values('Autonomous system numbers'),
    operators: values('Operators of the phone number'),
    hours: values('Hours of the day in UTC, 0 to 23'),
    numbers: Type.Integer({ description: 'Different phone numbers; only keyed hashes of them are stored' }),
  },
  { $id: 'ShownHabits', ...closed, description: 'What is usual for an account' },
)

export const ShownUser = Type.Object(
  {
    userId: Type.String(),
    state: SubjectState,
    identities: Type.Array(
      Type.Object(
        { type: Type.String({ description: 'MOBILE, EMAIL or an identity provider’s' }), value: Type.String() },
        closed,
      ),
      { description: 'Verified by sign-ins here that are linked to this id, or have it' },
    ),
    linkedTo: Type.Optional(Type.String({ description: 'Of a minted id: your id of the user' })),
    personIds: Type.Array(Type.String(), { description: 'Minted ids of the sign-ins of this user' }),
    numbers: Type.Array(ShownNumberLink, { description: 'Of decisions and sign-ins, last seen first' }),
    labels: Type.Array(ShownSubjectLabel, { description: 'Labels that name the user, newest first, at most 50' }),
    velocities: Type.Array(ShownCount, { description: 'Those of the live rules that count per user' }),
    usual: Type.Optional(ShownHabits),
  },
  { $id: 'ShownUser', ...closed, description: 'What is known of a user; unknown fields are omitted' },
)
export type ShownUser = Static<typeof ShownUser>

export const AdminTrustDeviceRequest = Type.Object(
  { userId: UserId, deviceId: SubjectDeviceId },
  { $id: 'AdminTrustDeviceRequest' },
)
export type AdminTrustDeviceRequest = Static<typeof AdminTrustDeviceRequest>
