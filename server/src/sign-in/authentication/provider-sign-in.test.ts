import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeJwt } from 'jose'
import { appSettings } from '../../apps/app-settings.ts'
import type { Ending } from '../../testing/at-end.ts'
import { eachDatabase, sqliteDatabases, type TestDatabases } from '../../testing/databases.ts'
import { createApp, type SdkClient, sdkClient } from '../../testing/sdk-client.ts'
import { startTestService, type TestAnswer, type TestService } from '../../testing/test-service.ts'
import { testBrowser } from './testing/browser.ts'
import { type IdentityProvider, startIdentityProvider } from './testing/identity-provider.ts'
import { codeChallenge, codeVerifier } from './testing/sign-in-service.ts'

/** The public URL, behind a load balancer. */
const authUrl = 'https://login.shop.example'
const redirectUrl = 'https://shop.example/signed-in?cart=7'
const callbackUrl = `${authUrl}/auth/v1/oauth/callback`

interface Scene {
  service: TestService
  provider: IdentityProvider
  sdk: SdkClient
  start(body?: object): Promise<TestAnswer>
  verify(transactionId: string, code: string | null): Promise<TestAnswer>
  /** Follows the provider's pages to our callback, and returns where that redirects to. */
  comeBack(authorizationUrl: string, edit?: (back: URL) => URL): Promise<URL>
  /** Opens only the callback. */
  openCallback(back: URL): Promise<Response>
  exchange(fields: Record<string, string>): Promise<TestAnswer>
}

async function scene(t: Ending, open: TestDatabases['open']): Promise<Scene> {
  const provider = await startIdentityProvider(t, [`${callbackUrl}/google`, `${callbackUrl}/truecaller`])
  provider.person = { sub: 'asha', email: 'Asha@example.com', email_verified: true, name: 'Asha Rao' }
  const { issuer, clientId } = provider
  const authoritativeFor = { emailDomains: ['example.com'], phonePrefixes: ['91'] }
  const google = {
    type: 'oidc',
    issuer,
    clientId,
    clientSecret: { env: 'SANDBOX_SECRET' },
    timeoutMs: 30_000,
    authoritativeFor,
  }
  const service = await startTestService(t, await open(t), {
    settings: { authUrl },
    edit: (parts) => ({
      ...parts,
      channels: {
        google: { ...google, method: 'GOOGLE', scopes: ['email', 'profile'] } as { type: string },
        truecaller: { ...google, method: 'TRUECALLER', scopes: ['phone'] } as { type: string },
      },
    }),
  })
  // The provider uses the real time.
  service.clock.advance({ ms: Date.now() - service.clock.now() })
  const sdk = await sdkClient(service)
  const openCallback = (back: URL) => testBrowser().open(service.url + back.pathname + back.search)
  return {
    service,
    provider,
    sdk,
    openCallback,
    start: (body = {}) =>
      sdk.post('/sdk/v1/auth/start', { channel: 'OAUTH', method: 'GOOGLE', redirectUrl, codeChallenge, ...body }),
    verify: (transactionId, code) => sdk.post('/sdk/v1/auth/verify', { transactionId, code, codeVerifier }),
    async comeBack(authorizationUrl, edit = (back) => back) {
      const response = await openCallback(edit(await testBrowser().follow(authorizationUrl, callbackUrl)))
      assert.equal(response.status, 303, await response.text())
      assert.equal(response.headers.get('cache-control'), 'no-store')
      assert.equal(response.headers.get('referrer-policy'), 'no-referrer')
      return new URL(response.headers.get('location')!)
    },
    async exchange(fields) {
      const { clientId: client_id, clientSecret: client_secret } = service.credentials
      const body = new URLSearchParams({ client_id, client_secret, code_verifier: codeVerifier, ...fields })
      const answer = await fetch(`${service.url}/auth/v1/oauth/token`, { method: 'POST', body })
      return { status: answer.status, headers: answer.headers, body: await answer.json() }
    },
  }
}

const codeOf = (back: URL) => back.searchParams.get('ringfence_code')
const errorOf = (back: URL) => back.searchParams.get('ringfence_error')

eachDatabase(({ engine, open }) => {
  test(`a person signs in with an identity provider: EMAIL/OAUTH/[GOOGLE], once for each code (${engine})`, async (t) => {
    const { service, start, comeBack, verify } = await scene(t, open)
    const { status, body } = await start()
    assert.equal(status, 200, JSON.stringify(body))
    const back = await comeBack(body.authorizationUrl)
    assert.equal(back.origin + back.pathname, 'https://shop.example/signed-in')
    assert.deepEqual([back.searchParams.get('cart'), errorOf(back)], ['7', null])
    assert.equal(back.searchParams.get('ringfence_transaction'), body.transactionId)

    const signedIn = await verify(body.transactionId, codeOf(back))
    assert.equal(signedIn.status, 200, JSON.stringify(signedIn.body))
    const [identity] = signedIn.body.identities
    const { identityType, identityValue, channel, methods, verified } = identity
    assert.deepEqual([identityType, channel, methods, verified], ['EMAIL', 'OAUTH', ['GOOGLE'], true])
    assert.equal(identityValue, 'asha@example.com')
    const claims = decodeJwt(signedIn.body.idToken)
    assert.deepEqual([claims.iss, claims.sub, claims.name], [authUrl, signedIn.body.userId, 'Asha Rao'])
    assert.equal((await verify(body.transactionId, codeOf(back))).status, 400)

    const info = await service.post('/auth/userInfo', { token: signedIn.body.token })
    assert.deepEqual([info.body.name, info.body.email], ['Asha Rao', 'asha@example.com'])
  })

  test(`starts at an identity provider use up the storage budget of the IP address (${engine})`, async (t) => {
    const { service, sdk, start } = await scene(t, open)
    assert.equal((await start()).status, 200)
    for (const bytes of [1_000_000, 10_000, 10]) {
      const statement = { sql: '', params: [new Uint8Array(bytes)] }
      const take = () => service.parts.apps.storageBudget.take(sdk.app.id, '127.0.0.1', [statement])
      assert.throws(
        () => {
          for (;;) take()
        },
        { failure: 'storageSpent' },
      )
    }
    const { status, body } = await start()
    assert.deepEqual([status, body.errorCode], [429, '70430'])
  })

  test(`a verified phone_number is MOBILE/OAUTH/[TRUECALLER], the same user every time (${engine})`, async (t) => {
    const { start, comeBack, verify, provider } = await scene(t, open)
    provider.person = { sub: 'ravi', phone_number: '+91 70201 41726', phone_number_verified: true }
    const users: string[] = []
    for (let i = 0; i < 2; i++) {
      const { body } = await start({ method: 'TRUECALLER' })
      const { body: user } = await verify(body.transactionId, codeOf(await comeBack(body.authorizationUrl)))
      const [{ identityType, identityValue, channel, methods }] = user.identities
      assert.deepEqual(
        [identityType, identityValue, channel, methods],
        ['MOBILE', '917020141726', 'OAUTH', ['TRUECALLER']],
      )
      users.push(user.userId)
    }
    assert.equal(users[0], users[1])
  })

  test(`one of several simultaneous returns gets a code, and a state is accepted once (${engine})`, async (t) => {
    const { start, openCallback, verify } = await scene(t, open)
    const { body } = await start()
    const back = await testBrowser().follow(body.authorizationUrl, callbackUrl)
    const answers = await Promise.all([1, 2, 3].map(() => openCallback(back)))
    const ways = answers.map((answer) => new URL(answer.headers.get('location')!))
    const codes = ways.map(codeOf).filter((code) => code !== null)
    assert.equal(codes.length, 1)
    const again = new URL((await openCallback(back)).headers.get('location')!)
    assert.deepEqual([codeOf(again), errorOf(again)], [null, 'sign_in_over'])
    assert.equal((await verify(body.transactionId, codes[0]!)).status, 200)
  })

  test(`the token endpoint exchanges a code for an id token once, only for its tenant (${engine})`, async (t) => {
    const { service, start, comeBack, exchange, verify, sdk } = await scene(t, open)
    const { body } = await start()
    const code = codeOf(await comeBack(body.authorizationUrl))!
    const other = await service.parts.tenantKeyring.createTenant('other')
    const foreign = await service.parts.clients.createClient(other.id, 'other')
    const stolen = await exchange({ code, client_id: foreign.clientId, client_secret: foreign.clientSecret })
    assert.deepEqual([stolen.status, stolen.body.error], [400, 'invalid_grant'])
    assert.equal((await exchange({ code, grant_type: 'password' })).body.error, 'unsupported_grant_type')
    assert.equal((await exchange({ code, client_secret: 'wrong' })).status, 401)

    const answers = await Promise.all([exchange({ code }), exchange({ code, grant_type: 'authorization_code' })])
    const [given, refused] = answers.toSorted((a, b) => a.status - b.status)
    assert.deepEqual([given!.status, refused!.status, refused!.body.error], [200, 400, 'invalid_grant'])
    const { aud, azp, email } = decodeJwt(given!.body.id_token)
    const { clientId } = service.credentials
    assert.deepEqual([aud, azp, email], [[clientId, sdk.app.id], clientId, 'asha@example.com'])
    const known = await service.post('/auth/v1/validate/token', { token: given!.body.access_token })
    assert.equal(known.body.identities[0].identityValue, 'asha@example.com')
    assert.equal(known.body.network, undefined, 'the IP address of the backend is not the person’s')
    assert.equal((await verify(body.transactionId, code)).status, 400)
  })
})

const { open } = sqliteDatabases

test('the redirect URL has only the parameters of this return, even if it had those of another one', async (t) => {
  const { start, comeBack, provider } = await scene(t, open)
  const before =
    'https://shop.example/signed-in?cart=7&ringfence_code=old&ringfence_error=old&ringfence_transaction=old'
  const { body } = await start({ redirectUrl: before })
  const back = await comeBack(body.authorizationUrl)
  assert.deepEqual([...back.searchParams.keys()].sort(), ['cart', 'ringfence_code', 'ringfence_transaction'])
  assert.equal(back.searchParams.get('ringfence_transaction'), body.transactionId)
  provider.refuses = true
  const refused = await comeBack((await start({ redirectUrl: before })).body.authorizationUrl)
  assert.deepEqual([...refused.searchParams.keys()].sort(), ['cart', 'ringfence_error', 'ringfence_transaction'])
  assert.equal(errorOf(refused), 'access_denied')
})

test('a wrong, foreign or missing state redirects nowhere and ends no sign-in', async (t) => {
  const { start, comeBack, openCallback, verify } = await scene(t, open)
  const { body } = await start()
  const back = await testBrowser().follow(body.authorizationUrl, callbackUrl)
  const state = back.searchParams.get('state')!
  for (const wrong of ['', 'x', state.slice(0, -2), `${state}AAAA`, state.toLowerCase(), body.transactionId]) {
    const edited = new URL(back)
    edited.searchParams.set('state', wrong)
    const answer = await openCallback(edited)
    assert.deepEqual([answer.status, answer.headers.get('location')], [400, null], wrong)
    assert.match(await answer.text(), /Go back to the app and start again/)
  }
  const returned = await comeBack(body.authorizationUrl)
  assert.equal((await verify(body.transactionId, codeOf(returned))).status, 200)
})

test('a person who refuses at the identity provider returns with access_denied and can start again', async (t) => {
  const { start, comeBack, provider, verify } = await scene(t, open)
  provider.refuses = true
  const { body } = await start()
  const back = await comeBack(body.authorizationUrl)
  assert.deepEqual([codeOf(back), errorOf(back)], [null, 'access_denied'])
  assert.equal((await verify(body.transactionId, 'x'.repeat(43))).status, 400)
  provider.refuses = false
  const next = (await start()).body
  assert.equal((await verify(next.transactionId, codeOf(await comeBack(next.authorizationUrl)))).status, 200)
})

test('a code of another sign-in or an id token with a wrong signature returns with provider_failed', async (t) => {
  const { start, comeBack, provider } = await scene(t, open)
  const [one, two] = [(await start()).body, (await start()).body]
  const other = await testBrowser().follow(two.authorizationUrl, callbackUrl)
  const swapped = await comeBack(one.authorizationUrl, (back) => {
    back.searchParams.set('code', other.searchParams.get('code')!)
    return back
  })
  assert.equal(errorOf(swapped), 'provider_failed')
  provider.publishesOtherKeys = true
  assert.equal(errorOf(await comeBack((await start()).body.authorizationUrl)), 'provider_failed')
})

test('an unverified email address of an identity provider does not sign in as its owner', async (t) => {
  const { start, comeBack, provider, verify } = await scene(t, open)
  const userOf = async (person: IdentityProvider['person']) => {
    provider.person = person
    const { body } = await start()
    return (await verify(body.transactionId, codeOf(await comeBack(body.authorizationUrl)))).body
  }
  const owner = await userOf({ sub: 'asha', email: 'asha@example.com', email_verified: true })
  const mallory = await userOf({ sub: 'mallory', email: 'asha@example.com', email_verified: false })
  assert.notEqual(mallory.userId, owner.userId)
  assert.equal(
    (await userOf({ sub: 'mallory', email: 'asha@example.com', email_verified: false })).userId,
    mallory.userId,
  )
})

test('a sign-in that expires while the person is at the identity provider returns with sign_in_expired', async (t) => {
  const { service, start, openCallback } = await scene(t, open)
  const { body } = await start()
  const back = await testBrowser().follow(body.authorizationUrl, callbackUrl)
  service.clock.advance({ hours: 1 })
  const answer = await openCallback(back)
  assert.equal(errorOf(new URL(answer.headers.get('location')!)), 'sign_in_expired')
})

test('refuses a redirect URL that is not the app’s at the start, and accepts an app’s own scheme', async (t) => {
  const { service, start, comeBack } = await scene(t, open)
  for (const wrong of ['https://evil.example/', 'javascript:alert(1)', '//shop.example', undefined]) {
    assert.equal((await start({ redirectUrl: wrong })).status, 400, `${wrong}`)
  }
  const app = await createApp(service, { settings: appSettings({ redirectUrls: ['com.example.shop:/back'] }) })
  const sdk = await sdkClient(service, { app })
  const { body } = await sdk.post('/sdk/v1/auth/start', {
    channel: 'OAUTH',
    method: 'GOOGLE',
    redirectUrl: 'com.example.shop:/back',
  })
  const back = await comeBack(body.authorizationUrl)
  assert.equal(back.protocol, 'com.example.shop:')
  assert.ok(codeOf(back))
})
