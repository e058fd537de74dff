import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testSandbox } from './testing.ts'

const body = { phoneNumber: '+917020141726' }
const check = '/sim-swap/v2/check'

test('returns 401 UNAUTHENTICATED without a valid token, whatever the body', async () => {
  await using operator = await testSandbox()
  for (const token of [undefined, 'unknown', 'x y']) {
    const { status, headers, body: error } = await operator.post(check, 'nonsense', token)
    assert.deepEqual([status, error.status, error.code], [401, 401, 'UNAUTHENTICATED'])
    assert.match(headers.get('www-authenticate') ?? '', /^Bearer/)
  }
})

test('expires tokens by the sandbox’s clock', async () => {
  await using operator = await testSandbox()
  const token = await operator.token()
  operator.passMs(3_599_999)
  assert.equal((await operator.post(check, body, token)).status, 200)
  operator.passMs(1)
  assert.equal((await operator.post(check, body, token)).status, 401)
  const fresh = await operator.token()
  operator.sandbox.clock.advance(2)
  assert.equal((await operator.post(check, body, fresh)).status, 401)
})

test('returns 403 PERMISSION_DENIED on each route for a token with other scopes', async () => {
  await using operator = await testSandbox()
  const purpose = 'dpv:FraudPreventionAndDetection'
  const unconditional = '/call-forwarding-signal/v0.4/unconditional-call-forwardings'
  const kinds = '/call-forwarding-signal/v0.4/call-forwardings'
  const rows: [string, string[]][] = [
    [`${purpose} sim-swap:check`, [check]],
    [`${purpose} sim-swap:retrieve-date`, ['/sim-swap/v2/retrieve-date']],
    [`${purpose} sim-swap`, [check, '/sim-swap/v2/retrieve-date']],
    [`${purpose} call-forwarding-signal:unconditional-call-forwardings:read`, [unconditional]],
    [`${purpose} call-forwarding-signal:call-forwardings:read`, [kinds]],
    ['portability:read', []],
  ]
  for (const [scope, open] of rows) {
    const token = await operator.token(scope)
    for (const path of [check, '/sim-swap/v2/retrieve-date', unconditional, kinds]) {
      const answer = await operator.post(path, body, token)
      assert.equal(answer.status, open.includes(path) ? 200 : 403, `${scope} at ${path}`)
      if (answer.status === 403) assert.equal(answer.body.code, 'PERMISSION_DENIED')
    }
    const { status } = await operator.get('/portability/v1/numbers/917020141726', token)
    assert.equal(status, scope === 'portability:read' ? 200 : 403, `${scope} at portability`)
  }
})
