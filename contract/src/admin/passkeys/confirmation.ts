// Is it still the person who signed in? Before they change how they sign in, they prove it again.

import Type, { type Static } from 'typebox'
import { closed } from '../../schema-parts.ts'
import { Code } from '../session.ts'
import { UsedCredential } from './passkeys.ts'

export const ConfirmPersonRequest = Type.Object(
  {
    password: Type.Optional(
      Type.String({ minLength: 1, maxLength: 256, description: 'The present password, with `code`' }),
    ),
    code: Type.Optional(Code),
    credential: Type.Optional(UsedCredential),
  },
  { $id: 'ConfirmPersonRequest' },
)
export type ConfirmPersonRequest = Static<typeof ConfirmPersonRequest>

export const ConfirmedPerson = Type.Object(
  { confirmedUntil: Type.String({ description: 'How long such changes need no other proof; ISO 8601 UTC' }) },
  { $id: 'ConfirmedPerson', ...closed, description: 'The session may change how the person signs in' },
)
export type ConfirmedPerson = Static<typeof ConfirmedPerson>
