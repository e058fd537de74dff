// Which events does a user have who is linked to your id? Part of the table in ../events/events.ts.

import Type from 'typebox'
import { closed } from '../schema-parts.ts'

const text = (description: string) => Type.String({ description })
const userId = text('Your id of the user')
const personId = text('Id that we minted for the user who signed in')
const identity = Type.Object(
  {
    type: Type.Enum(['MOBILE', 'EMAIL', 'SUBJECT']),
    value: text('Phone number in digits, email address, or issuer and account at an identity provider'),
  },
  { ...closed, description: 'A verified identity' },
)
const examplePersonId = '6a1f0c1e-3b52-4d0a-9c0e-2f6d8b7a5e41'

export const userEvents = {
  'user.linked': {
    when: 'A user who signed in here was linked to your id: by your backend, a decision, or an imported identity',
    data: Type.Object(
      {
        userId,
        personId,
        by: Type.Enum(['BACKEND', 'DECISION', 'IMPORT']),
        decisionId: Type.Optional(text('The decision')),
      },
      closed,
    ),
    example: { userId: 'u-1001', personId: examplePersonId, by: 'BACKEND' },
  },
  'user.unlinked': {
    when: 'Your backend took a sign-in, or one identity, from a user',
    data: Type.Object({ userId, personId, identity: Type.Optional(identity) }, closed),
    example: { userId: 'u-1001', personId: examplePersonId },
  },
  'user.merged': {
    when: 'Your backend merged two users, or gave a user another id',
    data: Type.Object(
      {
        userId: text('The user who has everything now'),
        mergedUserId: text('The user whose identities, trusted devices and habits moved'),
        persons: Type.Integer({ description: 'How many users who signed in here moved' }),
        devices: Type.Integer({ description: 'How many devices moved' }),
      },
      closed,
    ),
    example: { userId: 'u-1001', mergedUserId: 'u-2002', persons: 1, devices: 2 },
  },
  'user.identity.added': {
    when: 'A user who was signed in proved another identity and added it',
    data: Type.Object(
      {
        userId: text('Your id of the user, or the minted one'),
        personId: Type.Optional(text('Id that we minted for the user who signed in; where it is not userId')),
        identities: Type.Array(identity),
        signInId: text('Identifies the sign-in that proved it'),
        appId: text('The app'),
      },
      closed,
    ),
    example: {
      userId: 'u-1001',
      personId: examplePersonId,
      identities: [{ type: 'EMAIL', value: 'ada@shop.example' }],
      signInId: 'c1f0b7a3e7d94f0e8f5a2b6c9d3e4f10',
      appId: 'rfa_3kTq0a',
    },
  },
} as const
