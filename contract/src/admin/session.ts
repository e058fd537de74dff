// Who is signed in to the console, and what may they do?

import Type, { type Static } from 'typebox'
import { closed, time } from '../schema-parts.ts'
import { permissionNames } from './permissions.ts'

const Role = Type.String({ description: 'owner, admin, analyst, support, viewer, or a role of the tenant' })
const Name = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$',
  description: 'Name to show to others',
})
export const Email = Type.String({
  minLength: 3,
  maxLength: 320,
  description: 'Email address',
})
export const Password = Type.String({
  minLength: 12,
  maxLength: 256,
  description:
    'At least 12 characters, any of them; spaces count. Not a frequent password, nor with your name or email address',
})
export const Code = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'Six digits of the authenticator app; spaces and dashes do not count',
})
const Link = Type.String({
  pattern: '^[A-Za-z0-9_]{20,80}$',
  description: 'What follows `#` in the one-time link',
})

export const Me = Type.Object(
  {
    person: Type.Optional(
      Type.Object(
        {
          personId: Type.String(),
          name: Type.String(),
          email: Type.String(),
          singleSignOn: Type.Optional(
            Type.String({ description: 'The issuer of the identity provider that the person signs in with' }),
          ),
        },
        { ...closed, description: 'Absent when a client key calls' },
      ),
    ),
    clientId: Type.Optional(Type.String({ description: 'The client key that calls' })),
    tenant: Type.Object(
      { tenantId: Type.String(), name: Type.String() },
      { ...closed, description: 'Whose data the calls read' },
    ),
    role: Role,
    permissions: Type.Array(Type.Enum([...permissionNames]), { description: 'What the role allows' }),
    tenants: Type.Array(Type.Object({ tenantId: Type.String(), name: Type.String(), role: Role }, closed), {
      description: 'All tenants of the person. To call for another one, send its id as x-ringfence-tenant',
    }),
    session: Type.Optional(
      Type.Object(
        {
          sessionId: Type.String(),
          csrfToken: Type.String({ description: 'Send it as x-ringfence-csrf with each POST' }),
          startedAt: time('When the person signed in'),
          endsAt: time('When the session ends, however active the person is'),
          idleMinutes: Type.Integer({ description: 'Without a call for so long, it ends earlier' }),
        },
        { ...closed, description: 'Absent when a client key calls' },
      ),
    ),
  },
  { $id: 'Me', ...closed, description: 'Who calls, for which tenant, and what they may do' },
)
export type Me = Static<typeof Me>

export const NoFields = Type.Object({}, { $id: 'NoFields' })
export type NoFields = Static<typeof NoFields>

export const SignInRequest = Type.Object(
  {
    email: Email,
    password: Type.String({ minLength: 1, maxLength: 256, description: 'The password' }),
    code: Type.Optional(Code),
    recoveryCode: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, description: 'In place of `code`; it works once' }),
    ),
  },
  { $id: 'SignInRequest' },
)
export type SignInRequest = Static<typeof SignInRequest>

export const OpenInvitationRequest = Type.Object({ link: Link }, { $id: 'OpenInvitationRequest' })
export type OpenInvitationRequest = Static<typeof OpenInvitationRequest>

export const Invitation = Type.Object(
  {
    tenant: Type.Object({ tenantId: Type.String(), name: Type.String() }, closed),
    role: Role,
    expiresAt: time('When the link ends'),
    person: Type.Optional(
      Type.Object(
        { name: Type.String(), email: Type.String() },
        { ...closed, description: 'Whose password and second factor the link resets; absent for a new account' },
      ),
    ),
    totp: Type.Object(
      {
        secret: Type.String({ description: 'Base32, to type into an authenticator app' }),
        uri: Type.String({ description: '`otpauth://`, to show as a QR code' }),
        setup: Type.String({ description: 'The secret, sealed: send it back as `totpSetup`' }),
      },
      { ...closed, description: 'The second factor that belongs to the password' },
    ),
  },
  { $id: 'Invitation', ...closed, description: 'What a one-time link offers' },
)
export type Invitation = Static<typeof Invitation>

export const AcceptInvitationRequest = Type.Object(
  {
    link: Link,
    name: Name,
    email: Email,
    password: Password,
    code: Code,
    totpSetup: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9_-]{1,256}$',
        description:
          '`totp.setup` of the opened link. With a code of it, the person gets a new account of the tenant; else password and code are those of an account that they have',
      }),
    ),
  },
  { $id: 'AcceptInvitationRequest' },
)
export type AcceptInvitationRequest = Static<typeof AcceptInvitationRequest>

export const AcceptedInvitation = Type.Object(
  {
    recoveryCodes: Type.Array(Type.String(), {
      description: 'Shown once. Each replaces one code of the authenticator app',
    }),
    me: Me,
  },
  { $id: 'AcceptedInvitation', ...closed, description: 'The account exists, and the person is signed in' },
)
export type AcceptedInvitation = Static<typeof AcceptedInvitation>

export const SignedOut = Type.Object(
  { signedOut: Type.Boolean({ description: 'False when nobody was signed in' }) },
  { $id: 'SignedOut', ...closed, description: 'The session has ended' },
)
export type SignedOut = Static<typeof SignedOut>

export const ConsoleSession = Type.Object(
  {
    sessionId: Type.String(),
    current: Type.Boolean({ description: 'Whether this call is made in it' }),
    startedAt: time('When the person signed in'),
    lastUsedAt: time('The last call, to a minute'),
    endsAt: time('When it ends'),
  },
  { $id: 'ConsoleSession', ...closed, description: 'A session of the person who calls' },
)
export type ConsoleSession = Static<typeof ConsoleSession>

export const ConsoleSessions = Type.Object(
  { sessions: Type.Array(ConsoleSession, { description: 'Newest first' }) },
  { $id: 'ConsoleSessions', ...closed, description: 'The live sessions of the person who calls' },
)
export type ConsoleSessions = Static<typeof ConsoleSessions>

export const EndSessionRequest = Type.Object(
  { sessionId: Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$', description: 'sessionId of a session' }) },
  { $id: 'EndSessionRequest' },
)
export type EndSessionRequest = Static<typeof EndSessionRequest>

export const EndedSession = Type.Object(
  { ended: Type.Boolean({ description: 'False when it had ended already' }) },
  { $id: 'EndedSession', ...closed, description: 'The session has ended' },
)
export type EndedSession = Static<typeof EndedSession>
