import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { testSandbox } from '../testing.ts'

const ordinary = '+917020141726'

test('an ordinary SIM was not swapped; its date is its activation, with nine fractional digits', async () => {
  await using operator = await testSandbox()
  const token = await operator.token()
  const asked = { phoneNumber: ordinary, maxAge: 2_400 }
  assert.deepEqual((await operator.post('/sim-swap/v2/check', asked, token)).body, { swapped: false })
  const dates = await Promise.all(
    [0, 1].map(() => operator.post('/sim-swap/v2/retrieve-date', { phoneNumber: ordinary }, token)),
  )
  assert.match(dates[0]?.body.latestSimChange, /^20(1[5-9]|2[0-2])-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z$/)
  assert.deepEqual(dates[0]?.body, dates[1]?.body)
})

test('maxAge sets the window; the default is 240 hours', async () => {
  await using operator = await testSandbox()
  const token = await operator.token()
  const swapped = async (suffix: string, maxAge?: number) =>
    (await operator.post('/sim-swap/v2/check', { phoneNumber: `+1202555${suffix}`, maxAge }, token)).body.swapped
  assert.deepEqual([await swapped('0110', 1), await swapped('0110')], [true, true])
  assert.deepEqual([await swapped('0111', 99), await swapped('0111', 100), await swapped('0111')], [false, true, true])
  assert.deepEqual(
    [await swapped('0112', 499), await swapped('0112', 500), await swapped('0112')],
    [false, true, false],
  )
})

test('a scenario’s date stays the same within an hour, and does not age while the sandbox runs', async () => {
  await using operator = await testSandbox()
  const dates = new Set<number>()
  for (let minutes = 0; minutes < 60 * 24 * 20; minutes += 7 * 60 + 13) {
    operator.passMs((7 * 60 + 13) * 60_000)
    const { latestSimChange } = operator.sandbox.lines.at('61491570110')
    const ageMs = operator.sandbox.clock.now() - Date.parse(latestSimChange ?? '')
    assert.ok(ageMs >= 0 && ageMs <= 3_600_000, `${ageMs}`)
    dates.add(Date.parse(latestSimChange ?? '') % 3_600_000)
  }
  assert.equal(dates.size, 1)
})

test('maxAge must be a whole number of hours from 1 to 2400', async () => {
  await using operator = await testSandbox()
  const token = await operator.token()
  const code = async (maxAge: unknown) => {
    const { status, body } = await operator.post('/sim-swap/v2/check', { phoneNumber: ordinary, maxAge }, token)
    return `${status} ${body.code ?? ''}`
  }
  for (const maxAge of ['72', 12.5, null, true, [1]]) assert.equal(await code(maxAge), '400 INVALID_ARGUMENT')
  for (const maxAge of [0, -1, 2_401, 100_000]) assert.equal(await code(maxAge), '400 OUT_OF_RANGE')
  for (const maxAge of [1, 2_400]) assert.equal(await code(maxAge), '200 ')
})

test('an operator’s legal limit makes a longer window OUT_OF_RANGE, and an older date null with monitoredPeriod', async () => {
  await using operator = await testSandbox()
  const token = await operator.token()
  const phoneNumber = '+12025550112'
  const id = operator.sandbox.lines.at('12025550112').operator?.id
  const set = await operator.send('PATCH', `/sandbox/operators/${id}`, { lookBackHours: 720 })
  assert.equal(set.body.lookBackHours, 720)
  const beyond = await operator.post('/sim-swap/v2/check', { phoneNumber, maxAge: 721 }, token)
  assert.deepEqual([beyond.status, beyond.body.code], [400, 'OUT_OF_RANGE'])
  assert.match(beyond.body.message, /720 hours/)
  assert.deepEqual((await operator.post('/sim-swap/v2/check', { phoneNumber, maxAge: 720 }, token)).body, {
    swapped: true,
  })
  operator.sandbox.clock.advance(300)
  const fresh = await operator.token()
  const date = await operator.post('/sim-swap/v2/retrieve-date', { phoneNumber }, fresh)
  assert.deepEqual(date.body, { latestSimChange: null, monitoredPeriod: 30 })
  await operator.send('PATCH', `/sandbox/operators/${id}`, { lookBackHours: null })
  const after = await operator.post('/sim-swap/v2/retrieve-date', { phoneNumber }, fresh)
  assert.equal(typeof after.body.latestSimChange, 'string')
})

test('returns MISSING_IDENTIFIER, INVALID_ARGUMENT or IDENTIFIER_NOT_FOUND for a wrong number', async () => {
  await using operator = await testSandbox()
  const token = await operator.token()
  for (const path of ['/sim-swap/v2/check', '/sim-swap/v2/retrieve-date']) {
    const code = async (body: unknown) => (await operator.post(path, body, token)).body.code
    assert.equal(await code({}), 'MISSING_IDENTIFIER')
    assert.equal(await code({ phoneNumber: '917020141726' }), 'INVALID_ARGUMENT')
    assert.equal(await code({ phoneNumber: 917020141726 }), 'INVALID_ARGUMENT')
    assert.equal(await code({ phoneNumber: null }), 'INVALID_ARGUMENT')
    assert.equal(await code([]), 'INVALID_ARGUMENT')
    assert.equal(await code({ phoneNumber: '+346661113334' }), 'IDENTIFIER_NOT_FOUND')
    assert.equal(await code({ phoneNumber: '+610491570006' }), 'IDENTIFIER_NOT_FOUND')
  }
})

test('answers any input with a CAMARA error and never with 5xx', async () => {
  await using operator = await testSandbox()
  const token = await operator.token()
  const anything = fc.oneof(
    fc.json(),
    fc.string(),
    fc.record({ phoneNumber: fc.string(), maxAge: fc.anything() }).map((value) => JSON.stringify(value)),
  )
  await fc.assert(
    fc.asyncProperty(anything, async (body) => {
      const response = await fetch(`${operator.sandbox.url}/sim-swap/v2/check`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body,
      })
      const answer = (await response.json()) as { status?: number; code?: string; message?: string }
      assert.ok(response.status < 500)
      if (response.status === 200) return
      assert.equal(answer.status, response.status)
      assert.ok(answer.code && answer.message)
    }),
    { numRuns: 150 },
  )
})
