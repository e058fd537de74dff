// How does a person or a phone bring us the answer of an authorization server? OAuth's authorization code, with PKCE.
//
// RFC 6749, 4.1; RFC 7636; RFC 9207; OpenID Connect Core 1.0, 3.1. All sign-ins use this: of the console, of end users, and of phones.

import { hash } from 'node:crypto'
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type ClientAuth,
  Configuration,
  clockSkew,
  customFetch,
  enableNonRepudiationChecks,
  getJwksCache,
  randomNonce,
  randomPKCECodeVerifier,
  type ServerMetadata,
  setJwksCache,
  skipStateCheck,
} from 'openid-client'
import type { Clock } from '../../core/clock.ts'
import type { Fetch } from './provider-http.ts'

/** Who we are at one authorization server. */
export interface OAuthClient {
  readonly clientId: string
  readonly authentication: ClientAuth
  /** `aud` of a client assertion; default: the issuer. */
  readonly audience?: string | undefined
  /** `required`: an id token must be sent, and its claims are checked. `signed`: its signature too. `ignored`: nobody reads it. */
  readonly idToken: 'none' | 'ignored' | 'required' | 'signed'
  /** False only for a server that refuses a code challenge. */
  readonly pkce?: boolean
}

/** The endpoints of an authorization server. Its issuer is not known of every one. */
export type AuthorizationServer = { readonly [Name in 'authorization_endpoint' | 'token_endpoint']: string } & {
  readonly issuer?: string | undefined
  readonly [member: string]: ServerMetadata[string]
}

/** What it redirected with. */
export interface AuthorizationAnswer {
  readonly state?: string | undefined
  readonly code?: string | undefined
  readonly error?: string | undefined
  /** RFC 9207: which server redirected. */
  readonly iss?: string | undefined
}

/** Another server answered than the one that was asked, so the code is sent nowhere. The message has nothing of the answer. */
export class AnswerRefused extends Error {
  override name = 'AnswerRefused'
}

interface Secrets {
  readonly server: string
  readonly nonce?: string
  readonly codeVerifier?: string
}

/** Where to send the person. `secrets` belong to this URL, and must not leave the server. */
export function beginCodeFlow(
  client: OAuthClient,
  server: AuthorizationServer,
  {
    redirectUri,
    state,
    parameters,
  }: {
    readonly redirectUri: string
    readonly state: string
    readonly parameters: Readonly<Record<string, string>>
  },
): { readonly url: string; readonly secrets: string } {
  const codeVerifier = client.pkce === false ? undefined : randomPKCECodeVerifier()
  const nonce = client.idToken === 'none' ? undefined : randomNonce()
  const url = buildAuthorizationUrl(configured(new Configuration(metadataOf(server), client.clientId)), {
    ...parameters,
    redirect_uri: redirectUri,
    state,
    ...(nonce !== undefined && { nonce }),
    ...(codeVerifier !== undefined && {
      code_challenge: hash('sha256', codeVerifier, 'base64url'),
      code_challenge_method: 'S256',
    }),
  })
  const secrets: Secrets = {
    server: identityOf(client, server),
    ...(nonce !== undefined && { nonce }),
    ...(codeVerifier !== undefined && { codeVerifier }),
  }
  return { url: url.href, secrets: JSON.stringify(secrets) }
}

interface Calling {
  readonly fetch: Fetch
  readonly clock: Clock
  /** Keys of the server that an earlier call has read. */
  readonly keys?: ReturnType<typeof getJwksCache>
}

/**
 * Exchanges the code, once. The answer came back to the redirect URI of its attempt (callback-url.ts). `state`: left out by a caller that
 * has only its hash, and compared it. Throws `AnswerRefused` before anything is sent, and the errors of openid-client.
 */
export async function finishCodeFlow(
  client: OAuthClient,
  server: AuthorizationServer,
  answer: AuthorizationAnswer,
  begun: { readonly secrets: string; readonly redirectUri: string; readonly state?: string },
  { fetch, clock, keys }: Calling,
) {
  const { server: begunAt, nonce, codeVerifier } = JSON.parse(begun.secrets) as Secrets
  if (begunAt !== identityOf(client, server))
    throw new AnswerRefused('the configuration of the authorization server changed during the sign-in')
  refuseOtherIssuer(answer, server)
  const { audience, authentication } = client
  const authenticate: ClientAuth = (as, registered, form, headers) => {
    // openid-client would take the redirect URI from the URL, without its query.
    form.set('redirect_uri', begun.redirectUri)
    return authentication({ ...as, issuer: audience ?? as.issuer }, registered, form, headers)
  }
  const skewSeconds = Math.round((clock.now() - Date.now()) / 1000)
  const settings = { [clockSkew]: skewSeconds }
  const config = configured(new Configuration(metadataOf(server), client.clientId, settings, authenticate))
  config[customFetch] = fetch
  if (client.idToken === 'signed') enableNonRepudiationChecks(config)
  if (keys) setJwksCache(config, keys)
  const tokens = await authorizationCodeGrant(config, urlWith(answer, server), {
    expectedState: begun.state ?? skipStateCheck,
    ...(codeVerifier !== undefined && { pkceCodeVerifier: codeVerifier }),
    ...(nonce !== undefined && client.idToken !== 'ignored' && { expectedNonce: nonce, idTokenExpected: true }),
  })
  return { config, tokens, keys: getJwksCache(config) }
}

/**
 * Mix-up (RFC 9207, 2.4; RFC 9700, 4.4): the code of another server must not be sent to this one. Of a server whose issuer is not known,
 * the issuer has the origin that the code is sent to.
 */
function refuseOtherIssuer({ iss }: AuthorizationAnswer, { issuer, token_endpoint }: AuthorizationServer): void {
  if (iss === undefined) return
  const isExpected = issuer === undefined ? URL.parse(iss)?.origin === new URL(token_endpoint).origin : iss === issuer
  if (!isExpected)
    throw new AnswerRefused(
      issuer === undefined
        ? 'the iss of the answer is not of the origin of the token endpoint; configure issuer if it is right'
        : 'another issuer redirected',
    )
}

/** openid-client refuses a missing `iss` where the metadata promises it. */
function urlWith({ state, code, error, iss }: AuthorizationAnswer, { issuer }: AuthorizationServer): URL {
  const url = new URL('https://callback.invalid/')
  for (const [name, value] of Object.entries({ state, code, error, iss: issuer === undefined ? undefined : iss }))
    if (value !== undefined) url.searchParams.set(name, value)
  return url
}

/** Whoever named the URLs was refused plain HTTP where it is not allowed. */
function configured(config: Configuration): Configuration {
  const { authorization_endpoint, token_endpoint } = config.serverMetadata()
  if ([authorization_endpoint, token_endpoint].some((url) => url!.startsWith('http:'))) allowInsecureRequests(config)
  return config
}

const metadataOf = (server: AuthorizationServer): ServerMetadata =>
  ({ ...server, issuer: server.issuer ?? server.token_endpoint }) as ServerMetadata

/** Where the code may go. A server that names another token endpoint meanwhile gets no code of before. */
const identityOf = ({ clientId }: OAuthClient, { issuer, token_endpoint }: AuthorizationServer): string =>
  hash('sha256', JSON.stringify([clientId, issuer ?? null, token_endpoint]), 'base64url')

/** Its parameters, each sent once (RFC 6749, 3.1). One that is repeated, or longer than any server writes, is left out. */
export function answerOf(query: URLSearchParams): AuthorizationAnswer {
  const only = (name: string, longest: number) => {
    const [value, ...others] = query.getAll(name)
    return others.length > 0 || (value?.length ?? 0) > longest ? undefined : value
  }
  return {
    state: only('state', 4096),
    code: only('code', 4096),
    error: only('error', 256),
    // No issuer is empty, so one that cannot be read is another one.
    iss: query.has('iss') ? (only('iss', 2048) ?? '') : undefined,
  }
}
