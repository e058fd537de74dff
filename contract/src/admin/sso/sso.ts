// How do people sign in to the console with the identity provider of their company? OpenID Connect, configured for a tenant.

import Type, { type Static } from 'typebox'
import { closed } from '../../schema-parts.ts'
import { Me } from '../session.ts'

const printable = '^[^\\u0000-\\u001f\\u007f-\\u009f]*$'

/** Where a tenant's sign-in URL leads, below BASE_URL. */
export const ssoPath = '/console/sso'

/** With the id of the connection behind it: where its identity provider returns people to. */
export const ssoCallbackPath = `${ssoPath}/callback`

const Name = Type.String({
  minLength: 1,
  maxLength: 60,
  pattern: printable,
  description: 'Shown on the sign-in page: "Continue with NAME"',
})
const Issuer = Type.String({
  minLength: 10,
  maxLength: 500,
  pattern: '^https?://[^\\s?#@]+$',
  description:
    'The issuer, as `/.well-known/openid-configuration` below it has it: `https://login.example/realms/shop`. It must be reachable over https at a public IP address, unless the operator of the server allows others',
})
const ClientId = Type.String({
  minLength: 1,
  maxLength: 300,
  pattern: printable,
  description: 'The client id that the identity provider gave you',
})
const Scopes = Type.Array(Type.String({ pattern: '^[\\x21\\x23-\\x5B\\x5D-\\x7E]{1,100}$' }), {
  maxItems: 20,
  description: 'Scopes to request; `openid` is always among them. Default: `openid`, `profile` and `email`',
})
const GroupsClaim = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: printable,
  description:
    'The claim with the groups of a person: a list of texts, or one text. `realm_access.roles` is the claim `roles` within `realm_access`. Default: `groups`',
})
const RoleOfGroup = Type.Object(
  {
    group: Type.String({ minLength: 1, maxLength: 300, pattern: printable, description: 'A value of the claim' }),
    role: Type.String({
      pattern: '^[a-z][a-z0-9-]{0,31}$',
      description: 'A role of the tenant, but not owner: owners sign in without an identity provider',
    }),
  },
  closed,
)
const Roles = Type.Array(RoleOfGroup, {
  maxItems: 200,
  description: 'The first group of this list that a person has gives the role. Somebody with none of them is refused',
})
const MakesPeople = Type.Boolean({
  description: 'Whether a first sign-in makes the person. Else only those get in who have signed in before',
})
const Passwords = Type.Enum(['allowed', 'ownersOnly'], {
  description:
    'Who may still use the tenant with a password or passkey. `ownersOnly`: owners, so that somebody gets in when the identity provider fails',
})
const IsListed = Type.Boolean({
  description: 'Whether the sign-in page offers it to everybody. Else people open the sign-in URL',
})
const IsEnabled = Type.Boolean({ description: 'Whether people can sign in with it' })

export const SingleSignOn = Type.Object(
  {
    version: Type.Integer({ description: 'For If-Match; 0 while nothing is configured' }),
    callbackUrl: Type.String({ description: 'The redirect URI to register at the identity provider' }),
    connection: Type.Optional(
      Type.Object(
        {
          ssoId: Type.String(),
          signInUrl: Type.String({ description: 'Opens the identity provider at once' }),
          name: Name,
          issuer: Issuer,
          clientId: ClientId,
          hasSecret: Type.Boolean({ description: 'Whether a client secret is stored; it is never returned' }),
          scopes: Scopes,
          groupsClaim: GroupsClaim,
          roles: Roles,
          makesPeople: MakesPeople,
          passwords: Passwords,
          isListed: IsListed,
          isEnabled: IsEnabled,
        },
        { ...closed, description: 'Absent while nothing is configured' },
      ),
    ),
  },
  { $id: 'SingleSignOn', ...closed, description: 'How people of the tenant sign in with their identity provider' },
)
export type SingleSignOn = Static<typeof SingleSignOn>

export const SaveSsoRequest = Type.Object(
  {
    name: Name,
    issuer: Issuer,
    clientId: ClientId,
    clientSecret: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 500,
        pattern: '^[\\x20-\\x7E]+$',
        description:
          'Stored sealed. Left out, the stored one stays, unless issuer or client id change. Without any, the client is a public one with PKCE',
      }),
    ),
    scopes: Type.Optional(Scopes),
    groupsClaim: Type.Optional(GroupsClaim),
    roles: Roles,
    makesPeople: Type.Optional(MakesPeople),
    passwords: Type.Optional(Passwords),
    isListed: Type.Optional(IsListed),
    isEnabled: Type.Optional(IsEnabled),
  },
  { $id: 'SaveSsoRequest' },
)
export type SaveSsoRequest = Static<typeof SaveSsoRequest>

export const RemovedSso = Type.Object(
  { removed: Type.Boolean({ description: 'False when nothing was configured' }) },
  { $id: 'RemovedSso', ...closed, description: 'Nobody signs in with the identity provider any more' },
)
export type RemovedSso = Static<typeof RemovedSso>

export const TestSsoRequest = Type.Object({ issuer: Issuer }, { $id: 'TestSsoRequest' })
export type TestSsoRequest = Static<typeof TestSsoRequest>

export const SsoTest = Type.Object(
  {
    isReady: Type.Boolean({ description: 'Whether a sign-in can work' }),
    findings: Type.Array(
      Type.Object({ isOk: Type.Boolean(), text: Type.String({ description: 'What was found' }) }, closed),
    ),
  },
  { $id: 'SsoTest', ...closed, description: 'What the identity provider says about itself' },
)
export type SsoTest = Static<typeof SsoTest>

export const SsoConnections = Type.Object(
  {
    connections: Type.Array(Type.Object({ ssoId: Type.String(), name: Name }, closed), {
      description: 'Those that their tenants show to everybody; at most 20',
    }),
  },
  { $id: 'SsoConnections', ...closed, description: 'Identity providers that the sign-in page offers' },
)
export type SsoConnections = Static<typeof SsoConnections>

export const StartSsoRequest = Type.Object(
  {
    ssoId: Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$', description: 'ssoId of a connection' }),
    returnTo: Type.Optional(
      Type.String({
        maxLength: 500,
        pattern: '^/console(/[A-Za-z0-9._~-]+)*(\\?[A-Za-z0-9._~%&=+-]*)?$',
        description: 'The page of the console to open afterwards. Default: `/console`',
      }),
    ),
    loopback: Type.Optional(
      Type.Enum(['localhost', 'ipv4', 'ipv6'], {
        description:
          'Under which name of this machine the browser has the console open, on a service at a loopback address: `localhost`, `127.0.0.1` or `[::1]`. The callback page leads back there, where the cookie is',
      }),
    ),
  },
  { $id: 'StartSsoRequest' },
)
export type StartSsoRequest = Static<typeof StartSsoRequest>

export const StartedSso = Type.Object(
  { authorizationUrl: Type.String({ description: 'Send the browser there within ten minutes' }) },
  { $id: 'StartedSso', ...closed, description: 'A sign-in that this browser has begun' },
)
export type StartedSso = Static<typeof StartedSso>

const Parameter = (description: string, maxLength = 4000) =>
  Type.Optional(Type.String({ maxLength, pattern: '^[\\x20-\\x7E]*$', description }))

export const FinishSsoRequest = Type.Object(
  {
    ssoId: Type.String({
      pattern: '^[A-Za-z0-9_-]{1,64}$',
      description: 'The last part of the path that the identity provider returned to',
    }),
    state: Type.String({ pattern: '^[A-Za-z0-9_-]{1,128}$', description: '`state` of the URL' }),
    code: Parameter('`code` of the URL'),
    iss: Parameter('`iss` of the URL (RFC 9207)', 500),
    error: Parameter('`error` of the URL', 200),
  },
  { $id: 'FinishSsoRequest' },
)
export type FinishSsoRequest = Static<typeof FinishSsoRequest>

export const FinishedSso = Type.Object(
  { returnTo: Type.String({ description: 'The page of the console to open' }), me: Me },
  { $id: 'FinishedSso', ...closed, description: 'The person is signed in' },
)
export type FinishedSso = Static<typeof FinishedSso>
