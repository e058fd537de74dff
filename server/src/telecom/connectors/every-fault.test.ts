// Does every check of every connector fail cleanly at each upstream fault? In time, for its reason, without number or secret.

import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { createServer, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { type AnyCheck, checks, type OperatorCheckName, operatorCheckNames } from '@ringfence/contract'
import { grant, scriptedUpstream } from '../../upstream/testing/scripted-upstream.ts'
import { selfSignedCertificate } from '../../upstream/testing/self-signed-certificate.ts'
import { testResources } from '../../upstream/testing/test-resources.ts'
import { DeadlinePassed, UpstreamError, type UpstreamErrorReason } from '../../upstream/upstream-error.ts'
import { connectorKinds } from './index.ts'
import { inquiry, ordinaryNumber } from './testing/inquiries.ts'

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' })
const secrets = { SECRET: 'kept-out-of-logs', PEM: rsa.toString() }
const secret = { env: 'SECRET' }
const sample = [{ status: 404, response: {}, means: 'failed' }]
const everyCheck = Object.fromEntries(operatorCheckNames.map((name) => [name, {}]))

/** A mapping that sends what the question has, and has each field of the answer at its own name. */
function mappingOf({ name, Params, Answer }: AnyCheck) {
  const fields = Object.keys(Answer.properties).filter((field) => field !== 'maxAgeHours')
  const sent = Object.keys(questions[name]!).filter((param) => param in Params.properties)
  return {
    path: '/{digits}',
    body: Object.fromEntries(sent.map((param) => [param, `{${param}}`])),
    answer: Object.fromEntries(fields.map((field) => [field, `$.${field}`])),
    samples: sample,
  }
}

/** The checks that each kind answers, and whether it knows operators: a check that gets lost would go untested. */
const answered: Record<string, [checks: readonly OperatorCheckName[], operator: boolean]> = {
  camara: [operatorCheckNames, false],
  'twilio-lookup': [['simSwap', 'callForwarding'], true],
  telnyx: [[], true],
  'vonage-insights': [['simSwap', 'roaming', 'reachability'], true],
  sinch: [['simSwap'], true],
  telesign: [['simSwap', 'callForwarding'], true],
  http: [operatorCheckNames, true],
}

/** The settings of each kind, beside its URL. `tokenUrl` is a healthy token endpoint. */
const settings: Record<string, (tokenUrl: string) => object> = {
  camara: (tokenUrl) => ({
    token: { endpoint: tokenUrl, clientId: 'bank', authentication: 'client_secret_basic', clientSecret: secret },
    ...everyCheck,
  }),
  'twilio-lookup': () => ({ accountSid: 'AC1', authToken: secret }),
  telnyx: () => ({ apiKey: secret }),
  'vonage-insights': () => ({ applicationId: 'app', privateKey: { env: 'PEM' } }),
  sinch: () => ({ projectId: 'p', keyId: 'k', keySecret: secret }),
  telesign: () => ({ customerId: 'c', apiKey: secret }),
  http: () => ({
    secrets: { key: secret },
    headers: { authorization: '{secret.key}' },
    checks: Object.fromEntries(operatorCheckNames.map((name) => [name, mappingOf(checks[name])])),
    operator: { path: '/{e164}', answer: { operator: '$.operator' }, samples: sample },
  }),
}

test('every kind of connector is here', () => {
  assert.deepEqual(Object.keys(settings).sort(), connectorKinds.map(({ type }) => type).sort())
})

/** A question for each check. */
const questions: Record<string, object> = Object.fromEntries(
  operatorCheckNames.map((name) => {
    const { example, fill }: AnyCheck = checks[name]
    return [name, fill ? fill(example, {}, { maxAgeHours: 240 }) : example]
  }),
)

const head = (status: string, more = '') => `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\n${more}`
const whole = (status: string, body = '{}', more = '') =>
  `${head(status, more)}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`

/** What the upstream does with a request. */
const faults: Record<string, [UpstreamErrorReason, (socket: Socket) => void]> = {
  'half-open': ['timeout', () => {}],
  slow: ['timeout', (socket) => setTimeout(() => socket.end(whole('200 OK')), 60_000).unref()],
  drip: [
    'timeout',
    (socket) => {
      socket.write(`${head('200 OK')}content-length: 100000\r\n\r\n`)
      const timer = setInterval(() => socket.write(' '), 50)
      socket.on('close', () => clearInterval(timer))
    },
  ],
  reset: ['unreachable', (socket) => socket.resetAndDestroy()],
  garbage: ['format', (socket) => socket.end('\u0000\u0001\u0002 not HTTP\r\n\r\n')],
  'wrong type': ['format', (socket) => socket.end(whole('200 OK', '<html>').replace('application/json', 'text/html'))],
  'half a body': ['format', (socket) => socket.end(whole('200 OK', '{"half'))],
  'huge body': ['format', (socket) => socket.end(whole('200 OK', JSON.stringify('x'.repeat(1_000_000))))],
  redirect: ['status', (socket) => socket.end(whole('302 Found', '{}', 'location: https://elsewhere.example/\r\n'))],
  'status 500': ['status', (socket) => socket.end(whole('500 Internal Server Error'))],
  'status 429': ['overloaded', (socket) => socket.end(whole('429 Too Many Requests'))],
}

async function faulty(t: TestContext, act: (socket: Socket) => void): Promise<string> {
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket))
    socket.on('error', () => undefined)
    socket.once('data', () => act(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(async () => {
    for (const socket of open) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`
}

/** Each check of the connector at this URL fails for this reason. */
async function allFail(t: TestContext, type: string, baseUrl: string, reason: UpstreamErrorReason): Promise<void> {
  const { url } = await scriptedUpstream(t, () => grant())
  const resources = testResources(secrets)
  // Short only where the test waits for it: elsewhere a slow machine must not cause a time-out.
  const timeoutMs = reason === 'timeout' ? 300 : 30_000
  const config = { type, baseUrl, sandbox: true, timeoutMs, ...settings[type]!(`${url}/token`) }
  const connector = connectorKinds.find((kind) => kind.type === type)!.create('acme', config, resources)
  t.after(() => connector.close?.())
  const asked = Object.entries(connector.checks).map(
    ([name, ask]) => [name, () => ask(ordinaryNumber, questions[name] as never, inquiry(60_000))] as const,
  )
  const { lookUpOperator } = connector
  const all = [
    ...asked,
    ...(lookUpOperator ? [['operator', () => lookUpOperator(ordinaryNumber, inquiry(60_000))] as const] : []),
  ]
  const [expected, looksUp] = answered[type]!
  assert.deepEqual([asked.map(([name]) => name).sort(), lookUpOperator !== undefined], [expected.toSorted(), looksUp])
  const failures = await Promise.all(
    all.map(async ([name, ask]) => {
      const failure: unknown = await ask().then(
        (answer) => `answered ${JSON.stringify(answer)}`,
        (error) => error,
      )
      assert.ok(failure instanceof UpstreamError, `${name}: ${failure}`)
      assert.equal(failure.reason, reason, `${name}: ${failure.message}`)
      assert.ok(!(failure instanceof DeadlinePassed), `${name}: only the deadline ended the call`)
      return `${failure.message} ${failure.stack} ${JSON.stringify(failure)} ${failure.cause}`
    }),
  )
  for (const text of [...failures, resources.logged()]) {
    assert.ok(!text.includes(secrets.SECRET) && !text.includes(ordinaryNumber.digits), text)
  }
}

for (const type of Object.keys(settings)) {
  for (const [fault, [reason, act]] of Object.entries(faults)) {
    test(`${type}: every check survives an upstream fault: ${fault}`, async (t) => {
      await allFail(t, type, await faulty(t, act), reason)
    })
  }

  test(`${type}: every check survives an upstream fault: bad TLS`, async (t) => {
    const { certificate: cert, key } = selfSignedCertificate('ringfence test')
    const { url } = await scriptedUpstream(t, () => ({}), { cert, key })
    await allFail(t, type, url, 'unreachable')
  })

  test(`${type}: every check survives an upstream fault: a host name without an IP address`, async (t) => {
    // A label of more than 63 letters: the resolver refuses it without a query.
    await allFail(t, type, `http://${'a'.repeat(64)}.invalid`, 'unreachable')
  })
}
