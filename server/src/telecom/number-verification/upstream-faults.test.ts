// Does a verification end with its own answer at each fault of the operator, within the deadline, and without a guess?

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NumberVerificationResult } from '@ringfence/contract'
import Value from 'typebox/value'
import { sqliteDatabases } from '../../testing/databases.ts'
import { holdTimers } from '../../testing/held-timers.ts'
import { sandboxTimeoutMs, startTestService, type TestService } from '../../testing/test-service.ts'
import { until } from '../../testing/until.ts'
import { openAsPhone } from './testing/phone.ts'

const { open } = sqliteDatabases
const path = '/v1/telecom/number-verifications'
const phoneNumber = '917020141726'

type Fault = Parameters<Awaited<ReturnType<typeof startTestService>>['sandbox']['faults']['switchOn']>[0]

/** The first three are found by the time limit of an attempt. */
const faults: Record<string, Fault> = {
  slow: { kind: 'slow', delayMs: 60_000 },
  'half-open': { kind: 'half-open' },
  drip: { kind: 'drip', everyMs: 5_000 },
  reset: { kind: 'reset' },
  garbage: { kind: 'garbage' },
  'wrong content type': { kind: 'wrong-content-type' },
  'huge body': { kind: 'huge-body', bytes: 1_000_000 },
  redirect: { kind: 'redirect' },
  'status 500': { kind: 'status', status: 500 },
  'status 503': { kind: 'status', status: 503 },
  'status 429': { kind: 'status', status: 429, retryAfterSeconds: 1 },
  'status 401': { kind: 'status', status: 401 },
}
const waits = ['slow', 'half-open', 'drip']

const isInjected = ({ calls }: TestService['sandbox']) => calls.last(1).some(({ fault }) => fault !== null)

for (const [name, fault] of Object.entries(faults)) {
  test(`a phone that returned gets no result, and no second use of its code, at the fault: ${name}`, async (t) => {
    const service = await startTestService(t, await open(t))
    const { post, sandbox } = service
    const timeouts = holdTimers(t, sandboxTimeoutMs)
    for (const route of ['/oauth2/token', '/number-verification/v2/verify']) {
      const { body: begun } = await post(path, { phoneNumber })
      const returned = await openAsPhone(begun.url)
      sandbox.calls.clear()
      const { id } = sandbox.faults.switchOn({ ...fault, route })
      const completing = post(`${path}/${begun.verificationId}/complete`, returned)
      if (waits.includes(name)) await until(() => isInjected(sandbox)).then(timeouts.fire)
      const { status, body } = await completing
      sandbox.faults.switchOff(id)
      assert.equal(status, 200)
      assert.deepEqual(Value.Errors(NumberVerificationResult, body), [])
      assert.deepEqual([body.success, body.error.errorCode], [false, 'P7364'], route)
      const calls = sandbox.calls.last(99).filter((call) => call.path === route)
      assert.equal(calls.length, 1, `${route} is called once: a code and its token are accepted once`)
      // A pause that the operator asked for ends, and so does an open circuit.
      service.clock.advance({ seconds: 120 })
    }
  })

  test(`a verification does not begin when nobody says who serves the number, at the fault: ${name}`, async (t) => {
    const { post, sandbox } = await startTestService(t, await open(t))
    const timeouts = holdTimers(t, sandboxTimeoutMs)
    sandbox.faults.switchOn({ ...fault, route: '/portability/v1/numbers/{digits}' })
    const beginning = post(path, { phoneNumber })
    if (waits.includes(name)) await until(() => isInjected(sandbox)).then(timeouts.fire)
    const { status, body } = await beginning
    assert.deepEqual([status, body.success, body.error?.errorCode], [200, false, 'P7301'])
  })
}
