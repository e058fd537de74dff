// Do tokens of phone numbers stay with their numbers? CAMARA with JWT bearer assertions (RFC 7523).

import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { startSandbox } from '@ringfence/sandbox'
import { decodeJwt, jwtVerify } from 'jose'
import { grant, type Received, type Reply, scriptedUpstream } from '../../upstream/testing/scripted-upstream.ts'
import { testResources } from '../../upstream/testing/test-resources.ts'
import { camara } from './camara.ts'
import { CheckUnsupported } from './connector.ts'
import { inquiry, numberEnding, ordinaryNumber } from './testing/inquiries.ts'

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const secrets = { KEY: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), SECRET: 'secret' }
const [swapped, ordinary] = [numberEnding('0110'), ordinaryNumber]

function connectorTo(t: TestContext, baseUrl: string, token: object = {}) {
  const resources = testResources(secrets)
  const connector = camara.create(
    'acme',
    {
      type: 'camara',
      baseUrl,
      token: {
        endpoint: `${baseUrl}/oauth2/token`,
        clientId: 'bank',
        grant: 'jwt_bearer',
        authentication: 'private_key_jwt',
        privateKey: { env: 'KEY' },
        ...token,
      },
      simSwap: {},
      roaming: {},
    },
    resources,
  )
  t.after(() => connector.close?.())
  return { connector, resources }
}

/** An operator whose tokens say the number that they are for, and whose answers are about that number only. */
async function operatorOfTokens(t: TestContext, refuse?: (received: Received) => Reply | undefined) {
  return scriptedUpstream(t, (received) => {
    const refused = refuse?.(received)
    if (refused) return refused
    if (received.path !== '/oauth2/token') {
      const digits = received.headers.authorization!.replace('Bearer token-of-', '')
      return { body: { swapped: digits === swapped.digits, roaming: digits === swapped.digits } }
    }
    const { sub } = decodeJwt(new URLSearchParams(received.body).get('assertion')!)
    return grant(`token-of-${sub!.replace('tel:+', '')}`)
  })
}

test('numbers that are asked at the same time get their own tokens, and the number is not sent', async (t) => {
  const { url, received } = await operatorOfTokens(t)
  const { connector, resources } = connectorTo(t, url)
  const ask = (number: typeof ordinary) => connector.checks.simSwap!(number, { maxAge: 240 }, inquiry())
  const numbers = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? swapped : ordinary))
  const answers = await Promise.all(numbers.map(ask))
  assert.deepEqual(
    answers.map((answer) => answer.swapped),
    numbers.map((number) => number === swapped),
  )
  const requests = received.filter(({ path }) => path === '/oauth2/token')
  assert.equal(requests.length, 2, 'one token for each number')
  for (const { path, body } of received) {
    if (path !== '/oauth2/token') assert.deepEqual(JSON.parse(body), { maxAge: 240 })
  }
  const subjects: (string | undefined)[] = []
  for (const { body } of requests) {
    const form = new URLSearchParams(body)
    assert.deepEqual(
      [form.get('grant_type'), form.has('scope')],
      ['urn:ietf:params:oauth:grant-type:jwt-bearer', false],
    )
    const { payload } = await jwtVerify(form.get('assertion')!, publicKey, {
      issuer: 'bank',
      audience: `${url}/oauth2/token`,
      currentDate: new Date(resources.clock.now()),
    })
    assert.equal(payload.scope, 'dpv:FraudPreventionAndDetection sim-swap:check')
    assert.ok(payload.exp! - payload.iat! <= 300)
    subjects.push(payload.sub)
  }
  // Which of them arrives first is open.
  assert.deepEqual(new Set(subjects), new Set([`tel:+${swapped.digits}`, `tel:+${ordinary.digits}`]))
  assert.deepEqual(await connector.checks.roaming!(ordinary, {}, inquiry()), { roaming: false })
  assert.deepEqual(JSON.parse(received.at(-1)!.body), {}, 'no device either')
  for (const text of [swapped.digits, ordinary.digits, 'token-of']) assert.ok(!resources.logged().includes(text))
})

test('a token that was revoked is replaced for its number only, and a number that is refused does not stop others', async (t) => {
  let revoked = true
  const { url, received } = await operatorOfTokens(t, ({ path, body, headers }) => {
    if (path === '/oauth2/token') {
      const { sub } = decodeJwt(new URLSearchParams(body).get('assertion')!)
      return sub === `tel:+${numberEnding('0120').digits}`
        ? { status: 400, body: { error: 'invalid_grant' } }
        : undefined
    }
    if (!revoked || headers.authorization !== `Bearer token-of-${ordinary.digits}`) return undefined
    revoked = false
    return { status: 401, body: {} }
  })
  const { connector } = connectorTo(t, url)
  const ask = (number: typeof ordinary) => connector.checks.simSwap!(number, { maxAge: 240 }, inquiry())
  assert.equal((await ask(swapped)).swapped, true)
  assert.equal((await ask(ordinary)).swapped, false)
  assert.equal(received.filter(({ path }) => path === '/oauth2/token').length, 3)
  for (let count = 0; count < 5; count++) await assert.rejects(ask(numberEnding('0120')), { reason: 'rejected' })
  assert.equal((await ask(numberEnding('0121'))).swapped, false, 'the circuit of the token endpoint is closed')
})

test('the sandbox plays an operator of such tokens', async (t) => {
  const resources = testResources(secrets)
  const jwks = { keys: [{ ...publicKey.export({ format: 'jwk' }), kty: 'EC' }] }
  const sandbox = await startSandbox({ clock: resources.clock, clients: [{ clientId: 'bank', jwks }] })
  t.after(() => sandbox.close())
  const { connector } = connectorTo(t, sandbox.url)
  const ask = (number: typeof ordinary) => connector.checks.simSwap!(number, { maxAge: 240 }, inquiry())
  const [first, second] = await Promise.all([ask(swapped), ask(ordinary)])
  assert.deepEqual([first.swapped, second.swapped], [true, false])
  await assert.rejects(ask(numberEnding('0140')), CheckUnsupported)
})

test('without a key there is no assertion, and doctor has no token to ask for', (t) => {
  const secret = { authentication: 'client_secret_basic', clientSecret: { env: 'SECRET' }, privateKey: undefined }
  assert.throws(
    () => connectorTo(t, 'https://acme.example', secret),
    /token\.privateKey is missing: jwt_bearer needs a key/,
  )
  assert.equal(connectorTo(t, 'https://acme.example').connector.getToken, undefined)
})
