import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { type TestContext, test } from 'node:test'
import { endpoints, type MagicLinkSent } from '@ringfence/contract'
import { pino } from 'pino'
import {
  codeChallenge,
  codeVerifier,
  email,
  mobile,
  outboxChannels,
  pressButton,
  redirectUrl,
  type SignInOptions,
  type SignInService,
  startSignInService,
} from '../sign-in/authentication/testing/sign-in-service.ts'
import { eachDatabase, sqliteDatabases, type TestDatabases } from '../testing/databases.ts'
import { createApp } from '../testing/sdk-client.ts'

type Credentials = Pick<SignInService['credentials'], 'clientId' | 'clientSecret'>
type Fields = Readonly<Record<string, string>>

async function startService(t: TestContext, open: TestDatabases['open'], options?: SignInOptions) {
  const service = await startSignInService(t, await open(t), options)
  const { url, credentials: own } = service
  /** As older SDKs do: everything in the query. */
  const send = async (fields: Fields, { clientId, clientSecret }: Credentials = own) =>
    get({ client_id: clientId, client_secret: clientSecret, ...fields })
  const get = async (fields: Fields | string, headers: Fields = {}) => {
    const response = await fetch(`${url}${endpoints.sendMagicLink.path}?${new URLSearchParams(fields)}`, { headers })
    // biome-ignore lint/suspicious/noExplicitAny: a test reads any field that it expects
    return { status: response.status, headers: response.headers, body: (await response.json()) as any }
  }
  const exchange = async (code: string, more: Fields = {}, { clientId, clientSecret }: Credentials = own) => {
    const form = { code, client_id: clientId, client_secret: clientSecret, ...more }
    const response = await fetch(url + endpoints.exchangeCode.path, { method: 'POST', body: new URLSearchParams(form) })
    return { status: response.status, body: (await response.json()) as Record<string, string> }
  }
  /** Presses the button, and returns the URL that the person is led to. */
  const back = async () => new URL((await pressButton(service.link())).response.headers.get('location')!)
  const messages = () => service.parts.signIn.outbox.messages().length
  return { ...service, send, get, exchange, back, messages }
}

const link = { email: email.value, redirect_uri: redirectUrl }
const refused = { status: 400, error: 'invalid_grant' }
const outcome = ({ status, body }: { status: number; body: Record<string, string> }) => ({ status, error: body.error })

eachDatabase(({ engine, open }) => {
  test(`a magic link that a backend orders leads back with a code that only it can exchange, once (${engine})`, async (t) => {
    const service = await startService(t, open)
    const { exchange } = service
    const sent = await service.send(link)
    assert.equal(sent.status, 200, JSON.stringify(sent.body))
    const id = (sent.body as MagicLinkSent).requestIds[0]!.value
    assert.deepEqual(sent.body, { requestIds: [{ type: 'EMAIL', value: id }] })
    for (let i = 0; i < 3; i++) assert.equal((await fetch(service.link())).status, 200)
    const back = await service.back()
    const { origin, pathname } = new URL(redirectUrl)
    assert.equal(back.origin + back.pathname, origin + pathname)
    const code = back.searchParams.get('code')!
    assert.deepEqual(
      [...back.searchParams],
      [...new URL(redirectUrl).searchParams, ['ringfence_transaction', id], ['code', code]],
    )
    assert.equal((await pressButton(service.link())).response.status, 400)

    const second = await service.parts.clients.createClient(service.tenantId, 'second')
    const tenant = await service.parts.tenantKeyring.createTenant('other')
    const foreign = await service.parts.clients.createClient(tenant.id, 'other')
    for (const other of [second, foreign]) assert.deepEqual(outcome(await exchange(code, {}, other)), refused)
    for (const redirect_uri of [`${redirectUrl}x`, origin]) {
      assert.deepEqual(outcome(await exchange(code, { redirect_uri })), refused, redirect_uri)
    }
    // No SDK of the app sees the sign-in.
    for (const answer of [await service.verify(id, { code }), await service.status(id), await service.resend(id)]) {
      assert.equal(answer.body.errorCode, '7116')
    }
    const answers = await Promise.all([exchange(code, { redirect_uri: redirectUrl }), exchange(code)])
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 400])
    const token = answers.find(({ status }) => status === 200)!.body.access_token
    const { body } = await service.post('/auth/v1/validate/token', { token })
    assert.deepEqual([body.identities[0].identityValue, body.identities[0].channel], [email.value, 'MAGIC_LINK'])
    assert.deepEqual(outcome(await exchange(code)), refused)
  })

  test(`a link that is ordered with a code challenge needs its verifier, and half a challenge is refused (${engine})`, async (t) => {
    const service = await startService(t, open)
    const bound = { ...link, code_challenge: codeChallenge, code_challenge_method: 'S256' }
    for (const wrong of [
      { code_challenge: codeChallenge },
      { code_challenge_method: 'S256' },
      { code_challenge: codeChallenge, code_challenge_method: 'plain' },
      { code_challenge: '', code_challenge_method: 'S256' },
      { code_challenge: '', code_challenge_method: '' },
      { code_challenge: codeChallenge.slice(1), code_challenge_method: 'S256' },
    ]) {
      const { status } = await service.send({ ...link, ...wrong })
      assert.equal(status, 400, JSON.stringify(wrong))
    }
    assert.equal(service.messages(), 0)
    const plain = await service.send(link)
    const sent = await service.send(bound)
    assert.equal(sent.status, 200, JSON.stringify(sent.body))
    assert.notDeepEqual(sent.body, plain.body, 'another sign-in than that without a challenge')
    const code = (await service.back()).searchParams.get('code')!
    for (const code_verifier of [undefined, `${codeVerifier}x`, codeChallenge])
      assert.deepEqual(outcome(await service.exchange(code, code_verifier ? { code_verifier } : {})), refused)
    assert.equal((await service.exchange(code, { code_verifier: codeVerifier })).status, 200)
  })

  test(`neither an expired link nor a code of an expired sign-in is accepted (${engine})`, async (t) => {
    const service = await startService(t, open)
    const lifetime = { seconds: service.parts.settings.magicLinkLifetimeSeconds }
    await service.send(link)
    service.clock.advance(lifetime)
    assert.equal((await pressButton(service.link())).response.status, 400)
    assert.equal((await service.send(link)).status, 200)
    const code = (await service.back()).searchParams.get('code')!
    service.clock.advance(lifetime)
    assert.deepEqual(outcome(await service.exchange(code)), refused)
  })

  test(`a repeated order sends nothing, that of another client does, and the limits of messages apply (${engine})`, async (t) => {
    const service = await startService(t, open)
    const first = await service.send(link)
    const again = await Promise.all([1, 2, 3].map(() => service.send(link)))
    for (const { body } of again) assert.deepEqual(body, first.body)
    assert.equal(service.messages(), 1)
    const second = await service.parts.clients.createClient(service.tenantId, 'second')
    assert.notDeepEqual((await service.send(link, second)).body, first.body)
    assert.equal(service.messages(), 2)
    let answer = first
    for (let i = 0; i < 30 && answer.status === 200; i++) {
      service.clock.advance({ seconds: 31 })
      answer = await service.send(link)
    }
    assert.deepEqual([answer.status, Object.keys(answer.body)], [429, ['message']])
    assert.match(answer.body.message, /^Too many messages/)
  })
})

const { open } = sqliteDatabases

test('refuses a wrong order with the reason as {message}, and sends nothing', async (t) => {
  const service = await startService(t, open)
  const { mobile_number, ...byNumber } = { ...link, email: '', mobile_number: `+${mobile.value}` }
  for (const [fields, message] of [
    [{ ...link, mobile_number }, /send either email or mobile_number/],
    [byNumber, /send either email or mobile_number/],
    [{ email: link.email }, /redirect_uri is missing/],
    [{ ...link, redirect_uri: 'https://evil.example/' }, /redirect_uri must equal one of the URLs/],
    [{ ...link, redirect_uri: `${redirectUrl}&x=1` }, /redirect_uri must equal/],
    [{ ...link, redirect_uri: `${redirectUrl}&ringfence_code=1` }, /redirect_uri must equal/],
    [{ ...link, redirect_uri: 'http://localhost:3000/' }, /redirect_uri must equal/],
    [{ ...link, channel: 'PIGEON' }, /does not offer this method; it offers for this identity: EMAIL/],
    [{ ...link, channel: 'SMS' }, /does not offer this method/],
    [{ ...link, email: 'none' }, /must be an email address/],
    [{ ...byNumber, mobile_number: '12' }, /Invalid phone number/],
  ] as [Fields, RegExp][]) {
    const { status, body } = await service.send(fields)
    assert.deepEqual([status, Object.keys(body)], [400, ['message']], JSON.stringify(fields))
    assert.match(body.message, message)
  }
  for (const credentials of [
    { ...service.credentials, clientSecret: 'rfs_wrong' },
    { clientId: '', clientSecret: '' },
  ]) {
    const { status, body } = await service.send(link, credentials)
    assert.deepEqual([status, body], [401, { message: 'Invalid secrets' }])
  }
  const repeated = await service.get(
    `client_id=${service.credentials.clientId}&${new URLSearchParams({ client_id: service.credentials.clientId, client_secret: service.credentials.clientSecret, ...link })}`,
  )
  assert.equal(repeated.status, 401)
  assert.equal(service.messages(), 0)
})

test('the link belongs to the oldest app that lists the URL, is not disabled and lets the client exchange codes', async (t) => {
  const service = await startService(t, open)
  const url = 'https://second.example/back'
  const second = await service.parts.clients.createClient(service.tenantId, 'second')
  const tenant = await service.parts.tenantKeyring.createTenant('other')
  const settings = { redirectUrls: [url] }
  await createApp(service, { name: 'foreign', settings }, tenant.id)
  await createApp(service, { name: 'closed', settings: { ...settings, codeClients: [second.clientId] } })
  const disabled = await createApp(service, { name: 'disabled', settings })
  await service.parts.apps.disable(disabled.id)
  assert.match((await service.send({ ...link, redirect_uri: url })).body.message, /redirect_uri must equal/)
  service.clock.advance({ seconds: 1 })
  await createApp(service, { name: 'oldest', settings })
  service.clock.advance({ seconds: 1 })
  await createApp(service, { name: 'youngest', settings })
  assert.equal((await service.send({ ...link, redirect_uri: url })).status, 200)
  assert.match((await pressButton(service.link())).page, /sign in to oldest as/)
  assert.equal((await service.send({ ...link, redirect_uri: url }, second)).status, 200)
  assert.match((await pressButton(service.link())).page, /sign in to closed as/)
})

test('takes numbers with and without a plus sign, methods in lower case, and credentials in headers', async (t) => {
  const service = await startService(t, open)
  const { clientId, clientSecret } = service.credentials
  for (const mobile_number of [mobile.value, `+${mobile.value}`, ` ${mobile.value}`]) {
    const sent = await service.get(
      { mobile_number, channel: 'sms', redirect_uri: redirectUrl },
      { clientId, clientSecret },
    )
    assert.deepEqual([sent.status, sent.body.requestIds?.[0].type], [200, 'MOBILE'], JSON.stringify(sent.body))
  }
  assert.equal(service.messages(), 1, 'three spellings of one number')
  const code = (await service.back()).searchParams.get('code')!
  assert.equal((await service.exchange(code)).status, 200)
})

test('the query with the secret is neither logged nor cached nor repeated', async (t) => {
  let log = ''
  const write = (chunk: Buffer, _: string, done: () => void) => {
    log += chunk
    done()
  }
  const stream = new Writable({ write })
  const service = await startService(t, open, { log: pino({ level: 'trace' }, stream) })
  const wrong = { clientId: service.credentials.clientId, clientSecret: `${service.credentials.clientSecret}x` }
  for (const answer of [
    await service.send(link),
    await service.send({ ...link, redirect_uri: 'https://evil.example/' }),
    await service.send(link, wrong),
  ]) {
    assert.equal(answer.headers.get('cache-control'), 'no-store')
    assert.equal(answer.headers.get('referrer-policy'), 'no-referrer')
    assert.ok(!JSON.stringify([...answer.headers, answer.body]).includes(service.credentials.clientSecret))
  }
  assert.match(log, /auth\/v1\/authorize/)
  assert.match(log, new RegExp(service.credentials.clientId))
  for (const secret of [service.credentials.clientSecret, 'shop.example', 'evil.example'])
    assert.ok(!log.includes(secret), secret)
  // A word: random ids have these letters as hex digits.
  assert.doesNotMatch(log, /\bada\b/i)
})

test('the telecom gate of the app applies, and steps up only to another link', async (t) => {
  const gate = { simSwap: { onFound: 'stepUp' }, stepUp: { channel: 'OTP', method: 'SMS' } }
  const service = await startService(t, open, { channels: outboxChannels, app: { gate } })
  const swapped = { latestSimChange: new Date(service.clock.now() - 3_600_000).toISOString() }
  service.sandbox.lines.change(mobile.value, swapped)
  const sent = await service.send({ mobile_number: mobile.value, redirect_uri: redirectUrl })
  assert.deepEqual([sent.status, sent.body.requestIds?.[0].type], [200, 'MOBILE'], JSON.stringify(sent.body))
  assert.equal(service.messages(), 0, 'the message is held back, and the backend is not told')
})
