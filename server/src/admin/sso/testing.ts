// How does a test sign in with an identity provider? A real one of oidc-provider, or one that lies as the test says.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { testBrowser } from '../../sign-in/authentication/testing/browser.ts'
import { atEnd, type Ending } from '../../testing/at-end.ts'
import type { TestService } from '../../testing/test-service.ts'
import type { TestPerson } from '../people/test-person.ts'
import type { browserOf } from '../people/testing.ts'

type Browser = ReturnType<typeof browserOf>

/** The clock of the test is that of the provider, which uses the real time. */
export const inRealTime = ({ clock }: TestService) => clock.advance({ ms: Date.now() - clock.now() })

export const callbackOf = ({ url }: Pick<TestService, 'url'>, ssoId: string) => `${url}/console/sso/callback/${ssoId}`

export const configured = {
  name: 'Shop SSO',
  clientId: 'ringfence',
  clientSecret: 'sandbox-client-secret',
  scopes: ['openid', 'profile', 'email', 'groups'],
  roles: [
    { group: 'fraud-leads', role: 'admin' },
    { group: 'fraud', role: 'analyst' },
  ],
}

/** Configures the provider, whatever was there. @returns ssoId */
export async function configure(owner: Pick<TestPerson, 'call'>, issuer: string, others: object = {}): Promise<string> {
  const { status, body } = await owner.call('saveSso', { ...configured, issuer, ...others }, { 'if-match': '*' })
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body.connection.ssoId
}

/** What the browser brings back from the pages of the provider. */
export async function comeBack(authorizationUrl: string, callbackUrl: string): Promise<Record<string, string>> {
  const { pathname, searchParams } = await testBrowser().follow(authorizationUrl, callbackUrl)
  return { ssoId: pathname.split('/').at(-1)!, ...Object.fromEntries(searchParams) }
}

/** A whole sign-in. */
export async function signInWith(browser: Browser, ssoId: string, service: TestService) {
  const { authorizationUrl } = (await browser.call('startSso', { ssoId })).body
  return browser.call('finishSso', await comeBack(authorizationUrl, callbackOf(service, ssoId)))
}

export interface ScriptedProvider {
  readonly issuer: string
  /** Of the next id token; `undefined` removes one that is usual. */
  claims: Record<string, unknown>
  /** Signs with a key that it publishes. */
  rotate(): Promise<void>
  /** Signs with a key that it does not publish. */
  signsWithOtherKey: boolean
  /** What the discovery document says otherwise. */
  metadata: Record<string, unknown>
  /** Which path is never answered. */
  silentAt: string | undefined
  /** Called paths. */
  readonly calls: string[]
}

/** Answers each code with an id token for `ringfence` that has these claims. */
export async function startScriptedProvider(t: Ending): Promise<ScriptedProvider> {
  let [key, other] = await Promise.all([generateKeyPair('RS256'), generateKeyPair('RS256')])
  let keyId = 1
  const server = createServer(async ({ url = '' }, response) => {
    provider.calls.push(url)
    if (url === provider.silentAt) return
    const { issuer } = provider
    const endpoint = (name: string) => `${issuer}/${name}`
    const answers: Record<string, () => Promise<object>> = {
      '/.well-known/openid-configuration': async () => ({
        issuer,
        ...{ authorization_endpoint: endpoint('auth'), token_endpoint: endpoint('token'), jwks_uri: endpoint('jwks') },
        authorization_response_iss_parameter_supported: true,
        ...provider.metadata,
      }),
      '/jwks': async () => ({
        keys: [{ ...(await exportJWK(key.publicKey)), kid: `k${keyId}`, alg: 'RS256', use: 'sig' }],
      }),
      '/token': async () => ({ access_token: 'a', token_type: 'Bearer', id_token: await idToken(issuer) }),
    }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify((await answers[url]?.()) ?? {}))
  })
  const idToken = (issuer: string) => {
    const now = Math.floor(Date.now() / 1000)
    const usual = { iss: issuer, aud: 'ringfence', sub: 'asha', iat: now, exp: now + 300, name: 'Asha' }
    const { privateKey } = provider.signsWithOtherKey ? other : key
    return new SignJWT({ ...usual, ...provider.claims })
      .setProtectedHeader({ alg: 'RS256', kid: `k${keyId}` })
      .sign(privateKey)
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  atEnd(t, async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const provider: ScriptedProvider = {
    issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    claims: {},
    async rotate() {
      ;[key, other] = [await generateKeyPair('RS256'), key]
      keyId++
    },
    signsWithOtherKey: false,
    metadata: {},
    silentAt: undefined,
    calls: [],
  }
  return provider
}

/** Begins and finishes with a code of the scripted provider. `edit`: what the browser brings back. */
export async function finishWith(
  browser: Browser,
  ssoId: string,
  provider: ScriptedProvider,
  edit: (fields: Record<string, string>) => Record<string, string> = (fields) => fields,
) {
  const started = (await browser.call('startSso', { ssoId })).body
  const { state = '', nonce } = Object.fromEntries(new URL(started.authorizationUrl).searchParams)
  provider.claims = { nonce, ...provider.claims }
  const answer = await browser.call('finishSso', edit({ ssoId, state, code: 'a-code', iss: provider.issuer }))
  delete provider.claims.nonce
  return answer
}
