// Which grant gives which token? Client credentials (two-legged), JWT bearer, CIBA and authorization codes (three-legged).

import type { FastifyRequest } from 'fastify'
import { logNumber } from '../call-log.ts'
import type { Network } from '../network.ts'
import { isValidNumber } from '../phone-number.ts'
import type { AccessToken } from './access-tokens.ts'
import { AssertionRefused } from './assertion.ts'
import type { AuthorizationCode } from './authorization-codes.ts'
import type { Backchannel } from './backchannel.ts'
import { authenticatedClient } from './client-authentication.ts'
import type { SandboxClient } from './clients.ts'
import { OAuthError } from './errors.ts'
import { type GrantedScope, grantedScope } from './scopes.ts'

export interface TokenRequest {
  readonly request: FastifyRequest
  readonly form: URLSearchParams
  readonly network: Network
  readonly requests: Backchannel
}

interface Granted {
  readonly clientId: string
  readonly scope: GrantedScope
  readonly number?: string
  /** Its id token comes with the access token. */
  readonly code?: AuthorizationCode
}

interface Grant {
  readonly name: AccessToken['grant']
  /** Of the token. CAMARA requires short-lived ones where a subscriber is named. */
  readonly lifetimeSeconds: number
  of(asked: TokenRequest): Promise<Granted>
}

export const jwtBearerGrant = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
export const cibaGrant = 'urn:openid:params:grant-type:ciba'

export const grants: ReadonlyMap<string, Grant> = new Map([
  ['client_credentials', { name: 'client_credentials', lifetimeSeconds: 3_600, of: clientCredentials }],
  [jwtBearerGrant, { name: 'jwt-bearer', lifetimeSeconds: 300, of: jwtBearer }],
  [cibaGrant, { name: 'ciba', lifetimeSeconds: 300, of: ciba }],
  ['authorization_code', { name: 'authorization_code', lifetimeSeconds: 300, of: authorizationCode }],
])

/** The client that authenticated. */
export async function clientOf({ request, form, network }: TokenRequest): Promise<SandboxClient> {
  const { authorization } = request.headers
  const { client, authentication } = await authenticatedClient(authorization, form, network.clients, network.assertions)
  const call = network.calls.of(request)
  if (call) Object.assign(call, { client: client.clientId, authentication })
  return client
}

/** Of `tel:+` and a valid number. */
export function numberIn(subject: string | null | undefined): string | undefined {
  const number = /^tel:\+([0-9]+)$/.exec(subject ?? '')?.[1]
  return number && isValidNumber(number) ? number : undefined
}

async function clientCredentials(asked: TokenRequest): Promise<Granted> {
  const client = await clientOf(asked)
  return { clientId: client.clientId, scope: grantedScope(asked.form.get('scope') ?? '', client) }
}

/** OpenID Connect CIBA Core 1.0, section 10.1. */
async function ciba(asked: TokenRequest): Promise<Granted> {
  const { clientId } = await clientOf(asked)
  return asked.requests.poll(asked.form.get('auth_req_id') ?? '', clientId)
}

/** RFC 6749, 4.1.3, and OpenID Connect Core 1.0, 3.1.3. */
async function authorizationCode(asked: TokenRequest): Promise<Granted> {
  const { form, network } = asked
  const { clientId } = await clientOf(asked)
  const code = network.authorizationCodes.exchange(form.get('code') ?? '', {
    clientId,
    redirectUri: form.get('redirect_uri') ?? '',
    verifier: form.get('code_verifier') ?? undefined,
  })
  return { clientId, scope: code.scope, number: code.number, code }
}

/** RFC 7523, 2.1, with the limits of CAMARA's profile: the assertion is both the grant and the client authentication. */
async function jwtBearer({ request, form, network }: TokenRequest): Promise<Granted> {
  if (form.has('scope')) throw new OAuthError('invalid_request', 'Put the scope into the assertion')
  const { client, claims } = await network.assertions.accept(form.get('assertion') ?? '').catch((refused: unknown) => {
    if (refused instanceof AssertionRefused) throw new OAuthError('invalid_grant', `assertion: ${refused.message}`)
    throw refused
  })
  const { clientId } = client
  const call = network.calls.of(request)
  if (call) Object.assign(call, { client: clientId, authentication: 'jwt-bearer' })
  if (claims.iat === undefined) throw new OAuthError('invalid_grant', 'assertion: iat is missing')
  const number = numberIn(claims.sub)
  if (!number) throw new OAuthError('invalid_grant', 'assertion: sub must be tel:+ and a valid phone number')
  // Before the scope is checked: a refused one is in the log with its number.
  logNumber(call, number)
  return { clientId, number, scope: grantedScope(typeof claims.scope === 'string' ? claims.scope : '', client) }
}
