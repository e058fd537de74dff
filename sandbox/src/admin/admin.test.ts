import assert from 'node:assert/strict'
import { request } from 'node:http'
import { test } from 'node:test'
import { testNowMs, testSandbox } from '../testing.ts'

const digits = '917020141726'
const phoneNumber = `+${digits}`

test('returns what the sandbox knows about a number', async () => {
  await using operator = await testSandbox()
  const { body } = await operator.get('/sandbox/numbers/61491570156')
  const { latestSimChange, subscriber, ...rest } = body
  assert.equal(subscriber.countryOfBirth, 'AU')
  assert.match(latestSimChange, /^2026-03-03T1[12]:/)
  assert.deepEqual(rest, {
    number: '61491570156',
    scenario: 'taken-over',
    changedByHand: false,
    monitoredPeriodDays: null,
    lookBackHours: null,
    forwarding: ['unconditional'],
    operator: { id: '001-02', name: 'SANDBOX_SOUTH' },
    homeOperator: { id: '001-01', name: 'SANDBOX_NORTH' },
    ported: true,
  })
})

test('a SIM date or clock moved across the window changes swapped', async () => {
  await using operator = await testSandbox()
  const swapped = async () =>
    (await operator.post('/sim-swap/v2/check', { phoneNumber, maxAge: 24 }, await operator.token())).body.swapped
  assert.equal(await swapped(), false)
  const set = await operator.send('PATCH', `/sandbox/numbers/${digits}`, { simChangedHoursAgo: 20 })
  assert.deepEqual([set.status, set.body.changedByHand], [200, true])
  assert.equal(set.body.latestSimChange, '2026-03-02T16:34:56.789000000Z')
  assert.equal(await swapped(), true)
  await operator.send('POST', '/sandbox/clock/advance', { hours: 4 })
  assert.equal(await swapped(), true)
  await operator.send('POST', '/sandbox/clock/advance', { hours: 0.5 })
  assert.equal(await swapped(), false)
  await operator.send('PATCH', `/sandbox/numbers/${digits}`, { latestSimChange: '2026-03-03T18:00:00+02:00' })
  assert.equal(await swapped(), true)
  await operator.send('PATCH', `/sandbox/numbers/${digits}`, { latestSimChange: null })
  assert.equal(await swapped(), false)
  await operator.send('DELETE', `/sandbox/numbers/${digits}`)
  assert.equal((await operator.get(`/sandbox/numbers/${digits}`)).body.changedByHand, false)
})

test('ignores a SIM change in the future', async () => {
  await using operator = await testSandbox()
  await operator.send('PATCH', `/sandbox/numbers/${digits}`, { latestSimChange: '2026-03-03T12:40:00Z' })
  const ask = async (path: string) => (await operator.post(path, { phoneNumber }, await operator.token())).body
  assert.deepEqual(await ask('/sim-swap/v2/check'), { swapped: false })
  assert.deepEqual(await ask('/sim-swap/v2/retrieve-date'), { latestSimChange: null })
  operator.passMs(10 * 60_000)
  assert.deepEqual(await ask('/sim-swap/v2/check'), { swapped: true })
})

test('a change of forwarding or operator changes the other two checks', async () => {
  await using operator = await testSandbox()
  const token = await operator.token()
  const path = '/call-forwarding-signal/v0.4/unconditional-call-forwardings'
  const active = async () => (await operator.post(path, { phoneNumber }, token)).body.active
  const ported = async () => (await operator.get(`/portability/v1/numbers/${digits}`, token)).body.ported
  const change = (body: object) => operator.send('PATCH', `/sandbox/numbers/${digits}`, body)
  const { body: before } = await operator.get(`/sandbox/numbers/${digits}`)
  const away = before.operator.id === '001-01' ? '001-02' : '001-01'
  assert.deepEqual([await active(), await ported()], [false, false])
  await change({ forwarding: ['unconditional', 'conditional_busy'] })
  await change({ operator: away })
  assert.deepEqual([await active(), await ported()], [true, true])
  await change({ forwarding: [], operator: before.homeOperator.id })
  assert.deepEqual([await active(), await ported()], [false, false])
  await change({ forwarding: null, operator: null })
  assert.equal((await operator.get(`/portability/v1/numbers/${digits}`, token)).status, 404)
})

test('refuses an invalid change with a sentence that names the field, and changes nothing', async () => {
  await using operator = await testSandbox()
  const refused: [unknown, RegExp][] = [
    [{}, /must not have fewer than 1 properties/],
    [{ forwarded: true }, /unknown fields: forwarded/],
    [{ forwarding: ['sometimes'] }, /^forwarding.0 must be one of unconditional, /],
    [{ operator: '404-45' }, /^operator must be one of 001-01, 001-02, 001-03/],
    [{ latestSimChange: 'yesterday' }, /^latestSimChange must match format "date-time"/],
    [{ latestSimChange: '2016-12-31T23:59:60Z' }, /must be a date that exists/],
    [{ latestSimChange: null, simChangedHoursAgo: 1 }, /not both/],
    [{ lookBackHours: 0 }, /^lookBackHours must be >= 1/],
    [[], /the body must be object/],
  ]
  for (const [body, message] of refused) {
    const answer = await operator.send('PATCH', `/sandbox/numbers/${digits}`, body)
    assert.deepEqual([answer.status, answer.body.code], [400, 'INVALID_ARGUMENT'])
    assert.match(answer.body.message, message)
  }
  assert.equal((await operator.get(`/sandbox/numbers/${digits}`)).body.changedByHand, false)
  assert.equal((await operator.get('/sandbox/numbers/346661113334')).status, 404)
  assert.equal((await operator.send('PATCH', '/sandbox/operators/404-45', { lookBackHours: 5 })).status, 400)
})

test('advances, sets and resets the clock, which keeps running', async () => {
  await using operator = await testSandbox()
  const start = { now: '2026-03-03T12:34:56.789000000Z', aheadHours: 0 }
  assert.deepEqual((await operator.get('/sandbox/clock')).body, start)
  const moved = { now: '2026-03-05T14:34:56.789000000Z', aheadHours: 50 }
  assert.deepEqual((await operator.send('POST', '/sandbox/clock/advance', { hours: 50 })).body, moved)
  const set = await operator.send('PUT', '/sandbox/clock', { now: '2030-01-01T00:00:00Z' })
  assert.equal(set.body.now, '2030-01-01T00:00:00.000000000Z')
  operator.passMs(1_000)
  assert.equal((await operator.get('/sandbox/clock')).body.now, '2030-01-01T00:00:01.000000000Z')
  assert.equal((await operator.send('DELETE', '/sandbox/clock')).body.aheadHours, 0)
  for (const [method, path, body] of [
    ['POST', '/sandbox/clock/advance', { hours: '50' }],
    ['POST', '/sandbox/clock/advance', { hours: -1_000_000 }],
    ['PUT', '/sandbox/clock', { now: 'tomorrow' }],
    ['PUT', '/sandbox/clock', { now: '0001-01-01T00:00:00Z' }],
  ] as const) {
    assert.equal((await operator.send(method, path, body)).status, 400, `${path} ${JSON.stringify(body)}`)
  }
  assert.equal(operator.sandbox.clock.now(), testNowMs + 1_000)
})

test('logs a token request and a check with correlator and grant, and no full number', async () => {
  await using operator = await testSandbox()
  const token = await operator.token()
  await operator.post('/sim-swap/v2/check', { phoneNumber }, token, { 'x-correlator': `for-${digits}` })
  await operator.get(`/portability/v1/numbers/${digits}?secret=1`, token)
  await operator.get(`/portability/v1/numbers/${digits}`)
  const { body } = await operator.get('/sandbox/calls')
  assert.deepEqual(
    body.calls.map((call: Record<string, unknown>) => [call.method, call.path, call.status, call.grant, call.number]),
    [
      ['POST', '/oauth2/token', 200, 'client_credentials', null],
      ['POST', '/sim-swap/v2/check', 200, 'client_credentials', '917*******26'],
      ['GET', '/portability/v1/numbers/917*******26', 200, 'client_credentials', '917*******26'],
      ['GET', '/portability/v1/numbers/917*******26', 401, null, null],
    ],
  )
  assert.equal(body.calls[0].authentication, 'client_secret_basic')
  assert.equal(body.calls[1].correlator, 'for-917*******26')
  assert.equal(body.calls[1].client, 'plain')
  assert.ok(!JSON.stringify(body).includes(digits))
  assert.deepEqual((await operator.get('/sandbox/calls?last=1')).body.calls, body.calls.slice(-1))
  assert.equal((await operator.get('/sandbox/calls?last=0')).status, 400)
  await operator.send('DELETE', '/sandbox/calls')
  assert.deepEqual((await operator.get('/sandbox/calls')).body, { calls: [] })
})

test('logs the last 1000 calls', async () => {
  await using operator = await testSandbox()
  for (let batch = 0; batch < 11; batch++) {
    await Promise.all(Array.from({ length: 100 }, () => operator.get('/nothing')))
  }
  const calls = operator.sandbox.calls.last(2_000)
  assert.deepEqual([calls.length, calls.at(-1)?.sequence], [1_000, 1_100])
})

test('DELETE /sandbox/changes resets everything to the state after the start', async () => {
  await using operator = await testSandbox()
  const token = await operator.token()
  await operator.send('PATCH', `/sandbox/numbers/${digits}`, { forwarding: ['unconditional'] })
  await operator.send('PATCH', '/sandbox/operators/001-01', { lookBackHours: 24 })
  await operator.send('POST', '/sandbox/clock/advance', { hours: 1 })
  await operator.send('POST', '/sandbox/faults', { kind: 'reset' })
  assert.equal((await operator.send('DELETE', '/sandbox/changes')).status, 204)
  assert.deepEqual((await operator.get(`/sandbox/numbers/${digits}`)).body.forwarding, [])
  assert.equal((await operator.get('/sandbox/operators')).body.operators[0].lookBackHours, null)
  assert.equal((await operator.get('/sandbox/clock')).body.aheadHours, 0)
  assert.deepEqual((await operator.get('/sandbox/faults')).body.faults, [])
  assert.deepEqual((await operator.get('/sandbox/calls')).body.calls, [])
  assert.equal((await operator.post('/sim-swap/v2/check', { phoneNumber }, token)).status, 401)
})

test('returns the scenarios', async () => {
  await using operator = await testSandbox()
  const { scenarios } = (await operator.get('/sandbox/scenarios')).body
  assert.ok(scenarios.some(({ suffixes }: { suffixes: string[] }) => suffixes.includes('0156')))
})

test('answers admin calls only under a name of this machine', async () => {
  await using operator = await testSandbox({ host: '0.0.0.0' })
  const status = (host: string) =>
    new Promise((resolve) => {
      const { hostname, port } = new URL(operator.sandbox.url)
      const call = request({ hostname, port, path: '/sandbox/clock', headers: { host } }, (response) => {
        response.resume()
        resolve(response.statusCode)
      })
      call.end()
    })
  assert.equal(await status('attacker.example'), 403)
  assert.equal(await status(`localhost:${operator.sandbox.port}`), 200)
  assert.equal(await status('[::1]'), 200)
  assert.match(operator.sandbox.url, /^http:\/\/127\.0\.0\.1:/)
})

test('a page in the developer’s browser can neither switch a fault on nor read the log', async () => {
  await using operator = await testSandbox()
  const url = `${operator.sandbox.url}/sandbox/faults`
  const origin = 'https://attacker.example'
  // A page may send these three content types, or none, to another origin without a preflight (Fetch Standard, 2.2.2).
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', '']) {
    const headers = { origin, 'content-type': type }
    const { status } = await fetch(url, { method: 'POST', headers, body: Buffer.from('{"kind":"reset"}') })
    assert.equal(status, 415, type)
  }
  assert.deepEqual(operator.sandbox.faults.active(), [])
  const asking = { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' }
  const asked = await fetch(url, { method: 'OPTIONS', headers: asking })
  const read = await fetch(`${operator.sandbox.url}/sandbox/calls`, { headers: { origin } })
  for (const answer of [asked, read]) assert.equal(answer.headers.get('access-control-allow-origin'), null)
  assert.equal(asked.ok, false)
})
