// How does a test lead a person back to an app? A service with a real identity provider and a phone's operator, and PKCE as an SDK does it.

import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { endpoints } from '@ringfence/contract'
import type { Ending } from '../../../testing/at-end.ts'
import type { TestDatabases } from '../../../testing/databases.ts'
import { sdkClient } from '../../../testing/sdk-client.ts'
import { testBrowser } from './browser.ts'
import { startIdentityProvider } from './identity-provider.ts'
import { outboxChannels, pressButton, startSignInService } from './sign-in-service.ts'

export const appUrl = 'com.example.shop:/signed-in'
const authUrl = 'https://login.shop.example'
const callbackUrl = `${authUrl}/auth/v1/oauth/callback/google`
export const platforms = ['ANDROID', 'IOS', 'WEB'] as const

/** What an SDK makes for a start. */
export function newVerifier() {
  const codeVerifier = randomBytes(32).toString('base64url')
  return { codeVerifier, codeChallenge: createHash('sha256').update(codeVerifier).digest('base64url') }
}

export type Scene = Awaited<ReturnType<typeof scene>>

export async function scene(t: Ending, open: TestDatabases['open'], app: object = {}) {
  const { issuer, clientId, person } = await startIdentityProvider(t, [callbackUrl])
  Object.assign(person, { sub: 'asha', email: 'asha@example.com', email_verified: true })
  const google = { type: 'oidc', issuer, clientId, clientSecret: { env: 'SANDBOX_SECRET' }, method: 'GOOGLE' }
  const channels = { ...outboxChannels, google: { ...google, scopes: ['email'] } }
  const service = await startSignInService(t, await open(t), {
    channels,
    app: { redirectUrls: [appUrl], ...app },
    settings: { authUrl, messagesPerRecipientHour: 100, messagesPerRecipientDay: 100, messagesPerAddressHour: 200 },
  })
  service.clock.advance({ ms: Date.now() - service.clock.now() })
  const session = (platform: (typeof platforms)[number] = 'ANDROID') =>
    sdkClient(service, { app: service.app, platform })
  return { ...service, session }
}

/** The public URL leads to a load balancer, which a test has not. */
const atService = ({ url }: Scene, location: string) => {
  const { pathname, search } = new URL(location)
  return fetch(url + pathname + search, { redirect: 'manual' })
}

/** Signs in at the identity provider. */
export const backFromProvider = async (place: Scene, authorizationUrl: string) =>
  atService(place, (await testBrowser().follow(authorizationUrl, callbackUrl)).href)

/** Opens the latest link and presses its button. */
export const backFromLink = async (place: Scene) => {
  const link = place.link()
  return (await pressButton(new URL(link.pathname + link.search, place.url))).response
}

/** Opens the operator's URL over mobile data. */
export async function backFromOperator(place: Scene, authorizationUrl: string) {
  const operator = await fetch(authorizationUrl, { redirect: 'manual' })
  return atService(place, operator.headers.get('location')!)
}

/** What whoever reads the deep link has. */
export function arrivalOf({ headers }: Response): { transactionId: string; code: string } {
  const location = new URL(headers.get('location')!)
  const [transactionId, code] = ['transaction', 'code'].map((of) => location.searchParams.get(`ringfence_${of}`)!)
  assert.ok(location.href.startsWith(appUrl) && transactionId && code, location.href)
  return { transactionId: transactionId!, code: code! }
}

/** What a backend does with a code. */
export async function exchanged({ url, credentials }: Scene, fields: Record<string, string>) {
  const { clientId: client_id, clientSecret: client_secret } = credentials
  const body = new URLSearchParams({ client_id, client_secret, ...fields })
  const response = await fetch(url + endpoints.exchangeCode.path, { method: 'POST', body })
  return { status: response.status, body: (await response.json()) as Record<string, string> }
}
