import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { firstMistake } from '../../../core/config/schema-errors.ts'
import { type Reply, scriptedUpstream } from '../../../upstream/testing/scripted-upstream.ts'
import { testResources } from '../../../upstream/testing/test-resources.ts'
import { UpstreamError } from '../../../upstream/upstream-error.ts'
import { CheckUnsupported, ParametersUnsupported, WindowUnsupported } from '../connector.ts'
import { inquiry, ordinaryNumber } from '../testing/inquiries.ts'
import { http } from './http.ts'
import type { HttpSettings } from './http-settings.ts'

const { digits } = ordinaryNumber

const mapping: Omit<HttpSettings, 'type' | 'baseUrl'> = {
  secrets: { key: { env: 'SECRET' } },
  headers: { 'x-api-key': '{secret.key}' },
  checks: {
    simSwap: {
      path: '/lookups/{e164}?hours={maxAge}',
      utcOffset: 'Z',
      answer: {
        swapped: { at: '$.data[0].swap', values: { Y: true, N: false, '': null } },
        latestChange: '$.data[0].date',
      },
      errors: [
        { status: 404, means: 'unsupported' },
        { at: '$.error.code', equals: ['7', 'E7'], means: 'unsupported' },
        { at: '$.error', means: 'failed' },
      ],
      samples: [
        { response: { data: [{ swap: 'Y' }] }, params: { maxAge: 72 }, answer: { swapped: true, maxAgeHours: 72 } },
        {
          response: { data: [{ date: '2026-03-01T12:00:00' }] },
          recordedAt: '2026-03-02T12:00:00Z',
          params: { maxAge: 25 },
          answer: { swapped: true, latestChange: '2026-03-01T12:00:00.000Z' },
        },
        { response: { data: [{ swap: '' }] }, means: 'failed' },
        { response: { error: { code: 7 } }, means: 'unsupported' },
        { status: 404, response: {}, means: 'unsupported' },
      ],
    },
    kycMatch: {
      path: '/match',
      body: { msisdn: '{digits}', subscriber: { first: '{givenName}', last: '{familyName}' }, note: 'for {national}' },
      answer: { matches: '$.ok', compared: '$.n', fields: '$.fields' },
      samples: [{ response: { ok: 'true', n: '2', fields: {} }, answer: { matches: true, compared: 2 } }],
    },
    tenure: {
      path: '/tenure?since={since}&n={national}',
      answer: { held: '$.held' },
      samples: [{ response: { held: true }, params: { since: '2025-01-01' }, answer: { held: true } }],
    },
  },
  operator: {
    path: '/operator/{digits}',
    answer: { mcc: '$.mcc', mnc: '$.mnc', ported: { at: '$.ported', values: { Y: true, N: false, '': null } } },
    samples: [{ response: { mcc: 404, mnc: '45', ported: 'Y' }, answer: { operator: '404-45', ported: true } }],
  },
}

async function api(t: TestContext, reply: Reply, edit: (settings: HttpSettings) => HttpSettings = (same) => same) {
  const { url, received } = await scriptedUpstream(t, () => reply)
  const connector = http.create(
    'hub',
    edit({ type: 'http', baseUrl: `${url}/v1`, ...mapping }),
    testResources({ SECRET: 's-3cret' }),
  )
  t.after(() => connector.close?.())
  return { connector, received }
}

const fails = (reason: string) => (error: unknown) => error instanceof UpstreamError && error.reason === reason

test('asks as the template says, escaped where each value stands', async (t) => {
  const { connector, received } = await api(t, {
    body: { data: [{ swap: 'N' }], ok: false, n: 1, fields: {}, held: 'false' },
  })
  const { simSwap, kycMatch, tenure } = connector.checks
  assert.deepEqual(await simSwap!(ordinaryNumber, { maxAge: 48 }, inquiry()), { swapped: false, maxAgeHours: 48 })
  await kycMatch!(ordinaryNumber, { givenName: '"},{familyName}', country: 'IN' }, inquiry())
  assert.deepEqual(await tenure!(ordinaryNumber, { since: '2025-01-01' }, inquiry()), {
    held: false,
    since: '2025-01-01',
  })
  assert.deepEqual(
    received.map(({ method, path, body }) => [method, path, body === '' ? '' : JSON.parse(body)]),
    [
      ['GET', `/v1/lookups/%2B${digits}?hours=48`, ''],
      [
        'POST',
        '/v1/match',
        { msisdn: digits, subscriber: { first: '"},{familyName}' }, note: `for ${digits.slice(2)}` },
      ],
      ['GET', `/v1/tenure?since=2025-01-01&n=${digits.slice(2)}`, ''],
    ],
  )
  assert.equal(received[0]!.headers['x-api-key'], 's-3cret')
})

test('what is not there, empty, null or not in the table is not known', async (t) => {
  for (const swap of ['', null, undefined, 'maybe', 1]) {
    const { connector } = await api(t, { body: { data: [{ swap }] } })
    await assert.rejects(connector.checks.simSwap!(ordinaryNumber, { maxAge: 48 }, inquiry()), fails('format'))
  }
  const { connector } = await api(t, { body: { mcc: '404', mnc: '', ported: '' } })
  assert.equal(await connector.lookUpOperator!(ordinaryNumber, inquiry()), undefined)
  const half = await api(t, { body: { ok: true, n: 'two', fields: {} } })
  await assert.rejects(half.connector.checks.kycMatch!(ordinaryNumber, { givenName: 'A' }, inquiry()), fails('format'))
})

test('a flag is true or false, and every other value of the API is not known', async (t) => {
  const { kycMatch } = mapping.checks!
  const withoutTable = (settings: HttpSettings): HttpSettings => ({
    ...settings,
    checks: {
      simSwap: {
        path: '/{digits}?hours={maxAge}',
        answer: { swapped: '$.swap' },
        samples: [{ response: { swap: true }, answer: { swapped: true } }],
      },
      callForwarding: {
        path: '/{digits}',
        answer: { active: '$.swap' },
        samples: [{ response: { swap: false }, answer: { active: false } }],
      },
      kycMatch: { ...kycMatch!, samples: [{ response: { ok: true, n: 1, fields: {} }, answer: { compared: 1 } }] },
    },
  })
  for (const swap of ['N', 'no', 'unknown', 0, 1, {}, [], [false], ' ']) {
    const { connector } = await api(t, { body: { swap, ok: true, n: ' ', fields: {} } }, withoutTable)
    const { simSwap, callForwarding, kycMatch } = connector.checks
    const what = JSON.stringify(swap)
    await assert.rejects(simSwap!(ordinaryNumber, { maxAge: 48 }, inquiry()), fails('format'), what)
    await assert.rejects(callForwarding!(ordinaryNumber, { conditional: false }, inquiry()), fails('format'), what)
    await assert.rejects(kycMatch!(ordinaryNumber, { givenName: 'A' }, inquiry()), fails('format'))
  }
  for (const [swap, swapped] of [
    [false, false],
    ['true', true],
  ]) {
    const { connector } = await api(t, { body: { swap } }, withoutTable)
    const answer = await connector.checks.simSwap!(ordinaryNumber, { maxAge: 48 }, inquiry())
    assert.deepEqual(answer, { swapped, maxAgeHours: 48 })
  }
})

test('a table reads texts, numbers and flags: a list or an object is not known', async (t) => {
  for (const swap of [['N'], [['N']], { toString: 'N' }, [null], []]) {
    const { connector } = await api(t, { body: { data: [{ swap }] } })
    const what = JSON.stringify(swap)
    await assert.rejects(connector.checks.simSwap!(ordinaryNumber, { maxAge: 48 }, inquiry()), fails('format'), what)
  }
})

test('several places that state different values state nothing', async (t) => {
  const everySim = (settings: HttpSettings): HttpSettings => ({
    ...settings,
    checks: {
      simSwap: {
        path: '/{digits}?hours={maxAge}',
        answer: { swapped: { at: '$..swapped', values: { true: true, Y: true, N: false, false: false } } },
        errors: [{ at: '$.errors[*].code', equals: ['7'], means: 'unsupported' }],
        samples: [{ response: { sims: [{ swapped: false }, { swapped: 'N' }] }, answer: { swapped: false } }],
      },
    },
  })
  const asked = async (body: object) => {
    const { connector } = await api(t, { body }, everySim)
    return connector.checks.simSwap!(ordinaryNumber, { maxAge: 48 }, inquiry())
  }
  const sims = (...values: unknown[]) => ({ sims: values.map((swapped) => ({ swapped })) })
  assert.equal((await asked(sims('Y', true))).swapped, true, 'both say the same')
  for (const values of [
    [false, true],
    [true, false],
    [false, null],
    [null, false],
    [false, ['N']],
  ]) {
    await assert.rejects(asked(sims(...values)), fails('format'), JSON.stringify(values))
  }
  await assert.rejects(asked({ ...sims(false), errors: [{ code: 1 }, { code: 7 }] }), CheckUnsupported)
  assert.equal((await asked({ ...sims(false), errors: [{ code: 1 }, { code: [7] }] })).swapped, false)
})

test('an operator is a text, and a network code that lost its zeros is not known', async (t) => {
  const lookUp = async (body: object, answer: Record<string, string>) => {
    const { connector } = await api(t, { body }, (settings) => ({
      ...settings,
      operator: { path: '/{digits}', answer, samples: [{ status: 500, response: {}, means: 'failed' }] },
    }))
    return connector.lookUpOperator!(ordinaryNumber, inquiry())
  }
  const codes = { mcc: '$.mcc', mnc: '$.mnc' }
  assert.equal((await lookUp({ mcc: 310, mnc: 410 }, codes))?.operator, '310-410')
  assert.equal((await lookUp({ mcc: '404', mnc: '045' }, codes))?.operator, '404-045')
  assert.equal(await lookUp({ mcc: 310, mnc: 45 }, codes), undefined, '45 may be 045')
  for (const operator of [{}, [], true, 'x'.repeat(300)]) {
    await assert.rejects(lookUp({ operator }, { operator: '$.operator' }), fails('format'), JSON.stringify(operator))
  }
})

test('a day, and a time without a zone, answer only where every hour and zone gives the same answer', async (t) => {
  // 2026-03-01T12:00:00Z
  const now = testResources().clock.now()
  const swapped = async (date: unknown, maxAge: number, utcOffset?: string) => {
    const { connector } = await api(t, { body: { date } }, (settings) => ({
      ...settings,
      checks: {
        simSwap: {
          path: '/{digits}',
          ...(utcOffset !== undefined && { utcOffset }),
          answer: { latestChange: '$.date' },
          samples: [{ response: { date: new Date(now).toISOString() }, answer: { swapped: true } }],
        },
      },
    }))
    return (await connector.checks.simSwap!(ordinaryNumber, { maxAge }, inquiry())).swapped
  }
  // 23:30 of that day in London is 12.5 hours ago.
  await assert.rejects(swapped('2026-02-28', 24), fails('format'))
  await assert.rejects(swapped('2026-02-28', 24, 'Z'), fails('format'))
  assert.deepEqual([await swapped('2026-02-28', 36, 'Z'), await swapped('2026-02-28', 12, 'Z')], [true, false])
  await assert.rejects(swapped('2026-02-28', 36), fails('format'), 'in Auckland the day began 49 hours ago')
  assert.deepEqual([await swapped('2026-02-28', 50), await swapped('2026-02-26', 24)], [true, false])
  const noon = '2026-02-28 12:00'
  assert.deepEqual([await swapped(noon, 24, 'Z'), await swapped(noon, 23, 'Z')], [true, false])
  assert.deepEqual([await swapped(noon, 29, '+05:30'), await swapped(noon, 30, '+05:30')], [false, true])
  await assert.rejects(swapped(noon, 24), fails('format'), 'its zone is not known')
  assert.deepEqual([await swapped(noon, 38), await swapped(noon, 11)], [true, false])
  assert.equal(await swapped('2026-02-28T12:00:00+0000', 24, '+05:30'), true, 'a zone that is written counts')
  for (const date of [
    '02-03-2026',
    '02/03/2026',
    '2026',
    '2026-02',
    'Sat Feb 28 2026',
    '2026-02-30',
    '2026-02-30T10:00:00Z',
    '2026-02-28T24:00:00Z',
    '2026-02-28T12:00:00+25:00',
    '1900-01-01',
    '2026-03-04',
    1772193600,
    true,
    {},
  ]) {
    await assert.rejects(swapped(date, 2400, 'Z'), fails('format'), JSON.stringify(date))
  }
})

test('a parameter that the request does not send is not answered', async (t) => {
  const { kycMatch } = mapping.checks!
  const { connector, received } = await api(
    t,
    { body: { active: false, result: 'INSIDE', ok: true, n: 1, fields: {} } },
    (settings) => ({
      ...settings,
      checks: {
        kycMatch: kycMatch!,
        callForwarding: {
          path: '/{digits}',
          answer: { active: '$.active' },
          samples: [{ response: { active: true }, answer: { active: true } }],
        },
        locationVerification: {
          path: '/{digits}?at={latitude},{longitude}&r={radius}',
          answer: { result: '$.result' },
          samples: [{ response: { result: 'INSIDE' }, answer: { result: 'INSIDE' } }],
        },
      },
    }),
  )
  const { locationVerification, callForwarding, kycMatch: match } = connector.checks
  const circle = { latitude: 52.5, longitude: 13.4, radius: 5000 }
  await assert.rejects(locationVerification!(ordinaryNumber, { ...circle, maxAgeSeconds: 60 }, inquiry()), {
    name: 'ParametersUnsupported',
  })
  await assert.rejects(match!(ordinaryNumber, { birthdate: '1990-01-01' }, inquiry()), CheckUnsupported)
  await assert.rejects(callForwarding!(ordinaryNumber, { conditional: true }, inquiry()), CheckUnsupported)
  assert.equal(received.length, 0)
  assert.deepEqual(await locationVerification!(ordinaryNumber, circle, inquiry()), { result: 'INSIDE' })
  assert.deepEqual(await callForwarding!(ordinaryNumber, { conditional: false }, inquiry()), { active: false })
  assert.equal((await match!(ordinaryNumber, { givenName: 'A', birthdate: '1990-01-01' }, inquiry())).matches, true)
})

test('errors mean what the table says, with any status', async (t) => {
  const asked = async (reply: Reply) =>
    (await api(t, reply)).connector.checks.simSwap!(ordinaryNumber, { maxAge: 48 }, inquiry())
  await assert.rejects(asked({ status: 404, body: {} }), CheckUnsupported)
  await assert.rejects(asked({ body: { error: { code: 'E7' } } }), CheckUnsupported)
  await assert.rejects(asked({ status: 422, body: { error: { code: 7 } } }), CheckUnsupported)
  await assert.rejects(asked({ body: { error: { code: 8 }, data: [{ swap: 'N' }] } }), fails('rejected'))
  await assert.rejects(asked({ status: 422, body: {} }), fails('rejected'))
})

test('a flag for a fixed window answers that window only', async (t) => {
  const { connector } = await api(t, { body: { swap: true } }, (settings) => ({
    ...settings,
    checks: {
      simSwap: {
        path: '/{digits}',
        hours: 48,
        answer: { swapped: '$.swap' },
        samples: [
          { response: { swap: false }, params: { maxAge: 48 }, answer: { swapped: false } },
          { response: { swap: false }, means: 'window' },
        ],
      },
    },
  }))
  const { swapped } = await connector.checks.simSwap!(ordinaryNumber, { maxAge: 48 }, inquiry())
  assert.equal(swapped, true)
  await assert.rejects(connector.checks.simSwap!(ordinaryNumber, { maxAge: 49 }, inquiry()), WindowUnsupported)
})

const { simSwap, kycMatch, tenure } = mapping.checks!
const refused: [string, object, RegExp][] = [
  ['nothing to ask', { checks: {}, operator: undefined }, /^it asks nothing: add checks, operator or both$/],
  [
    'a path that is not JSONPath',
    { checks: { simSwap: { ...simSwap, answer: { swapped: '$.a[' } } } },
    /^checks\.simSwap\.answer\.swapped is not JSONPath: /,
  ],
  [
    'a filter that searches the whole response for each of its parts',
    { checks: { simSwap: { ...simSwap, answer: { swapped: "$..[?count($..*) > 0 && @.of != 'a..b'].swapped" } } } },
    /^checks\.simSwap\.answer\.swapped has \.\. in or after a filter, which a response can make slow: /,
  ],
  ...['match', 'search'].map((name): [string, object, RegExp] => [
    `the regular expression of ${name}, which a response could make run for seconds`,
    {
      checks: { simSwap: { ...simSwap, answer: { swapped: `$.items[?${name}(@.name, '([A-Za-z]+ ?)*swap')].value` } } },
    },
    new RegExp(`^checks\\.simSwap\\.answer\\.swapped uses ${name}\\(\\), .*: compare with == `),
  ]),
  [
    'a field that the check does not have',
    { checks: { simSwap: { ...simSwap, answer: { swaped: '$.a', latestChange: '$.b' } } } },
    /^checks\.simSwap\.answer\.swaped is not a field; use .*\. Did you mean swapped\?$/,
  ],
  [
    'a field that is missing',
    { checks: { kycMatch: { ...kycMatch, answer: { matches: '$.ok' } } } },
    /^checks\.kycMatch\.answer lacks compared, fields$/,
  ],
  [
    'a flag without a window',
    { checks: { simSwap: { ...simSwap, path: '/{digits}', answer: { swapped: '$.a' } } } },
    /^checks\.simSwap\.answer\.swapped is for one window: put \{maxAge\} into the request, or set checks\.simSwap\.hours$/,
  ],
  [
    'a placeholder that nothing fills',
    { checks: { simSwap: { ...simSwap, path: '/{msisdn}?h={maxAge}' } } },
    /^checks\.simSwap\.path has \{msisdn\}; use one of \{digits\}, /,
  ],
  [
    'an optional parameter in a path',
    { checks: { kycMatch: { ...kycMatch, path: '/{givenName}' } } },
    /^checks\.kycMatch\.path has \{givenName\}; /,
  ],
  [
    'a parameter that every question has and the request does not',
    { checks: { tenure: { ...tenure, path: '/tenure?n={national}' } } },
    /^checks\.tenure does not send since, .*: put \{since\} into path or body$/,
  ],
  [
    'a secret in a path',
    { operator: { ...mapping.operator, path: '/{secret.key}' } },
    /^operator\.path has \{secret\.key\}/,
  ],
  [
    'a sample that means something else',
    {
      checks: {
        simSwap: { ...simSwap, samples: [{ response: { data: [{ swap: 'Y' }] }, answer: { swapped: false } }] },
      },
    },
    /^checks\.simSwap\.samples\.0 must mean \{"swapped":false\}, and means \{"swapped":true,"maxAgeHours":240\}$/,
  ],
  [
    'a sample of an operator that means something else, without the time that nobody wrote',
    { operator: { ...mapping.operator, samples: [{ response: { ported: 'Y' }, answer: { ported: false } }] } },
    /^operator\.samples\.0 must mean \{"ported":false\}, and means \{"ported":true\}$/,
  ],
  [
    'a sample that is not understood',
    { checks: { simSwap: { ...simSwap, samples: [{ response: {}, answer: { swapped: false } }] } } },
    /^checks\.simSwap\.samples\.0 must mean \{"swapped":false\}, and means failed$/,
  ],
]
for (const [what, change, message] of refused) {
  test(`refuses at start and names the key: ${what}`, () => {
    const settings = { type: 'http', baseUrl: 'https://hub.example', ...mapping, ...change } as HttpSettings
    assert.throws(() => http.create('hub', settings, testResources({ SECRET: 's' })), { message })
  })
}

test('a key that is not known, and a mapping without samples, are refused with their place', () => {
  const settings = { type: 'http', baseUrl: 'https://hub.example', ...mapping }
  assert.equal(firstMistake(http.Config, settings, { at: 'connectors.hub' }), undefined)
  const mistake = (checks: object) => firstMistake(http.Config, { ...settings, checks }, { at: 'connectors.hub' })
  assert.match(
    mistake({ simSwap: { ...simSwap, hour: 1 } }) ?? '',
    /connectors\.hub\.checks\.simSwap\.hour is not a known key/,
  )
  const { samples: _, ...unproved } = simSwap!
  assert.match(mistake({ simSwap: unproved }) ?? '', /connectors\.hub\.checks\.simSwap\.samples is missing/)
  assert.match(mistake({ portability: simSwap }) ?? '', /connectors\.hub\.checks\.portability is not a known key/)
})

test('an error may mean that the API does not take these parameters', async (t) => {
  const tenure = {
    ...mapping.checks!.tenure!,
    errors: [{ at: '$.error', equals: ['TOO_EARLY'], means: 'parameters' as const }],
    samples: [{ status: 422, response: { error: 'TOO_EARLY' }, means: 'parameters' as const }],
  }
  const { connector } = await api(t, { status: 422, body: { error: 'TOO_EARLY' } }, (settings) => ({
    ...settings,
    checks: { tenure },
  }))
  await assert.rejects(
    connector.checks.tenure!(ordinaryNumber, { since: '1990-01-01' }, inquiry()),
    ParametersUnsupported,
  )
})
