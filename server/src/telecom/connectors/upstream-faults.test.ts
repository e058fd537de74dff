import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type AimedFault, type Route, type Sandbox, startSandbox } from '@ringfence/sandbox'
import { scriptedUpstream } from '../../upstream/testing/scripted-upstream.ts'
import { selfSignedCertificate } from '../../upstream/testing/self-signed-certificate.ts'
import { type TestResources, testResources } from '../../upstream/testing/test-resources.ts'
import { DeadlinePassed, UpstreamError, type UpstreamErrorReason } from '../../upstream/upstream-error.ts'
import { sandbox as sandboxSource } from '../portability-sources/sandbox.ts'
import { camara } from './camara.ts'
import { inquiry, ordinaryNumber } from './testing/inquiries.ts'

/** Short only where the test waits for the guard's time-out; elsewhere a slow machine must not cause one. */
const timeoutMsOf = (reason: UpstreamErrorReason) => (reason === 'timeout' ? 300 : 30_000)
/** Far behind the time-outs. A check that reaches it fails the test. */
const deadlineMs = 60_000
/** Probes until a circuit closes: a slow machine may miss one of the short time-outs. */
const mostProbes = 5
const secret = 'kept-out-of-logs'

/** The three checks of one operator. */
function checksOf(t: TestContext, { url, tokenUrl = url }: { url: string; tokenUrl?: string }, timeoutMs = 30_000) {
  const resources = testResources({ SECRET: secret })
  const token = {
    endpoint: `${tokenUrl}/oauth2/token`,
    clientId: 'bank',
    authentication: 'client_secret_basic',
    clientSecret: { env: 'SECRET' },
  } as const
  const upstream = { baseUrl: url, token, timeoutMs }
  const connector = camara.create(
    'acme',
    { type: 'camara', sandbox: true, simSwap: {}, callForwarding: {}, ...upstream },
    resources,
  )
  const source = sandboxSource.create('ported', { type: 'sandbox', ...upstream }, resources)
  t.after(() => Promise.all([connector.close?.(), source.close?.()]))
  const checks = {
    'SIM swap': () => connector.checks.simSwap!(ordinaryNumber, { maxAge: 240 }, inquiry(deadlineMs)),
    'call forwarding': () =>
      connector.checks.callForwarding!(ordinaryNumber, { conditional: false }, inquiry(deadlineMs)),
    portability: () => source.lookUp(ordinaryNumber, inquiry(deadlineMs)),
  }
  return { checks, resources }
}

async function operator(t: TestContext): Promise<Sandbox> {
  const sandbox = await startSandbox({
    clock: testResources().clock,
    clients: [{ clientId: 'bank', clientSecret: secret }],
  })
  t.after(() => sandbox.close())
  return sandbox
}

/** Each check fails for this reason and before its deadline. The log and the errors hold neither number nor secret. */
async function allFail({ checks, resources }: ReturnType<typeof checksOf>, reason: UpstreamErrorReason): Promise<void> {
  const failures = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => {
      const failure: unknown = await check().then(
        (result) => `returned ${result}`,
        (error) => error,
      )
      assert.ok(failure instanceof UpstreamError, `${name}: ${failure}`)
      assert.equal(failure.reason, reason, `${name}: ${failure.message}`)
      assert.ok(!(failure instanceof DeadlinePassed), `${name}: only the deadline ended the call`)
      return `${failure.message} ${failure.stack} ${JSON.stringify(failure)} ${failure.cause}`
    }),
  )
  for (const text of [...failures, resources.logged()]) {
    assert.ok(!text.includes(secret) && !text.includes(ordinaryNumber.digits), text)
  }
}

/** Runs the check once per pause of the circuit until it succeeds. */
async function recovers(check: () => Promise<unknown>, { clock }: TestResources): Promise<void> {
  for (let probe = 1; ; probe++) {
    try {
      await check()
      return
    } catch (error) {
      if (probe === mostProbes) throw error
      clock.advance({ seconds: 30 })
    }
  }
}

const faults: [string, AimedFault, UpstreamErrorReason][] = [
  ['slow', { kind: 'slow', delayMs: 60_000 }, 'timeout'],
  ['reset', { kind: 'reset' }, 'unreachable'],
  ['half-open', { kind: 'half-open' }, 'timeout'],
  ['drip', { kind: 'drip', everyMs: 50 }, 'timeout'],
  ['garbage', { kind: 'garbage' }, 'format'],
  ['wrong type', { kind: 'wrong-content-type' }, 'format'],
  ['huge body', { kind: 'huge-body', bytes: 10_000_000 }, 'format'],
  ['redirect', { kind: 'redirect' }, 'status'],
  ['5xx', { kind: 'status', status: 500 }, 'status'],
  ['429', { kind: 'status', status: 429 }, 'overloaded'],
]
const places: Record<string, Route[]> = {
  'at the API': [
    '/sim-swap/v2/check',
    '/call-forwarding-signal/v0.4/unconditional-call-forwardings',
    '/portability/v1/numbers/{digits}',
  ],
  'at the token endpoint': ['/oauth2/token'],
}

for (const [title, fault, reason] of faults) {
  for (const [place, routes] of Object.entries(places)) {
    test(`survives an upstream fault: ${title} ${place}`, async (t) => {
      const [failing, healthy] = [await operator(t), await operator(t)]
      const [checked, others] = [checksOf(t, failing, timeoutMsOf(reason)), checksOf(t, healthy)]
      for (const route of routes) failing.faults.switchOn({ ...fault, route })
      await allFail(checked, reason)

      // The fault lasts until the circuits open. Another operator is not affected.
      await Promise.all(Array.from({ length: 11 }, () => allFail(checked, reason).catch(() => undefined)))
      failing.calls.clear()
      await allFail(checked, 'overloaded')
      assert.deepEqual(failing.calls.last(10), [], 'an open circuit sends nothing')
      for (const check of Object.values(others.checks)) await check()

      // The circuits close soon after the fault ends.
      failing.faults.switchAllOff()
      checked.resources.clock.advance({ seconds: 1 })
      for (const check of Object.values(checked.checks)) await recovers(check, checked.resources)
    })
  }
}

test('survives an upstream fault: bad TLS', async (t) => {
  const { certificate: cert, key } = selfSignedCertificate('ringfence test')
  const { url } = await scriptedUpstream(t, () => ({ body: { swapped: false, active: false } }), { cert, key })
  const { url: tokenUrl } = await operator(t)
  await allFail(checksOf(t, { url, tokenUrl }), 'unreachable')
  await allFail(checksOf(t, { url: tokenUrl, tokenUrl: url }), 'unreachable')
  await allFail(checksOf(t, { url: tokenUrl.replace('http:', 'https:'), tokenUrl }), 'unreachable')
})

test('survives an upstream fault: a host name without an IP address', async (t) => {
  const { url: tokenUrl } = await operator(t)
  // A label of more than 63 letters: the resolver refuses it without a query.
  const url = `http://${'a'.repeat(64)}.invalid`
  await allFail(checksOf(t, { url, tokenUrl }), 'unreachable')
  await allFail(checksOf(t, { url: tokenUrl, tokenUrl: url }), 'unreachable')
})
