// How does a test play a CAMARA client whose person has a phone? openid-client begins, the sandbox phone follows redirects, and it exchanges.

import { randomUUID } from 'node:crypto'
import * as oidc from 'openid-client'
import { appSettings } from '../../apps/app-settings.ts'
import type { Database } from '../../core/storage/database.ts'
import type { Ending } from '../../testing/at-end.ts'
import type { TestService, TestServiceOptions } from '../../testing/test-service.ts'
import { frontService } from './apis.ts'

export const redirectUri = 'https://bank.example/camara/callback'
export const ofVerify = 'openid dpv:FraudPreventionAndDetection number-verification:verify'
export const ofShare = 'openid dpv:FraudPreventionAndDetection number-verification:device-phone-number:read'

/** A service whose clock shows the real time, which OAuth libraries use, with an app that lists the redirect URL. */
export async function phoneService(
  t: Ending,
  database: Database,
  options: TestServiceOptions = {},
): Promise<TestService> {
  const service = await frontService(t, database, options)
  service.clock.advance({ ms: Date.now() - service.clock.now() })
  await listRedirectUrl(service, {})
  return service
}

export const listRedirectUrl = (
  { parts: needs, tenantId }: Pick<TestService, 'parts' | 'tenantId'>,
  settings: object,
) =>
  needs.apps.create(tenantId, {
    ...{ name: `bank ${randomUUID()}`, origins: [], bundleIds: [], packageNames: [] },
    settings: appSettings({ redirectUrls: [redirectUri], ...settings }),
  })

type Client = Pick<TestService['credentials'], 'clientId' | 'clientSecret'>

export const discovered = (
  { url, credentials }: Pick<TestService, 'url' | 'credentials'>,
  client: Client = credentials,
) =>
  oidc.discovery(
    new URL(`${url}/camara`),
    client.clientId,
    { client_secret: client.clientSecret, id_token_signed_response_alg: 'RS256' },
    undefined,
    { execute: [oidc.allowInsecureRequests, oidc.enableNonRepudiationChecks] },
  )

export interface Begun {
  readonly url: URL
  readonly checks: { pkceCodeVerifier: string; expectedState: string; expectedNonce: string }
}

/** The URL for the phone, and what the client keeps. */
export async function begin(
  config: oidc.Configuration,
  phoneNumber: string,
  scope = ofVerify,
  changes: Record<string, string> = {},
): Promise<Begun> {
  const checks = {
    pkceCodeVerifier: oidc.randomPKCECodeVerifier(),
    expectedState: oidc.randomState(),
    expectedNonce: oidc.randomNonce(),
  }
  const url = oidc.buildAuthorizationUrl(config, {
    ...{ redirect_uri: redirectUri, scope, prompt: 'none', login_hint: `tel:+${phoneNumber}` },
    ...{ state: checks.expectedState, nonce: checks.expectedNonce },
    code_challenge: await oidc.calculatePKCECodeChallenge(checks.pkceCodeVerifier),
    code_challenge_method: 'S256',
    ...changes,
  })
  return { url, checks }
}

/** One redirect. */
export async function redirectOf(url: URL): Promise<URL> {
  const response = await fetch(url, { redirect: 'manual' })
  const location = response.headers.get('location')
  if (location === null) throw new Error(`${response.status} ${await response.text()}`)
  return new URL(location)
}

/** The phone goes from us to its operator, back to us, and to the client. @returns the URL at which the client gets it back */
export async function openAsPhone({ url }: Pick<Begun, 'url'>): Promise<URL> {
  let at = url
  for (let hops = 0; hops < 5 && at.origin !== new URL(redirectUri).origin; hops++) at = await redirectOf(at)
  return at
}

export async function tokenOf(
  service: Pick<TestService, 'url' | 'credentials'>,
  phoneNumber: string,
  scope = ofVerify,
): Promise<string> {
  const config = await discovered(service)
  const begun = await begin(config, phoneNumber, scope)
  return (await oidc.authorizationCodeGrant(config, await openAsPhone(begun), begun.checks)).access_token
}

export async function call(url: string, token: string, body?: object, headers: Record<string, string> = {}) {
  const response = await fetch(
    `${url}/number-verification/v2/${body === undefined ? 'device-phone-number' : 'verify'}`,
    {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    },
  )
  // biome-ignore lint/suspicious/noExplicitAny: a test reads the fields that it expects
  return { status: response.status, headers: response.headers, body: (await response.json()) as any }
}
