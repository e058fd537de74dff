import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type AimedFault, type Route, type Sandbox, startSandbox } from '@ringfence/sandbox'
import { scriptedUpstream } from '../../upstream/testing/scripted-upstream.ts'
import { selfSignedCertificate } from '../../upstream/testing/self-signed-certificate.ts'
import { sandbox as sandboxSource } from '../portability-sources/sandbox.ts'
import { camara } from './camara.ts'
import { CheckFailed, type FailureReason } from './connector.ts'
import { inquiry, ordinaryNumber, testResources } from './testing/connector-resources.ts'

const timeoutMs = 300
const deadlineMs = 2_000
const secret = 'kept-out-of-logs'

/** The three checks of one operator, each as something to ask. */
function checksOf(t: TestContext, { url, tokenUrl = url }: { url: string; tokenUrl?: string }) {
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
    'SIM swap': () => connector.simSwappedWithin!(ordinaryNumber, 240, inquiry(deadlineMs)),
    'call forwarding': () => connector.isForwarded!(ordinaryNumber, false, inquiry(deadlineMs)),
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

/** Each check fails in time and for this reason; the log and the failures hold neither number nor secret. */
async function allFail({ checks, resources }: ReturnType<typeof checksOf>, reason: FailureReason): Promise<void> {
  const startedAt = performance.now()
  const failures = await Promise.all(
    Object.entries(checks).map(async ([check, ask]) => {
      const failure: unknown = await ask().then(
        (answer) => `answered ${answer}`,
        (error) => error,
      )
      assert.ok(failure instanceof CheckFailed, `${check}: ${failure}`)
      assert.equal(failure.reason, reason, `${check}: ${failure.message}`)
      return `${failure.message} ${failure.stack} ${JSON.stringify(failure)} ${failure.cause}`
    }),
  )
  assert.ok(performance.now() - startedAt < deadlineMs)
  for (const text of [...failures, resources.logged()]) {
    assert.ok(!text.includes(secret) && !text.includes(ordinaryNumber.digits), text)
  }
}

const faults: [string, AimedFault, FailureReason][] = [
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
    test(`an upstream cannot hurt us: ${title} ${place}`, async (t) => {
      const [sick, well] = [await operator(t), await operator(t)]
      const [asked, others] = [checksOf(t, sick), checksOf(t, well)]
      for (const route of routes) sick.faults.switchOn({ ...fault, route })
      await allFail(asked, reason)

      // It goes on until the circuits are open, while another operator is well.
      await Promise.all(Array.from({ length: 11 }, () => allFail(asked, reason).catch(() => undefined)))
      sick.calls.clear()
      await allFail(asked, 'overloaded')
      assert.deepEqual(sick.calls.last(10), [], 'the upstream is left alone')
      for (const ask of Object.values(others.checks)) await ask()

      // And is forgotten soon after it has ended.
      sick.faults.switchAllOff()
      asked.resources.clock.advance({ seconds: 1 })
      for (const ask of Object.values(asked.checks)) await ask()
    })
  }
}

test('an upstream cannot hurt us: bad TLS', async (t) => {
  const { certificate: cert, key } = selfSignedCertificate('ringfence test')
  const { url } = await scriptedUpstream(t, () => ({ body: { swapped: false, active: false } }), { cert, key })
  const { url: tokenUrl } = await operator(t)
  await allFail(checksOf(t, { url, tokenUrl }), 'unreachable')
  await allFail(checksOf(t, { url: tokenUrl, tokenUrl: url }), 'unreachable')
  await allFail(checksOf(t, { url: tokenUrl.replace('http:', 'https:'), tokenUrl }), 'unreachable')
})

test('an upstream cannot hurt us: a name without an address', async (t) => {
  const { url: tokenUrl } = await operator(t)
  // A label of more than 63 letters: the resolver refuses it without asking anybody.
  const url = `http://${'a'.repeat(64)}.invalid`
  await allFail(checksOf(t, { url, tokenUrl }), 'unreachable')
  await allFail(checksOf(t, { url: tokenUrl, tokenUrl: url }), 'unreachable')
})
