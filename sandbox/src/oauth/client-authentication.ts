// Which client requests a token? client_secret_basic (RFC 6749, 2.3.1) or private_key_jwt (RFC 7523, 2.2).

import { hash, timingSafeEqual } from 'node:crypto'
import { AssertionRefused, type Assertions } from './assertion.ts'
import type { Clients, SandboxClient } from './clients.ts'
import { OAuthError } from './errors.ts'

export interface AuthenticatedClient {
  client: SandboxClient
  authentication: 'client_secret_basic' | 'private_key_jwt'
}

const jwtBearerAssertion = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

/** Throws OAuthError: invalid_client, or invalid_request when the client uses two methods at once. */
export async function authenticatedClient(
  authorization: string | undefined,
  form: URLSearchParams,
  clients: Clients,
  assertions: Assertions,
): Promise<AuthenticatedClient> {
  const assertion = form.get('client_assertion')
  if (form.has('client_secret')) {
    throw new OAuthError('invalid_client', 'client_secret_post is not supported: send the secret with HTTP Basic')
  }
  if (authorization !== undefined && assertion !== null) {
    throw new OAuthError('invalid_request', 'Use one method of client authentication: HTTP Basic or client_assertion')
  }
  const authenticated =
    assertion === null
      ? bySecret(authorization, clients)
      : await byAssertion(assertion, form.get('client_assertion_type'), assertions)
  const claimed = form.get('client_id')
  if (claimed !== null && claimed !== authenticated.client.clientId) {
    throw new OAuthError('invalid_client', 'client_id must be the client that authenticated')
  }
  return authenticated
}

function bySecret(authorization: string | undefined, clients: Clients): AuthenticatedClient {
  const encoded = /^Basic +([A-Za-z0-9+/]+={0,2})$/i.exec(authorization ?? '')?.[1]
  if (!encoded)
    throw new OAuthError('invalid_client', 'Authenticate with HTTP Basic (client id and secret) or a client_assertion')
  const [id = '', ...rest] = Buffer.from(encoded, 'base64').toString('utf8').split(':')
  const secret = rest.join(':')
  const client = clients.get(formDecoded(id)) ?? clients.get(id)
  const expected = client?.clientSecret
  if (!client || expected === undefined || !(areEqual(formDecoded(secret), expected) || areEqual(secret, expected))) {
    throw new OAuthError('invalid_client', 'Unknown client or wrong secret')
  }
  return { client, authentication: 'client_secret_basic' }
}

async function byAssertion(
  assertion: string,
  type: string | null,
  assertions: Assertions,
): Promise<AuthenticatedClient> {
  if (type !== jwtBearerAssertion) {
    throw new OAuthError('invalid_client', `client_assertion_type must be ${jwtBearerAssertion}`)
  }
  try {
    const { client, claims } = await assertions.accept(assertion)
    if (claims.sub !== client.clientId) throw new AssertionRefused('sub must be the client id, like iss')
    return { client, authentication: 'private_key_jwt' }
  } catch (refused) {
    if (refused instanceof AssertionRefused)
      throw new OAuthError('invalid_client', `client_assertion: ${refused.message}`)
    throw refused
  }
}

/** RFC 6749 form-encodes id and secret before joining them. curl and others do not, so the caller tries both. */
function formDecoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

function areEqual(one: string, other: string): boolean {
  return timingSafeEqual(hash('sha256', one, 'buffer'), hash('sha256', other, 'buffer'))
}
