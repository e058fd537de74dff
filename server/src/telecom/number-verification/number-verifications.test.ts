// Does a backend learn whether a phone has a number, only once, and only of the phone that returned with this verification?

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { BegunNumberVerification, NumberVerificationResult } from '@ringfence/contract'
import Value from 'typebox/value'
import { openDatabase } from '../../core/storage/open-database.ts'
import { atEnd } from '../../testing/at-end.ts'
import { eachDatabase, sqliteDatabases } from '../../testing/databases.ts'
import { sandboxParts, startTestService, type TestService } from '../../testing/test-service.ts'
import { dropExpiredVerifications } from './retention.ts'
import { openAsPhone } from './testing/phone.ts'

const path = '/v1/telecom/number-verifications'
const [ordinary, onWifi, otherSim, foreign, noConsent, otherwise, withoutChecks, unknown, failing] = [
  ...['1726', '0170', '0171', '0172', '0173', '0174', '0140', '0132', '0150'],
].map((end) => `91702014${end}`) as [string, string, string, string, string, string, string, string, string]

type Post = TestService['post']

async function begin(post: Post, phoneNumber: string, changes: object = {}) {
  const { status, body } = await post(path, { phoneNumber, ...changes })
  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual(Value.Errors(BegunNumberVerification, body), [])
  return body
}

const complete = (post: Post, verificationId: string, returned: object, headers = {}) =>
  post(`${path}/${verificationId}/complete`, returned, headers)

/** Begins, opens the URL as the phone and completes. */
async function verify(post: Post, phoneNumber: string) {
  const { verificationId, url } = await begin(post, phoneNumber)
  const answer = await complete(post, verificationId, await openAsPhone(url))
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  assert.deepEqual(Value.Errors(NumberVerificationResult, answer.body), [])
  return answer
}

eachDatabase(({ engine, open, place }) => {
  test(`verifies the number of the phone that opened the URL (${engine})`, async (t) => {
    const { post, sandbox, parts: needs } = await startTestService(t, await open(t))
    const { verificationId, url, expiresAt, phoneDetail } = await begin(post, ordinary)
    assert.equal(Date.parse(expiresAt) - needs.clock.now(), 300_000)
    assert.equal(phoneDetail.country, 'IN')
    const query = new URL(url).searchParams
    assert.equal(query.get('prompt'), 'none')
    assert.equal(query.get('scope'), 'openid dpv:FraudPreventionAndDetection number-verification:verify')
    assert.equal(query.get('redirect_uri'), `${needs.addresses.auth()}/auth/v1/number-verification/callback/sandbox`)
    assert.equal(sandbox.calls.last(9).filter(({ path }) => path.startsWith('/number-verification')).length, 0)

    const { status, body, headers } = await complete(post, verificationId, await openAsPhone(url))
    assert.deepEqual([status, body.success, body.verified, body.source], [200, true, true, 'sandbox'])
    assert.equal(headers.get('x-ringfence-sandbox'), 'true')
    assert.deepEqual(Value.Errors(NumberVerificationResult, body), [])
    const another = await verify(post, otherSim)
    assert.deepEqual([another.body.success, another.body.verified], [true, false])
  })

  test(`says why it is not known whether the phone has the number (${engine})`, async (t) => {
    const { post } = await startTestService(t, await open(t))
    const expected = {
      [onWifi]: 'P7362',
      [foreign]: 'P7362',
      [noConsent]: 'P7363',
      [otherwise]: 'P7362',
      [failing]: 'P7364',
    }
    for (const [phoneNumber, code] of Object.entries(expected)) {
      const { body } = await verify(post, phoneNumber)
      assert.deepEqual([body.success, body.verified, body.error.errorCode], [false, undefined, code], phoneNumber)
      assert.equal(body.phoneDetail.countryCode, '91')
    }
    assert.deepEqual((await begin(post, withoutChecks)).error.errorCode, 'P7361')
    assert.deepEqual((await begin(post, unknown)).error.errorCode, 'P7301')
    const invalid = await post(path, { phoneNumber: '12' })
    assert.deepEqual([invalid.status, invalid.body.errorCode], [400, 'P7102'])
    const fragment = await post(path, { phoneNumber: ordinary, redirectUri: 'https://shop.example/#x' })
    assert.equal(fragment.status, 400)
  })

  test(`a code that the operator refuses costs nothing, so nobody spends the daily cap with codes that he made up (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t), {
      edit: (parts) => ({
        ...parts,
        costs: {
          currency: 'EUR',
          prices: { sandbox: { numberVerification: 20_000 } },
          dailyCap: { total: 20_000 },
        },
      }),
    })
    const { post, parts: needs, tenantId } = service
    for (let attempt = 0; attempt < 3; attempt++) {
      const { verificationId, url } = await begin(post, ordinary)
      const { state } = await openAsPhone(url)
      const { body } = await complete(post, verificationId, { state, code: 'made-up' })
      assert.deepEqual([body.error.errorCode, body.cost?.micros], ['P7364', 0])
    }
    const spent = await needs.telecom.costs.spent(tenantId)
    assert.deepEqual(
      spent.filter(({ micros }) => micros > 0),
      [],
    )
    const { body } = await verify(post, ordinary)
    assert.deepEqual([body.verified, body.cost], [true, { currency: 'EUR', micros: 20_000 }])
  })

  test(`a tenant begins so many verifications in an hour, and what it may not begin stores nothing (${engine})`, async (t) => {
    const database = await open(t)
    const { post, parts: needs } = await startTestService(t, database, { settings: { numberVerificationsPerHour: 2 } })
    const answers = await Promise.all(Array.from({ length: 4 }, () => post(path, { phoneNumber: ordinary })))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 429, 429])
    const { body, headers } = answers.find(({ status }) => status === 429)!
    assert.equal(body.errorCode, 'P7370')
    assert.match(body.message + JSON.stringify(body), /NUMBER_VERIFICATIONS_PER_HOUR/)
    const seconds = Number(headers.get('retry-after'))
    assert.ok(seconds > 0 && seconds <= 3600)
    assert.equal((await database.query('select id_hash from number_verification')).length, 2)
    const [begun] = answers.filter(({ status }) => status === 200)
    const done = await complete(post, begun!.body.verificationId, await openAsPhone(begun!.body.url))
    assert.equal(done.body.verified, true)
    const other = await needs.tenantKeyring.createTenant('other')
    const client = await needs.clients.createClient(other.id, 'other')
    assert.equal((await post(path, { phoneNumber: ordinary }, { ...client })).status, 200)
  })

  test(`is completed once, whatever it answered, also by two servers at the same time (${engine})`, async (t) => {
    const at = await place(t)
    const settings = { masterKey: randomBytes(32).toString('base64') }
    const servers: TestService[] = []
    for (let server = 0; server < 2; server++) {
      const database = await openDatabase(at)
      atEnd(t, () => database.close())
      servers.push(
        await startTestService(t, database, {
          settings,
          edit: (parts) => (servers[0] ? sandboxParts(servers[0].sandbox) : parts),
        }),
      )
    }
    const [one, other] = servers as [TestService, TestService]
    const postTo =
      (service: TestService): Post =>
      (path, body) =>
        service.post(path, body, { ...one.credentials })
    for (const phoneNumber of [ordinary, onWifi]) {
      const { verificationId, url } = await begin(one.post, phoneNumber)
      const returned = await openAsPhone(url)
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, i) => complete(postTo(i % 2 === 0 ? one : other), verificationId, returned)),
      )
      const used = answers.filter(({ body }) => body.error?.errorCode !== 'P7367')
      assert.equal(used.length, 1)
      assert.equal(used[0]!.body.verified ?? used[0]!.body.error.errorCode, phoneNumber === ordinary ? true : 'P7362')
    }
  })

  test(`expires after five minutes, and is deleted an hour later (${engine})`, async (t) => {
    const { post, clock, parts: needs } = await startTestService(t, await open(t))
    const { verificationId, url } = await begin(post, ordinary)
    const returned = await openAsPhone(url)
    clock.advance({ seconds: 300 })
    assert.equal((await complete(post, verificationId, returned)).body.error.errorCode, 'P7366')
    clock.advance({ hours: 1, ms: 1 })
    await dropExpiredVerifications(needs)
    const { status, body } = await complete(post, verificationId, returned)
    assert.deepEqual([status, body.errorCode], [404, 'P7365'])
  })

  test(`belongs to the client that began it: no other client and no other tenant completes it (${engine})`, async (t) => {
    const { post, parts: needs, tenantId } = await startTestService(t, await open(t))
    const { verificationId, url } = await begin(post, ordinary)
    const returned = await openAsPhone(url)
    const sibling = await needs.clients.createClient(tenantId, 'sibling')
    const tenant = await needs.tenantKeyring.createTenant('other')
    const stranger = await needs.clients.createClient(tenant.id, 'stranger')
    for (const other of [sibling, stranger]) {
      const { status, body } = await complete(post, verificationId, returned, other)
      assert.deepEqual([status, body.errorCode], [404, 'P7365'])
    }
    assert.equal((await complete(post, verificationId, returned)).body.verified, true)
  })
})

const { open } = sqliteDatabases

test('an attacker with his own phone cannot verify the number of somebody else', async (t) => {
  const { post, sandbox } = await startTestService(t, await open(t))
  const victim = '917020141799'
  const opened = async (number: string, url: string) => {
    sandbox.phones.set('127.0.0.1', { number, connection: 'mobile' })
    return openAsPhone(url)
  }

  // Opens the victim's URL with his own phone.
  const direct = await begin(post, victim)
  assert.equal((await complete(post, direct.verificationId, await opened(ordinary, direct.url))).body.verified, false)

  // Begins for his own number, and for the victim's, and swaps what came back.
  const [his, theirs] = [await begin(post, ordinary), await begin(post, victim)]
  const ofHis = await opened(ordinary, his.url)
  const mixed = await complete(post, theirs.verificationId, ofHis)
  assert.deepEqual([mixed.status, mixed.body.errorCode], [400, 'P7368'])
  // With the right state, the code fits neither the verifier nor the nonce.
  const state = new URL(theirs.url).searchParams.get('state')
  const injected = await complete(post, theirs.verificationId, { ...ofHis, state })
  assert.deepEqual([injected.body.success, injected.body.error.errorCode], [false, 'P7364'])
  // The wrong state used nothing up: his own verification is still open.
  assert.equal((await complete(post, his.verificationId, await opened(ordinary, his.url))).body.verified, true)

  // The code of the victim's phone, which opened a URL of the attacker's number, shows the victim's number.
  const lured = await begin(post, ordinary)
  assert.equal((await complete(post, lured.verificationId, await opened(victim, lured.url))).body.verified, false)

  // Another operator's redirect is not accepted.
  const mixedUp = await begin(post, ordinary)
  const back = await opened(ordinary, mixedUp.url)
  const foreignIssuer = await complete(post, mixedUp.verificationId, { ...back, iss: 'https://evil.example' })
  assert.equal(foreignIssuer.body.error.errorCode, 'P7364')
})

test('a URL that runs its own content is no place for a phone to return to', async (t) => {
  const { post } = await startTestService(t, await open(t))
  for (const redirectUri of [
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    'data:text/html,x',
    'https://a:b@shop.example/',
  ]) {
    const { status, body } = await post(path, { phoneNumber: ordinary, redirectUri })
    assert.equal(status, 400, redirectUri)
    assert.match(body.description, /redirectUri .*; send the https URL or the app link/)
  }
  for (const redirectUri of ['https://shop.example/back?a=b', 'com.shop.app:/back']) {
    const body = await begin(post, ordinary, { redirectUri })
    assert.equal(new URL(body.url).searchParams.get('redirect_uri'), redirectUri)
  }
})

test('junk from the phone never verifies, and an error text of the URL is not repeated', async (t) => {
  const { post } = await startTestService(t, await open(t))
  const junk = [
    { code: '' },
    { code: 'x'.repeat(4096) },
    { code: '\u0000\r\nset-cookie: a=b' },
    { error: '__proto__' },
    { error: '<script>alert(1)</script>' },
    { error: 'server_error', code: 'also' },
    {},
  ]
  for (const part of junk) {
    const { verificationId, url } = await begin(post, ordinary)
    const { state } = await openAsPhone(url)
    const { status, body } = await complete(post, verificationId, { state, ...part })
    assert.deepEqual([status, body.success, body.error?.errorCode], [200, false, 'P7364'], JSON.stringify(part))
    assert.ok(!JSON.stringify(body).includes('<script'))
  }
  const { verificationId } = await begin(post, ordinary)
  for (const part of [
    { state: 'x'.repeat(257) },
    { state: 'y', code: 'x'.repeat(4097) },
    { code: 'z' },
    { state: 7 },
  ]) {
    assert.equal((await complete(post, verificationId, part)).status, 400, JSON.stringify(part))
  }
})

test('records an event with the cost, and refuses when the daily cap is reached', async (t) => {
  const service = await startTestService(t, await open(t), {
    settings: { recordedEvents: 'all' },
    edit: (parts) => ({
      ...parts,
      costs: {
        currency: 'EUR',
        prices: { sandbox: { numberVerification: 20_000 } },
        dailyCap: { checks: { numberVerification: 30_000 } },
      },
    }),
  })
  const first = await verify(service.post, ordinary)
  assert.deepEqual(first.body.cost, { currency: 'EUR', micros: 20_000 })
  const capped = await verify(service.post, ordinary)
  assert.equal(capped.body.error.errorCode, 'P7345')
  const { body } = await service.post('/v1/events/search', { phoneNumber: ordinary, type: 'telecom.check.completed' })
  const told = body.events.map(({ data: { check, result, failure, cost } }: { data: Record<string, unknown> }) => ({
    ...{ check, result, failure, cost },
  }))
  assert.deepEqual(told.toReversed(), [
    { check: 'numberVerification', result: 'no', failure: undefined, cost: { currency: 'EUR', micros: 20_000 } },
    { check: 'numberVerification', result: 'unknown', failure: 'P7345', cost: { currency: 'EUR', micros: 0 } },
  ])
})
