import assert from 'node:assert/strict'
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import type { Consent } from '@ringfence/contract'
import { decodeProtectedHeader, jwtVerify } from 'jose'
import type { PhoneNumber } from '../../../phone/phone-number.ts'
import { type Received, type Reply, scriptedUpstream } from '../../../upstream/testing/scripted-upstream.ts'
import { testResources } from '../../../upstream/testing/test-resources.ts'
import { UpstreamError } from '../../../upstream/upstream-error.ts'
import { CheckUnsupported, type Connector, WindowUnsupported } from '../connector.ts'
import { connectorKinds } from '../index.ts'
import { inquiry, ordinaryNumber } from '../testing/inquiries.ts'

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const secrets = { SECRET: 'kept-out-of-logs', PEM: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() }
const { digits } = ordinaryNumber
const american: PhoneNumber = { digits: '12125550123', callingCode: '1', country: 'US', type: 'MOBILE' }

const settings = {
  'twilio-lookup': { accountSid: 'AC1', authToken: { env: 'SECRET' } },
  telnyx: { apiKey: { env: 'SECRET' } },
  'vonage-insights': { applicationId: 'app-1', privateKey: { env: 'PEM' } },
  sinch: { projectId: 'p-1', keyId: 'k-1', keySecret: { env: 'SECRET' } },
  telesign: { customerId: 'c-1', apiKey: { env: 'SECRET' }, consentMethod: 2 },
} as const
type Vendor = keyof typeof settings

/** A connector to a vendor that gives this reply. */
async function vendor(t: TestContext, type: Vendor, reply: Reply | ((received: Received) => Reply), more: object = {}) {
  const resources = testResources(secrets)
  const { url, received } = await scriptedUpstream(t, (request) =>
    typeof reply === 'function' ? reply(request) : reply,
  )
  const kind = connectorKinds.find((each) => each.type === type)!
  const connector = kind.create('acme', { type, baseUrl: url, ...settings[type], ...more }, resources)
  t.after(() => connector.close?.())
  return { connector, received, resources }
}

const hours = (resources: ReturnType<typeof testResources>, ago: number) =>
  new Date(resources.clock.now() - ago * 3_600_000).toISOString()

const simSwap = (connector: Connector, maxAge: number) =>
  connector.checks.simSwap!(ordinaryNumber, { maxAge }, inquiry()).then(({ swapped }) => swapped)
const forwarded = (connector: Connector, conditional = false) =>
  connector.checks.callForwarding!(ordinaryNumber, { conditional }, inquiry()).then(({ active }) => active)

const fails = (reason: string) => (error: unknown) => {
  assert.ok(error instanceof UpstreamError, String(error))
  assert.equal(error.reason, reason, error.message)
  return true
}

test('Twilio answers any window from the date, and without one only the window of the account', async (t) => {
  const { resources } = await vendor(t, 'twilio-lookup', {})
  const swapped = (last: object, maxAge: number) =>
    vendor(t, 'twilio-lookup', { body: { sim_swap: { last_sim_swap: last, error_code: null } } }).then(
      ({ connector }) => simSwap(connector, maxAge),
    )
  const dated = { last_sim_swap_date: hours(resources, 100), swapped_period: 'PT48H', swapped_in_period: false }
  assert.deepEqual([await swapped(dated, 101), await swapped(dated, 99)], [true, false])
  const flagged = { last_sim_swap_date: null, swapped_period: 'PT48H', swapped_in_period: false }
  assert.equal(await swapped(flagged, 48), false)
  for (const hours of [47, 49]) {
    await assert.rejects(swapped(flagged, hours), { name: 'WindowUnsupported', supported: { onlyHours: 48 } })
  }
  await assert.rejects(swapped({ ...flagged, swapped_period: null }, 48), WindowUnsupported)
  await assert.rejects(swapped({ ...flagged, swapped_in_period: null }, 48), fails('format'))
  const withoutZone = { ...dated, last_sim_swap_date: hours(resources, 100).slice(0, 19) }
  await assert.rejects(swapped(withoutZone, 101), fails('format'), 'its zone is not known')
  assert.deepEqual([await swapped(withoutZone, 114), await swapped(withoutZone, 87)], [true, false])
  for (const sentinel of ['01-01-1900', '1900-01-01T00:00:00Z', '1970-01-01', 'never']) {
    await assert.rejects(swapped({ ...dated, last_sim_swap_date: sentinel }, 240), fails('format'), sentinel)
  }
})

test('Twilio: each error code inside a 200 has its meaning, and none is retried', async (t) => {
  for (const code of [60008, 60607, 60612]) {
    const { connector } = await vendor(t, 'twilio-lookup', {
      body: { sim_swap: { last_sim_swap: null, error_code: code }, call_forwarding: { error_code: code } },
    })
    await assert.rejects(simSwap(connector, 240), CheckUnsupported)
    await assert.rejects(forwarded(connector), CheckUnsupported)
  }
  for (const code of [60005, 60608, 60610, 60616, 60620, 1]) {
    const { connector, received } = await vendor(t, 'twilio-lookup', {
      body: { sim_swap: { last_sim_swap: null, error_code: code } },
    })
    await assert.rejects(simSwap(connector, 240), fails('rejected'))
    assert.equal(received.length, 1)
  }
  const { connector } = await vendor(t, 'twilio-lookup', { body: { sim_swap: null, call_forwarding: null } })
  await assert.rejects(simSwap(connector, 240), CheckUnsupported, 'a carrier without coverage is null')
})

test('Twilio sends one package for each question, with Basic credentials', async (t) => {
  const { connector, received } = await vendor(t, 'twilio-lookup', {
    body: {
      call_forwarding: { call_forwarding_status: true, error_code: null },
      line_type_intelligence: { mobile_country_code: '404', mobile_network_code: '45', error_code: null },
    },
  })
  assert.equal(await forwarded(connector), true)
  await assert.rejects(forwarded(connector, true), CheckUnsupported, 'it detects unconditional forwarding only')
  assert.equal((await connector.lookUpOperator!(ordinaryNumber, inquiry()))?.operator, '404-45')
  assert.deepEqual(
    received.map(({ method, path }) => `${method} ${path}`),
    [
      `GET /v2/PhoneNumbers/%2B${digits}?Fields=call_forwarding`,
      `GET /v2/PhoneNumbers/%2B${digits}?Fields=line_type_intelligence`,
    ],
  )
  assert.equal(received[0]!.headers.authorization, `Basic ${Buffer.from('AC1:kept-out-of-logs').toString('base64')}`)
})

test('Twilio: forwarding has the name of its reference, and the older one', async (t) => {
  for (const found of [{ call_forwarding_status: false }, { call_forwarding_enabled: false }]) {
    const { connector } = await vendor(t, 'twilio-lookup', {
      body: { call_forwarding: { ...found, error_code: null } },
    })
    assert.equal(await forwarded(connector), false, JSON.stringify(found))
  }
})

test('Telnyx states porting and OCN of North American numbers only', async (t) => {
  const portability = { ported_status: 'N', ocn: '6529' }
  const carrier = { mobile_country_code: '404', mobile_network_code: '45' }
  const { connector } = await vendor(t, 'telnyx', { body: { data: { portability, carrier } } })
  const { asOf: _, ...indian } = (await connector.lookUpOperator!(ordinaryNumber, inquiry()))!
  assert.deepEqual(indian, { operator: '404-45' })
})

test('Telnyx: an empty ported_status is not known, and nothing stated is no answer', async (t) => {
  const lookUp = async (portability: object | null, carrier: object | null) => {
    const { connector } = await vendor(t, 'telnyx', { body: { data: { portability, carrier } } })
    const { asOf: _, ...answer } = (await connector.lookUpOperator!(american, inquiry())) ?? { asOf: 0 }
    return answer
  }
  const carrier = { mobile_country_code: '310', mobile_network_code: '410' }
  assert.deepEqual(await lookUp({ ported_status: 'Y', ocn: '6529' }, carrier), { operator: '310-410', ported: true })
  assert.deepEqual(await lookUp({ ported_status: 'N', ocn: '6529' }, null), { operator: 'ocn:6529', ported: false })
  assert.deepEqual(await lookUp({ ported_status: '', ocn: '' }, carrier), { operator: '310-410' })
  assert.deepEqual(await lookUp({ ported_status: '', ocn: '' }, { ...carrier, mobile_network_code: '' }), {})
  assert.deepEqual(await lookUp(null, null), {})
  for (const ported_status of ['__proto__', 'constructor', 'toString', 'y']) {
    assert.deepEqual(await lookUp({ ported_status, ocn: '6529' }, null), { operator: 'ocn:6529' }, ported_status)
  }
})

test('Vonage: each insight has its own status, and the number goes without a plus sign', async (t) => {
  const { resources } = await vendor(t, 'vonage-insights', {})
  const ask = (insights: object) => vendor(t, 'vonage-insights', { body: { insights } })
  const ok = { code: 'OK', message: 'Success' }
  const dated = await ask({ sim_swap: { latest_sim_swap_at: hours(resources, 10), is_swapped: true, status: ok } })
  assert.deepEqual([await simSwap(dated.connector, 11), await simSwap(dated.connector, 9)], [true, false])
  assert.deepEqual(JSON.parse(dated.received[0]!.body), {
    phone_number: digits,
    purpose: 'FraudPreventionAndDetection',
    insights: { sim_swap: { period: 11 } },
  })
  const [scheme, token = ''] = dated.received[0]!.headers.authorization!.split(' ')
  assert.deepEqual([scheme, decodeProtectedHeader(token).alg], ['Bearer', 'RS256'])
  const { payload } = await jwtVerify(token, publicKey as KeyObject, { currentDate: new Date(resources.clock.now()) })
  assert.deepEqual([payload.application_id, payload.exp! - payload.iat!], ['app-1', 300])

  const undated = await ask({ sim_swap: { latest_sim_swap_at: null, is_swapped: false, status: ok } })
  assert.equal(await simSwap(undated.connector, 240), false, 'the flag is for the period that was sent')
  const empty = await ask({ sim_swap: { latest_sim_swap_at: '', is_swapped: null, status: ok } })
  await assert.rejects(simSwap(empty.connector, 240), fails('format'))
  for (const [code, expected] of [
    ['NO_COVERAGE', CheckUnsupported],
    ['UNSUPPORTED_NETWORK_TYPE', CheckUnsupported],
    ['NOT_FOUND', fails('rejected')],
    ['UNAUTHORIZED', fails('rejected')],
    ['INVALID_PURPOSE', fails('rejected')],
    ['SUPPLIER_ERROR', fails('status')],
    ['INTERNAL_ERROR', fails('status')],
    ['NEW', fails('rejected')],
  ] as const) {
    const { connector } = await ask({ sim_swap: { status: { code } } })
    await assert.rejects(simSwap(connector, 240), expected, code)
  }
  const carriers = await ask({
    current_carrier: { network_code: '40445', status: ok },
    original_carrier: { network_code: '40410', status: ok },
  })
  const { asOf: _, ...operator } = (await carriers.connector.lookUpOperator!(ordinaryNumber, inquiry()))!
  assert.deepEqual(operator, { operator: '404-45', homeOperator: '404-10' }, 'two carriers are no statement on porting')
  const status = await ask({
    roaming: { is_roaming: true, country_codes: ['ES'], latest_status_at: '2025-10-11T08:23:23.456', status: ok },
    reachability: { is_reachable: true, connectivity: ['DATA'], latest_status_at: '', status: ok },
  })
  assert.deepEqual(await status.connector.checks.roaming!(ordinaryNumber, {}, inquiry()), {
    roaming: true,
    country: 'ES',
    statusAt: '2025-10-11T08:23:23.456Z',
  })
  assert.deepEqual(await status.connector.checks.reachability!(ordinaryNumber, {}, inquiry()), {
    reachable: true,
    connectivity: ['DATA'],
  })
})

test('Vonage never passes one purpose off as another', async (t) => {
  const reply = { body: { insights: { sim_swap: { is_swapped: false, status: { code: 'OK' } } } } }
  const sentFor = async (stated: string | undefined, more: object = {}) => {
    const { connector, received } = await vendor(t, 'vonage-insights', reply, more)
    const consent = stated === undefined ? {} : { consent: { purpose: stated, legalBasis: 'CONSENT' } as const }
    await connector.checks.simSwap!(ordinaryNumber, { maxAge: 240 }, { ...inquiry(), ...consent })
    return JSON.parse(received[0]!.body).purpose
  }
  assert.equal(await sentFor('dpv:FraudPreventionAndDetection'), 'FraudPreventionAndDetection')
  await assert.rejects(sentFor('dpv:Marketing'), CheckUnsupported)
  assert.equal(await sentFor('dpv:Marketing', { purpose: 'Marketing' }), 'Marketing')
  const purposes = { 'dpv:IdentityVerification': 'FraudPreventionAndDetection' }
  assert.equal(await sentFor('dpv:IdentityVerification', { purposes }), 'FraudPreventionAndDetection')
  await assert.rejects(sentFor('dpv:FraudPreventionAndDetection', { purposes }), CheckUnsupported)
  assert.equal(await sentFor(undefined, { purposes }), 'FraudPreventionAndDetection')
})

test('Sinch: a flag answers its own period only', async (t) => {
  const swapped = async (simSwapped: object, maxAge: number) =>
    simSwap((await vendor(t, 'sinch', { body: { simSwap: simSwapped } })).connector, maxAge)
  assert.equal(await swapped({ swapped: true, swapPeriod: 'SP7D' }, 168), true)
  assert.equal(await swapped({ swapped: false, swapPeriod: 'SP24H' }, 24), false)
  await assert.rejects(swapped({ swapped: false, swapPeriod: 'SP24H' }, 240), WindowUnsupported)
  await assert.rejects(swapped({ swapped: false, swapPeriod: 'SPMAX' }, 240), WindowUnsupported)
  await assert.rejects(swapped({ swapPeriod: 'SP24H' }, 24), fails('format'))
  await assert.rejects(swapped({ error: { status: 422, title: 'not covered' } }, 24), CheckUnsupported)
  await assert.rejects(swapped({ error: { status: 500 } }, 24), fails('rejected'))
  const { connector, received } = await vendor(t, 'sinch', {
    body: { line: { mobileCountryCode: '404', mobileNetworkCode: '45', ported: true } },
  })
  const { asOf: _, ...operator } = (await connector.lookUpOperator!(ordinaryNumber, inquiry()))!
  assert.deepEqual(operator, { operator: '404-45', ported: true })
  assert.equal(received[0]!.path, '/v2/projects/p-1/lookups')
  assert.deepEqual(JSON.parse(received[0]!.body), { number: `+${digits}`, features: ['LineType'] })
})

test('Telesign writes flags as texts, needs a consent record, and may know only the day of a swap', async (t) => {
  const { resources } = await vendor(t, 'telesign', {})
  const status = { code: 2800 }
  const ask = (body: object) => vendor(t, 'telesign', { body })
  const [date, time] = hours(resources, 30).slice(0, 19).split('T')
  const timed = await ask({ sim_swap: { swap_date: date, swap_time: time, status } })
  assert.deepEqual([await simSwap(timed.connector, 44), await simSwap(timed.connector, 17)], [true, false])
  await assert.rejects(simSwap(timed.connector, 31), fails('format'), 'Telesign writes no zone')
  assert.deepEqual(JSON.parse(timed.received[0]!.body), {
    consent: { method: 2, timestamp: new Date(resources.clock.now()).toISOString() },
    addons: { sim_swap: {} },
  })
  const recordFor = async (consent: Consent) => {
    const { connector, received } = await ask({ sim_swap: { swap_date: date, swap_time: time, status } })
    await connector.checks.simSwap!(ordinaryNumber, { maxAge: 44 }, { ...inquiry(), consent })
    const { consent: record, external_id: reference } = JSON.parse(received[0]!.body)
    return [record, reference]
  }
  const purpose = 'dpv:FraudPreventionAndDetection'
  const givenAt = '2026-01-02T03:04:05+01:00'
  assert.deepEqual(await recordFor({ purpose, legalBasis: 'CONSENT', reference: 'c-1', givenAt }), [
    { method: 2, timestamp: '2026-01-02T02:04:05.000Z' },
    'c-1',
  ])
  const contract = await recordFor({ purpose, legalBasis: 'CONTRACT', reference: 'c-1' })
  assert.deepEqual(contract, [undefined, 'c-1'], 'nobody consented')
  const dayOnly = await ask({ sim_swap: { swap_date: hours(resources, 60).slice(0, 10), status } })
  assert.deepEqual([await simSwap(dayOnly.connector, 96), await simSwap(dayOnly.connector, 1)], [true, false])
  await assert.rejects(simSwap(dayOnly.connector, 60), fails('format'), 'the window begins on that day')

  const forwarding = (found: object) => ask({ call_forward_detection: { status, ...found } })
  const conditional = await forwarding({ call_forward_enabled: 'true', call_forward_type: 'conditional' })
  assert.deepEqual(
    [await forwarded(conditional.connector), await forwarded(conditional.connector, true)],
    [false, true],
  )
  const always = await forwarding({ call_forward_enabled: 'true', call_forward_type: 'unconditional' })
  assert.equal(await forwarded(always.connector), true)
  const off = await forwarding({ call_forward_enabled: 'false' })
  assert.deepEqual([await forwarded(off.connector), await forwarded(off.connector, true)], [false, false])
  await assert.rejects(forwarded((await forwarding({ call_forward_enabled: '' })).connector), fails('format'))

  const uncovered = await ask({ sim_swap: { status: { code: 2803 } } })
  await assert.rejects(simSwap(uncovered.connector, 240), CheckUnsupported)
  for (const code of [2805, 2811]) {
    const { connector } = await ask({ sim_swap: { status: { code } } })
    await assert.rejects(simSwap(connector, 240), fails('rejected'))
  }
  const ported = await ask({ porting_status: { mcc_current: '404', mnc_current: '45', ported: 'true', status } })
  const { asOf: _, ...operator } = (await ported.connector.lookUpOperator!(ordinaryNumber, inquiry()))!
  assert.deepEqual(operator, { operator: '404-45', ported: true })
})

test('Telesign: without a date, a very low risk says that there was no swap for 14 days', async (t) => {
  const swapped = async (found: object, maxAge: number) =>
    simSwap(
      (await vendor(t, 'telesign', { body: { sim_swap: { ...found, status: { code: 2800 } } } })).connector,
      maxAge,
    )
  for (const low of [{ risk_indicator: 1 }, { risk_indicator: '1', swap_date: '', swap_time: '' }]) {
    assert.deepEqual([await swapped(low, 240), await swapped(low, 336)], [false, false])
    await assert.rejects(swapped(low, 337), { name: 'WindowUnsupported', supported: { limitHours: 336 } })
  }
  for (const risk of [2, 3, 4, 0, null]) await assert.rejects(swapped({ risk_indicator: risk }, 240), fails('format'))
})

test('Telesign: without consentMethod, the log warns that requests have no consent record', async () => {
  const logOf = (more: object) => {
    const kind = connectorKinds.find((each) => each.type === 'telesign')!
    const resources = testResources(secrets)
    kind.create('acme', { type: 'telesign', customerId: 'c-1', apiKey: { env: 'SECRET' }, ...more }, resources)
    return resources.logged()
  }
  assert.match(logOf({}), /consentMethod is not set.*consent record/)
  assert.equal(logOf({ consentMethod: 2 }), '')
})

for (const type of Object.keys(settings) as Vendor[]) {
  test(`${type} sends the correlator, and keeps number and secrets out of errors and logs`, async (t) => {
    const replies: Reply[] = [
      { status: 400, body: { code: digits, message: digits } },
      { status: 401, body: {} },
      { status: 404, body: { code: 20404, message: digits } },
      { status: 501 },
      { body: '{"half' },
      { body: { unexpected: digits } },
      'reset',
    ]
    const { connector, received, resources } = await vendor(
      t,
      type,
      () => replies[received.length - 1] ?? { status: 500 },
    )
    const errors: Error[] = []
    for (let count = 0; count < replies.length + 1; count++) {
      await connector.lookUpOperator!(ordinaryNumber, { ...inquiry(), correlator: 'a:b' }).catch((error) =>
        errors.push(error),
      )
    }
    assert.equal(received[0]!.headers['x-correlator'], 'a:b')
    assert.ok(errors.length >= replies.length, 'a response that is not understood is no answer')
    const texts = errors.map((error) => `${error.message} ${error.stack} ${JSON.stringify(error)} ${error.cause}`)
    for (const text of [...texts, resources.logged()]) {
      assert.ok(!text.includes(digits) && !text.includes('kept-out-of-logs') && !text.includes('PRIVATE KEY'), text)
    }
  })

  test(`${type} is refused at start when a secret is missing or the URL is not https`, () => {
    const kind = connectorKinds.find((each) => each.type === type)!
    assert.throws(() => kind.create('acme', { type, ...settings[type] }, testResources()), /SECRET|PEM/)
    assert.throws(
      () => kind.create('acme', { type, ...settings[type], baseUrl: 'http://vendor.example' }, testResources(secrets)),
      /baseUrl must begin with https/,
    )
  })
}
