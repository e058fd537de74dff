import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { pino } from 'pino'
import type { Static } from 'typebox'
import { passOn } from '../../../core/telemetry/tracing.ts'
import { holdTimers } from '../../../testing/held-timers.ts'
import { until } from '../../../testing/until.ts'
import { type Reply, scriptedUpstream } from '../../../upstream/testing/scripted-upstream.ts'
import { ChannelFailed, type ChannelResources, type Proof, type RedirectChannel } from '../channel.ts'
import { outbox } from '../messages/outbox.ts'
import { testBrowser } from '../testing/browser.ts'
import { startIdentityProvider } from '../testing/identity-provider.ts'
import { oidc } from './oidc.ts'

type Config = Static<typeof oidc.Config>

const callbackUrl = 'http://127.0.0.1:1/auth/v1/oauth/callback'
const soon = () => AbortSignal.timeout(60_000)
const secret = 'sandbox-client-secret'
const authoritativeFor = { emailDomains: ['*'], phonePrefixes: ['*'] }
const resources: ChannelResources = {
  clock: { now: () => Date.now() },
  log: pino({ level: 'silent' }),
  readSecret: () => secret,
  outbox: outbox(),
  metrics: { observe: () => undefined, set: () => undefined },
  tracing: passOn,
}

function channelAt(t: TestContext, issuer: string, config: Partial<Config> = {}): RedirectChannel {
  const channel = oidc.create(
    'google',
    {
      type: 'oidc',
      method: 'GOOGLE',
      issuer,
      clientId: 'ringfence',
      clientSecret: { env: 'X' },
      authoritativeFor,
      ...config,
    },
    resources,
  )
  assert.equal(channel.form, 'redirect')
  t.after(() => channel.close?.())
  return channel as RedirectChannel
}

/** A whole sign-in: `start`, the provider's pages, `finish`. */
async function signIn(channel: RedirectChannel, edit = (back: URL) => back): Promise<Proof> {
  const { authorizationUrl, secrets } = await channel.start({ state: 's-1', callbackUrl }, soon())
  const back = await testBrowser().follow(authorizationUrl, callbackUrl)
  return channel.finish({ returnedTo: edit(back), state: 's-1', callbackUrl, secrets }, soon())
}

const failure = (reason: string, message?: RegExp) => (error: unknown) => {
  assert.ok(error instanceof ChannelFailed, String(error))
  assert.equal(error.reason, reason, error.message)
  if (message) assert.match(error.message, message)
  return true
}

test('a verified email becomes EMAIL, a verified phone_number becomes MOBILE', async (t) => {
  const provider = await startIdentityProvider(t, [callbackUrl])
  provider.person = { sub: 'asha', email: 'Asha@Example.com', email_verified: true, name: 'Asha Rao' }
  assert.deepEqual(await signIn(channelAt(t, provider.issuer, { scopes: ['email', 'profile'] })), {
    identities: [{ identityType: 'EMAIL', identityValue: 'asha@example.com', verified: true }],
    subject: { identityType: 'SUBJECT', identityValue: `${provider.issuer} asha`, verified: true },
    profile: { name: 'Asha Rao' },
  })
  provider.person = { sub: 'ravi', phone_number: '+91 70201 41726', phone_number_verified: true }
  const truecaller = channelAt(t, provider.issuer, { method: 'TRUECALLER', scopes: ['phone'] })
  assert.deepEqual(await signIn(truecaller), {
    identities: [{ identityType: 'MOBILE', identityValue: '917020141726', verified: true }],
    subject: { identityType: 'SUBJECT', identityValue: `${provider.issuer} ravi`, verified: true },
  })
})

test('an identity that the provider did not verify makes no user, but the provider’s own id of the person does', async (t) => {
  const provider = await startIdentityProvider(t, [callbackUrl])
  provider.person = { sub: 'mallory', email: 'asha@example.com', email_verified: false }
  assert.deepEqual((await signIn(channelAt(t, provider.issuer))).identities, [
    { identityType: 'SUBJECT', identityValue: `${provider.issuer} mallory`, verified: true },
    { identityType: 'EMAIL', identityValue: 'asha@example.com', verified: false },
  ])
})

test('the authorization request has PKCE (S256), state, nonce and the configured parameters, and no secret', async (t) => {
  const provider = await startIdentityProvider(t, [callbackUrl])
  const channel = channelAt(t, provider.issuer, { parameters: { prompt: 'select_account' } })
  const { authorizationUrl, secrets } = await channel.start(
    { state: 's-1', callbackUrl, loginHint: 'asha@example.com', locale: 'hi-IN' },
    soon(),
  )
  const { nonce, code_challenge, ...rest } = Object.fromEntries(new URL(authorizationUrl).searchParams)
  assert.deepEqual(rest, {
    client_id: 'ringfence',
    response_type: 'code',
    redirect_uri: callbackUrl,
    scope: 'openid email',
    state: 's-1',
    code_challenge_method: 'S256',
    prompt: 'select_account',
    login_hint: 'asha@example.com',
    ui_locales: 'hi-IN',
  })
  const stored = JSON.parse(secrets)
  assert.equal(stored.nonce, nonce)
  assert.ok(code_challenge && code_challenge !== stored.codeVerifier)
  assert.equal(authorizationUrl.includes(stored.codeVerifier), false)
})

test('refuses a wrong state, a code of another sign-in, and a used code', async (t) => {
  const provider = await startIdentityProvider(t, [callbackUrl])
  provider.person = { sub: 'asha', email: 'asha@example.com', email_verified: true }
  const channel = channelAt(t, provider.issuer)
  await assert.rejects(
    signIn(channel, (back) => new URL(back.href.replace('state=s-1', 'state=s-2'))),
    failure('format'),
  )

  const mine = await channel.start({ state: 's-1', callbackUrl }, soon())
  const other = await channel.start({ state: 's-1', callbackUrl }, soon())
  const back = await testBrowser().follow(other.authorizationUrl, callbackUrl)
  const finish = (secrets: string) => channel.finish({ returnedTo: back, state: 's-1', callbackUrl, secrets }, soon())
  await assert.rejects(
    finish(mine.secrets),
    failure('rejected', /400 invalid_grant/),
    'PKCE: the verifier is another’s',
  )

  const back2 = await testBrowser().follow(mine.authorizationUrl, callbackUrl)
  const again = () => channel.finish({ returnedTo: back2, state: 's-1', callbackUrl, secrets: mine.secrets }, soon())
  assert.equal((await again()).identities.length, 1)
  await assert.rejects(again(), failure('rejected', /invalid_grant/))
})

test('distinguishes a person who refuses from a provider that fails', async (t) => {
  const provider = await startIdentityProvider(t, [callbackUrl])
  provider.refuses = true
  await assert.rejects(signIn(channelAt(t, provider.issuer)), failure('rejected', /access_denied/))
})

test('refuses an id token with another nonce or a wrong signature', async (t) => {
  const provider = await startIdentityProvider(t, [callbackUrl])
  provider.person = { sub: 'asha', email: 'asha@example.com', email_verified: true }
  const channel = channelAt(t, provider.issuer)
  const { authorizationUrl, secrets } = await channel.start({ state: 's-1', callbackUrl }, soon())
  const back = await testBrowser().follow(authorizationUrl, callbackUrl)
  const swapped = JSON.stringify({ ...JSON.parse(secrets), nonce: 'another' })
  await assert.rejects(
    channel.finish({ returnedTo: back, state: 's-1', callbackUrl, secrets: swapped }, soon()),
    failure('format', /OAUTH_(JWT_CLAIM_COMPARISON|INVALID_RESPONSE)/),
  )

  provider.publishesOtherKeys = true
  await assert.rejects(signIn(channelAt(t, provider.issuer)), failure('format', /OAUTH_INVALID_RESPONSE/))
})

const silent: Reply = 'silence'
for (const [what, reply, reason] of [
  ['slow', silent, 'timeout'],
  ['reset', 'reset', 'unreachable'],
  ['500', { status: 500, body: {} }, 'unreachable'],
  ['429', { status: 429, body: {} }, 'overloaded'],
  ['garbage', { body: '<html>' }, 'format'],
  ['huge', { body: JSON.stringify({ x: 'x'.repeat(300_000) }) }, 'format'],
  ['a redirect', { status: 302, headers: { location: 'http://127.0.0.1:1/' } }, 'rejected'],
  ['another issuer', { body: { issuer: 'https://accounts.google.com' } }, 'format'],
] satisfies [string, Reply, string][]) {
  test(`a provider that is ${what} at discovery gives a clear error in time, and the next sign-in calls it again`, async (t) => {
    const provider = await startIdentityProvider(t, [callbackUrl])
    let ill = true
    const upstream = await scriptedUpstream(t, async () => {
      if (ill) return reply
      const metadata = await (await fetch(`${provider.issuer}/.well-known/openid-configuration`)).text()
      return { body: metadata.replace(`"issuer":"${provider.issuer}"`, `"issuer":"${upstream.url}"`) }
    })
    const timeoutMs = 29_999
    const channel = channelAt(t, upstream.url, { timeoutMs })
    const start = () => channel.start({ state: 's-1', callbackUrl }, soon())
    const timeouts = holdTimers(t, timeoutMs)
    const starting = assert.rejects(start(), failure(reason))
    if (reply === silent) {
      await until(() => upstream.received.length === 1)
      timeouts.fire()
    }
    await starting
    ill = false
    assert.match((await start()).authorizationUrl, /code_challenge=/)
  })
}

test('URLs of the discovery document follow the rules of the configuration: no plain http except on this machine', async (t) => {
  const provider = await startIdentityProvider(t, [callbackUrl])
  let edit: Record<string, string> = {}
  const upstream = await scriptedUpstream(t, async () => {
    const metadata = await (await fetch(`${provider.issuer}/.well-known/openid-configuration`)).json()
    return { body: { ...(metadata as object), issuer: upstream.url, ...edit } }
  })
  for (const name of ['authorization_endpoint', 'token_endpoint', 'jwks_uri', 'userinfo_endpoint']) {
    const channel = channelAt(t, upstream.url)
    const start = () => channel.start({ state: 's-1', callbackUrl }, soon())
    edit = { [name]: 'http://accounts.example/x' }
    await assert.rejects(start(), failure('format', new RegExp(`discovery: ${name}`)))
    edit = {}
    await start()
  }
})

test('continues to use the discovery document while the provider is down', async (t) => {
  const provider = await startIdentityProvider(t, [callbackUrl])
  let now = Date.now()
  const clock = { now: () => now }
  const config = { type: 'oidc', method: 'GOOGLE', clientId: 'ringfence' } as const
  let isDown = false
  const upstream = await scriptedUpstream(t, async () => {
    if (isDown) return { status: 503, body: {} }
    const metadata = await (await fetch(`${provider.issuer}/.well-known/openid-configuration`)).text()
    return { body: metadata.replace(`"issuer":"${provider.issuer}"`, `"issuer":"${upstream.url}"`) }
  })
  const channel = oidc.create('google', { ...config, issuer: upstream.url }, { ...resources, clock }) as RedirectChannel
  t.after(() => channel.close?.())
  const start = () => channel.start({ state: 's-1', callbackUrl }, soon())
  await start()
  await start()
  assert.equal(upstream.received.length, 1)
  now += 3_600_000
  isDown = true
  await start()
  assert.equal(upstream.received.length, 2)
})

test('a configuration that cannot work names the key', () => {
  const config: Config = { type: 'oidc', method: 'GOOGLE', issuer: 'https://accounts.example', clientId: 'x' }
  for (const [edit, message] of [
    [{ issuer: 'http://accounts.example' }, /issuer must begin with https/],
    [{ parameters: { state: 'x' } }, /parameters\.state is set by Ringfence; leave it out/],
    [{ authentication: 'client_secret_post' }, /clientSecret is missing/],
  ] as const) {
    assert.throws(() => oidc.create('google', { ...config, ...edit }, resources), message)
  }
})
