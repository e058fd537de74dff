import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { pino } from 'pino'
import type { Static } from 'typebox'
import { passOn } from '../../../core/telemetry/tracing.ts'
import { grant, type Reply, scriptedUpstream } from '../../../upstream/testing/scripted-upstream.ts'
import { ChannelFailed, type RedirectChannel } from '../channel.ts'
import { outbox } from '../messages/outbox.ts'
import { oauth2 } from './oauth2.ts'

type Config = Static<typeof oauth2.Config>

const callbackUrl = 'http://127.0.0.1:1/auth/v1/oauth/callback'
const soon = () => AbortSignal.timeout(60_000)
const person = { id: 42, phone: '917020141726' }

/** Answers with a token and a user. A test can replace either with a faulty answer. */
async function provider(t: TestContext, replies: { token?: Reply; user?: Reply } = {}, config: Partial<Config> = {}) {
  const { token = grant(), user = { body: person } } = replies
  const upstream = await scriptedUpstream(t, ({ path }) => (path === '/token' ? token : user))
  const channel = oauth2.create(
    'truecaller',
    {
      type: 'oauth2',
      method: 'TRUECALLER',
      authorizationEndpoint: `${upstream.url}/authorize`,
      tokenEndpoint: `${upstream.url}/token`,
      userInfoEndpoint: `${upstream.url}/user`,
      clientId: 'ringfence',
      claims: { subject: 'id', phoneNumber: 'phone' },
      assumeVerified: ['phoneNumber'],
      authoritativeFor: { phonePrefixes: ['91'] },
      // Short only where the test waits for it.
      timeoutMs: [token, user].includes('silence') ? 150 : 30_000,
      ...config,
    },
    {
      clock: { now: () => Date.now() },
      log: pino({ level: 'silent' }),
      readSecret: () => 'provider-secret',
      outbox: outbox(),
      metrics: { observe: () => undefined, set: () => undefined },
      tracing: passOn,
    },
  ) as RedirectChannel
  t.after(() => channel.close?.())
  return { ...upstream, channel }
}

async function signIn(channel: RedirectChannel) {
  const { secrets } = await channel.start({ state: 's-1', callbackUrl }, soon())
  const returnedTo = new URL(`${callbackUrl}?code=c-1&state=s-1`)
  return channel.finish({ returnedTo, state: 's-1', callbackUrl, secrets }, soon())
}

test('signs in with a caller-identification app without OpenID: PKCE instead of a secret, and fields by configuration', async (t) => {
  const { channel, received, url } = await provider(t)
  assert.deepEqual(await signIn(channel), {
    identities: [{ identityType: 'MOBILE', identityValue: '917020141726', verified: true }],
    subject: { identityType: 'SUBJECT', identityValue: `${url} 42`, verified: true },
  })
  const [token, user] = received
  const form = new URLSearchParams(token!.body)
  assert.deepEqual([form.get('client_id'), form.get('code'), form.has('client_secret')], ['ringfence', 'c-1', false])
  assert.match(form.get('code_verifier') ?? '', /^[\w-]{43,128}$/)
  assert.equal(user!.headers.authorization, 'Bearer token-1')
})

test('sends the secret as the configuration says', async (t) => {
  const post = await provider(t, {}, { clientSecret: { env: 'X' } })
  await signIn(post.channel)
  assert.equal(new URLSearchParams(post.received[0]!.body).get('client_secret'), 'provider-secret')
  const basic = await provider(t, {}, { clientSecret: { env: 'X' }, authentication: 'client_secret_basic' })
  await signIn(basic.channel)
  // Both parts are form-encoded first (RFC 6749, 2.3.1).
  assert.equal(basic.received[0]!.headers.authorization, `Basic ${btoa('ringfence:provider%2Dsecret')}`)
})

for (const [what, replies, reason] of [
  ['token endpoint silent', { token: 'silence' }, 'timeout'],
  ['token endpoint resets', { token: 'reset' }, 'unreachable'],
  ['token endpoint 503', { token: { status: 503, body: '' } }, 'unreachable'],
  ['token endpoint garbage', { token: { body: '{"access_token":' } }, 'format'],
  ['token endpoint without a token', { token: { body: { token_type: 'Bearer' } } }, 'format'],
  ['code refused', { token: { status: 400, body: { error: 'invalid_grant' } } }, 'rejected'],
  ['userinfo silent', { user: 'silence' }, 'timeout'],
  ['userinfo 500', { user: { status: 500 } }, 'unreachable'],
  ['userinfo 403', { user: { status: 403 } }, 'rejected'],
  ['userinfo garbage', { user: { body: 'secret-person' } }, 'format'],
  ['userinfo is not an object', { user: { body: '[]' } }, 'format'],
  ['userinfo huge', { user: { body: { x: 'x'.repeat(300_000) } } }, 'format'],
  ['an id that JSON rounds', { user: { body: `{"id":9007199254740993,"phone":"${person.phone}"}` } }, 'format'],
  ['empty userinfo', { user: { body: {} } }, 'format'],
] satisfies [string, { token?: Reply; user?: Reply }, string][]) {
  test(`a provider that fails gives a clear error in time that repeats nothing: ${what}`, async (t) => {
    const { channel } = await provider(t, replies)
    await assert.rejects(signIn(channel), (error) => {
      assert.ok(error instanceof ChannelFailed, String(error))
      assert.equal(error.reason, reason, error.message)
      assert.doesNotMatch(`${error.message} ${error.cause}`, /secret-person|token-1|provider-secret/)
      return true
    })
  })
}

test('refuses a configuration that assumes more than the provider is authoritative for', async (t) => {
  for (const authoritativeFor of [undefined, {}, { emailDomains: ['*'] }, { phonePrefixes: [] }])
    await assert.rejects(
      provider(t, {}, { authoritativeFor } as object),
      /assumeVerified has phoneNumber; authoritativeFor\.phonePrefixes must say for which, or \["\*"\] for all/,
    )
})
