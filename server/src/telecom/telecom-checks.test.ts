// Does POST /v1/telecom/checks answer each check separately, and does every row of the catalogue work against the sandbox?

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AnyCheck, type CheckName, checkNames, checks, endpoints, TelecomChecksResult } from '@ringfence/contract'
import Value from 'typebox/value'
import { eachDatabase, sqliteDatabases } from '../testing/databases.ts'
import { startTestService } from '../testing/test-service.ts'
import { until } from '../testing/until.ts'

const { path } = endpoints.telecomChecks
const everything = {
  checks: Object.fromEntries(checkNames.map((name) => [name, checks[name].example])) as Record<CheckName, object>,
}

type Result = { success: boolean; ageSeconds?: number; error?: { errorCode: string } } & Record<string, unknown>
type Results = Record<CheckName, Result>

/** 917020140140 is served by an operator that offers no checks; 917020140132 by nobody. */
const [ordinary, takenOver, withoutChecks, unknown] = ['1726', '0156', '0140', '0132'].map((end) => `91702014${end}`)

eachDatabase(({ engine, open }) => {
  test(`makes every check of an ordinary number at once (${engine})`, async (t) => {
    const { post } = await startTestService(t, await open(t))
    const { status, body, headers } = await post(path, { ...everything, phoneNumber: ordinary })
    assert.equal(status, 200)
    assert.ok(Value.Check(TelecomChecksResult, body), JSON.stringify(body))
    assert.equal(headers.get('x-ringfence-sandbox'), 'true')
    const results = body.checks as Results
    assert.deepEqual(Object.keys(results).sort(), Object.keys(checks).sort())
    for (const [name, { success, ageSeconds, source: _, ...answer }] of Object.entries(results)) {
      assert.deepEqual([success, ageSeconds], [true, 0], name)
      assert.equal(
        (checks[name as CheckName] as AnyCheck).isWarning(answer),
        false,
        `${name} ${JSON.stringify(answer)}`,
      )
    }
  })

  test(`says of each check separately why it has no answer (${engine})`, async (t) => {
    const { post, sandbox } = await startTestService(t, await open(t))
    sandbox.faults.switchOn({ kind: 'status', status: 500, route: '/device-swap/v1/check' })
    const asked = { simSwap: { maxAge: 24 }, deviceSwap: {}, tenure: { since: '2020-01-01' }, portability: {} }
    const codesOf = async (phoneNumber: string | undefined) => {
      const results = (await post(path, { phoneNumber, checks: asked })).body.checks as Results
      return Object.fromEntries(Object.entries(results).map(([name, { error }]) => [name, error?.errorCode]))
    }
    const none = undefined
    assert.deepEqual(await codesOf(takenOver), { simSwap: none, deviceSwap: 'P7344', tenure: none, portability: none })
    assert.deepEqual(await codesOf(withoutChecks), {
      ...{ simSwap: 'P7311', deviceSwap: 'P7341', tenure: 'P7341', portability: none },
    })
    assert.deepEqual(await codesOf(unknown), {
      ...{ simSwap: 'P7301', deviceSwap: 'P7301', tenure: 'P7301', portability: 'P7301' },
    })
  })
})

test('finds what the sandbox knows of each scenario, through the connector of each check', async (t) => {
  const { post } = await startTestService(t, await sqliteDatabases.open(t))
  const scenarios: readonly (readonly [suffix: string, check: CheckName, isFound: boolean])[] = [
    ['0160', 'deviceSwap', true],
    ['0161', 'deviceSwap', false],
    ['0162', 'numberRecycling', true],
    ['0163', 'tenure', true],
    ['0164', 'roaming', true],
    ['0165', 'reachability', true],
    ['0166', 'locationVerification', true],
    ['0167', 'locationVerification', false],
    ['0168', 'kycMatch', true],
  ]
  for (const [suffix, name, isFound] of scenarios) {
    const asked = { [name]: everything.checks[name] }
    const answers = (await post(path, { phoneNumber: `91702014${suffix}`, checks: asked })).body.checks as Results
    const { success, ageSeconds: _, source, ...answer } = answers[name]
    assert.deepEqual([success, source], [true, 'sandbox'], suffix)
    const row: AnyCheck = checks[name]
    assert.equal(row.isWarning(answer), isFound, `${suffix}: ${JSON.stringify(answer)}`)
  }
})

test('never answers for another window than the one that was asked', async (t) => {
  const { post } = await startTestService(t, await sqliteDatabases.open(t), { settings: { simSwapReuseSeconds: 3600 } })
  const swappedWithin = async (maxAge: number) => {
    const { body } = await post(path, { phoneNumber: '917020140161', checks: { deviceSwap: { maxAge } } })
    const { swapped, maxAgeHours } = (body.checks as Results).deviceSwap
    return [swapped, maxAgeHours]
  }
  assert.deepEqual(await swappedWithin(240), [false, 240])
  assert.deepEqual(await swappedWithin(300), [true, 300])
  assert.deepEqual(await swappedWithin(299), [false, 299])
})

test('calls the operator about names and places each time, and stores nothing of them', async (t) => {
  const database = await sqliteDatabases.open(t)
  const { post, sandbox } = await startTestService(t, database, {
    edit: (parts) => ({ ...parts, reuseSeconds: { deviceSwap: 3600 } }),
  })
  const asked = { kycMatch: { name: 'Asha Rao' }, locationVerification: { latitude: 1, longitude: 2, radius: 3000 } }
  for (let count = 0; count < 2; count++) await post(path, { phoneNumber: ordinary, checks: asked })
  const calls = sandbox.calls.last(100).map(({ path: called }) => called)
  for (const api of ['/kyc-match/v0.4/match', '/location-verification/v3/verify']) {
    assert.equal(calls.filter((called) => called === api).length, 2, api)
  }
  // Answers are stored after the response: this one shows that those before it had their time.
  await post(path, { phoneNumber: ordinary, checks: { deviceSwap: {} } })
  const stored = () => database.query(`select question from telecom_answer where question <> 'line'`)
  await until(async () => (await stored()).length > 0)
  assert.deepEqual(
    (await stored()).map(({ question }) => question),
    ['deviceSwap:240@sandbox'],
  )
})

test('refuses an unknown check, an unknown parameter, a missing one, and an empty request, and names it', async (t) => {
  const { post } = await startTestService(t, await sqliteDatabases.open(t))
  const refused: [unknown, RegExp][] = [
    [{}, /checks/],
    [{ simswap: {} }, /checks has an unknown field "simswap".*simSwap|simswap/],
    [{ simSwap: { maxage: 24 } }, /maxage/],
    [{ simSwap: { maxAge: 0 } }, /checks\.simSwap\.maxAge/],
    [{ tenure: {} }, /checks\.tenure\.since/],
    [{ tenure: { since: '2025-13-01' } }, /checks\.tenure\.since/],
    [{ kycMatch: {} }, /checks\.kycMatch/],
    ...['2025-02-30', '2023-02-29', '2025-1-1', '01-02-2025', '2025', ''].flatMap((date): [unknown, RegExp][] => [
      [{ tenure: { since: date } }, /checks\.tenure\.since must be a date that exists, as YYYY-MM-DD/],
      [
        { numberRecycling: { since: date } },
        /checks\.numberRecycling\.since must be a date that exists, as YYYY-MM-DD/,
      ],
      [{ kycMatch: { birthdate: date } }, /checks\.kycMatch\.birthdate must be a date that exists, as YYYY-MM-DD/],
      [
        { kycMatch: { idDocumentExpiryDate: date } },
        /checks\.kycMatch\.idDocumentExpiryDate must be a date that exists/,
      ],
    ]),
    // It is 2026-03-01: tomorrow has begun in Auckland, the day after has not.
    ...['2026-03-03', '2099-01-01'].flatMap((date): [unknown, RegExp][] => [
      [{ tenure: { since: date } }, /checks\.tenure\.since must not be in the future: .*YYYY-MM-DD/],
      [{ numberRecycling: { since: date } }, /checks\.numberRecycling\.since must not be in the future/],
      [{ simSwap: {}, kycMatch: { birthdate: date } }, /checks\.kycMatch\.birthdate must not be in the future/],
    ]),
  ]
  for (const [asked, mistake] of refused) {
    const { status, body } = await post(path, { phoneNumber: ordinary, checks: asked })
    assert.deepEqual([status, body.errorCode], [400, 'P7102'], JSON.stringify(asked))
    assert.match(String(body.description), mistake)
    assert.ok(!String(body.description).includes('pattern'), String(body.description))
  }
  const tomorrow = { tenure: { since: '2026-03-02' }, kycMatch: { idDocumentExpiryDate: '2040-02-29' } }
  const { body } = await post(path, { phoneNumber: ordinary, checks: tomorrow })
  assert.deepEqual([body.checks.tenure.success, body.checks.kycMatch.success], [true, true])
})
