// How is the identity provider of a tenant called? OpenID Connect with PKCE; only at public addresses, within limits of time and size.

import {
  allowInsecureRequests,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  customFetch,
  discovery,
  fetchUserInfo,
  None,
} from 'openid-client'
import { nat64Prefixes } from '../../core/address/nat64-prefixes.ts'
import type { Clock } from '../../core/clock.ts'
import type { Settings } from '../../core/config/settings.ts'
import { Refusal } from '../../core/errors.ts'
import { ExpiringMap } from '../../core/expiring-map.ts'
import { RateLimit, type RateLimitResources } from '../../core/servers/rate-limit.ts'
import { guardedLookup, readTarget, resolveLocally, resolver, TargetRefused } from '../../events/webhooks/target.ts'
import { providerFailure } from '../../sign-in/authentication/channels/identity-providers/provider-failure.ts'
import {
  type AuthorizationAnswer,
  type AuthorizationServer,
  beginCodeFlow,
  finishCodeFlow,
  type OAuthClient,
} from '../../upstream/oauth/code-flow.ts'
import { type Fetch, type ProviderHttp, providerHttp } from '../../upstream/oauth/provider-http.ts'
import type { SsoConnection } from './connection.ts'

export type Claims = Readonly<Record<string, unknown>>

/** What binds the answer of the provider to the browser that began. */
export interface BegunSso {
  readonly state: string
  readonly secrets: string
  readonly redirectUri: string
}

export type Finding = { readonly isOk: boolean; readonly text: string }

/** All methods refuse with `ssoFailed`. */
export interface SsoProviders {
  /** Where the person signs in. */
  begin(
    connection: SsoConnection,
    request: Pick<BegunSso, 'state' | 'redirectUri'>,
  ): Promise<{ readonly url: string; readonly secrets: string }>
  /** Claims of the id token, which is valid; and of the userinfo endpoint, when a claim that is needed is there only. */
  claims(
    connection: SsoConnection,
    begun: BegunSso,
    answer: AuthorizationAnswer,
  ): Promise<Claims & { readonly sub: string }>
  test(issuer: string): Promise<Finding[]>
  /** Whether the audit log of the tenant gets this refusal: a provider with many people must not fill it. */
  mayNote(tenantId: string): Promise<boolean>
  close(): Promise<void>
}

const limits = { timeoutMs: 4000, connectTimeoutMs: 3000 }
/** Of one call of the console: discovery, keys, token and userinfo together. */
const altogetherMs = 8000
const rereadMs = 600_000
const mostDocuments = 100
const refusedLines = { perSecond: 10 / 60, burst: 10 }
const setting = 'SSO_TARGETS'

interface Resources {
  readonly clock: Clock
  readonly requestCounts: RateLimitResources
  readonly settings: Pick<Settings, 'ssoTargets' | 'dnsServers' | 'nat64Prefixes'>
}

export function ssoProviders({ clock, requestCounts, settings }: Resources): SsoProviders {
  const { ssoTargets, dnsServers } = settings
  const nat64 = nat64Prefixes(settings)
  const noted = new RateLimit('sso-refused', refusedLines, requestCounts)
  const resolve = ssoTargets === 'any' ? resolveLocally : resolver(dnsServers)
  let opened: ProviderHttp | undefined
  /** Opened with the first sign-in: most services have no identity provider. */
  const http = () => (opened ??= providerHttp({ ...limits, lookup: guardedLookup(resolve, ssoTargets, nat64) }))
  const documents = new ExpiringMap<string, AuthorizationServer>({ clock, ttlMs: rereadMs, most: mostDocuments })

  /** Each URL is looked at, also those that the provider names itself. */
  function guarded(): Fetch {
    const fetch = http().until(AbortSignal.timeout(altogetherMs))
    return async (url, options) => {
      readTarget(url, ssoTargets, setting, nat64)
      return fetch(url, options)
    }
  }

  async function metadata(issuer: string, fetch: Fetch): Promise<AuthorizationServer> {
    const known = documents.get(issuer)
    if (known) return known
    const found = (
      await discovery(readTarget(issuer, ssoTargets, setting, nat64), 'unused', undefined, undefined, {
        [customFetch]: fetch,
        ...(ssoTargets === 'any' && { execute: [allowInsecureRequests] }),
      })
    ).serverMetadata()
    for (const name of ['authorization_endpoint', 'token_endpoint', 'jwks_uri', 'userinfo_endpoint'] as const) {
      const url = found[name]
      if (url === undefined && name !== 'userinfo_endpoint') throw new TargetRefused(`the issuer names no ${name}`)
      if (url !== undefined) readTarget(url, ssoTargets, setting, nat64)
    }
    const server = found as AuthorizationServer
    documents.set(issuer, server)
    return server
  }

  return {
    async begin(connection, { state, redirectUri }) {
      try {
        const server = await metadata(connection.issuer, guarded())
        const parameters = { scope: [...new Set(['openid', ...connection.scopes])].join(' ') }
        return beginCodeFlow(clientOf(connection, server), server, { redirectUri, state, parameters })
      } catch (error) {
        throw failed(error)
      }
    },

    async claims(connection, begun, answer) {
      const fetch = guarded()
      try {
        const server = await metadata(connection.issuer, fetch)
        const client = clientOf(connection, server)
        // Keys are read at each sign-in: the provider may have new ones, and sign-ins are rare.
        const { config, tokens } = await finishCodeFlow(client, server, answer, begun, { fetch, clock })
        const claims = { ...tokens.claims()! }
        const isComplete = claimNamed(claims, connection.groupsClaim) !== undefined && claims.name !== undefined
        if (isComplete || config.serverMetadata().userinfo_endpoint === undefined) return claims
        // What the id token says wins: it is signed.
        return { ...(await fetchUserInfo(config, tokens.access_token, claims.sub)), ...claims }
      } catch (error) {
        throw failed(error)
      }
    },

    async test(issuer) {
      const fetch = guarded()
      try {
        const found = await metadata(issuer, fetch)
        return [{ isOk: true, text: `The issuer answers as ${found.issuer}` }, ...(await findingsAbout(found, fetch))]
      } catch (error) {
        return [{ isOk: false, text: whyOf(error) }]
      }
    },

    async mayNote(tenantId) {
      try {
        await noted.take(tenantId, () => undefined)
        return true
      } catch (error) {
        if (error instanceof Refusal) return false
        throw error
      }
    },

    close: async () => opened?.close(),
  }
}

async function findingsAbout(found: AuthorizationServer, fetch: Fetch): Promise<Finding[]> {
  const { keys } = (await (await fetch(String(found.jwks_uri), {})).json()) as { keys?: unknown }
  const count = Array.isArray(keys) ? keys.length : 0
  const supports = (name: string, value: string) => {
    const values = found[name]
    return !Array.isArray(values) || values.includes(value)
  }
  return [
    { isOk: count > 0, text: `It publishes ${count} ${count === 1 ? 'key' : 'keys'}` },
    supports('response_types_supported', 'code')
      ? { isOk: true, text: 'It supports the authorization code flow' }
      : { isOk: false, text: 'It does not support the authorization code flow' },
    supports('code_challenge_methods_supported', 'S256')
      ? { isOk: true, text: 'It supports PKCE, or does not say that it lacks it' }
      : { isOk: false, text: 'It does not support PKCE with S256' },
  ]
}

const clientOf = ({ clientId, clientSecret }: SsoConnection, server: AuthorizationServer): OAuthClient => ({
  clientId,
  authentication: authenticationAt(server, clientSecret),
  idToken: 'signed',
})

/** The default of OpenID Connect, where the provider has it. */
function authenticationAt(server: AuthorizationServer, secret: string | undefined): ClientAuth {
  if (secret === undefined) return None()
  const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  return (methods as readonly unknown[]).includes('client_secret_basic')
    ? ClientSecretBasic(secret)
    : ClientSecretPost(secret)
}

/** A claim by its name, or by a path of names with dots between them. */
export function claimNamed(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name]
  let value: unknown = claims
  for (const part of name.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined
    value = (value as Claims)[part]
  }
  return value
}

const failed = (error: unknown) => new Refusal('ssoFailed', { mistake: whyOf(error) })

/** Without tokens and claims. */
function whyOf(error: unknown): string {
  for (let at = error; at instanceof Error; at = at.cause) if (at instanceof TargetRefused) return at.message
  return providerFailure(error).message
}
