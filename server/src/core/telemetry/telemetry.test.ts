// Does a collector get the trace of a request and its calls, and the metrics? And is the caller's trace passed on without one?

import assert from 'node:assert/strict'
import { ClientRequest } from 'node:http'
import { type TestContext, test } from 'node:test'
import { type Logger, pino } from 'pino'
import { sqliteDatabases } from '../../testing/databases.ts'
import { holdTimers } from '../../testing/held-timers.ts'
import { settlesWithin } from '../../testing/settles.ts'
import { startTestService } from '../../testing/test-service.ts'
import { scriptedUpstream } from '../../upstream/testing/scripted-upstream.ts'
import { readTraceHeaders } from './trace-headers.ts'

const callersTrace = '0af7651916cd43dd8448eb211c80319c'
const callersSpan = 'b7ad6b7169203331'
const traceparent = `00-${callersTrace}-${callersSpan}-01`

/** A service whose operator is `operatorUrl`, which answers the token request and every check alike. */
async function serviceWith(t: TestContext, operatorUrl: string, settings: object, log?: Logger) {
  return startTestService(t, await sqliteDatabases.open(t), {
    settings,
    ...(log && { log }),
    edit: (parts) => ({
      ...parts,
      connectors: {
        sandbox: { ...parts.connectors.sandbox!, baseUrl: operatorUrl } as (typeof parts.connectors)[string],
      },
    }),
  })
}

/** The last export takes as long as it takes: two seconds are its limit, and a busy machine can stand still for them. */
function unhurried(t: TestContext): void {
  holdTimers(t, 2_000)
  t.mock.method(ClientRequest.prototype, 'setTimeout', function (this: ClientRequest) {
    return this
  })
}

const check = '/v1/telecom/sim-swap-check'
const number = { phoneNumber: '917020141726' }

interface SentSpan {
  name: string
  kind: number
  traceId: string
  spanId: string
  parentSpanId: string
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[]
}

test('sends the span of a request, and below it the span of the call that the operator sees', async (t) => {
  unhurried(t)
  const collector = await scriptedUpstream(t, () => ({}))
  const operator = await scriptedUpstream(t, () => ({ body: { swapped: false } }))
  const { post, parts: needs } = await serviceWith(t, operator.url, { otlpEndpoint: collector.url })
  assert.equal((await post(check, number, { traceparent })).body.success, true)
  await needs.close()

  const spans = collector.received
    .filter(({ path }) => path === '/v1/traces')
    .flatMap(({ body }): SentSpan[] => JSON.parse(body).resourceSpans.flatMap(spansOf))
  const request = spans.find(({ name }) => name === `POST ${check}`)!
  assert.deepEqual([request.traceId, request.parentSpanId], [callersTrace, callersSpan])
  const call = spans.find(({ name }) => name === 'sim-swap/check')!
  assert.deepEqual([call.traceId, call.parentSpanId], [callersTrace, request.spanId])
  const toOperator = operator.received.find(({ path }) => path.endsWith('/check'))!
  assert.equal(toOperator.headers.traceparent, `00-${callersTrace}-${call.spanId}-01`)
  assert.ok(!JSON.stringify(collector.received).includes(number.phoneNumber))
})

const spansOf = ({ scopeSpans }: { scopeSpans: { spans: SentSpan[] }[] }) => scopeSpans.flatMap(({ spans }) => spans)

test('strangers decide neither that a request is traced nor that it is not; its trace id is used', async (t) => {
  unhurried(t)
  const sentSpans = async (traceRatio: number, header: string) => {
    const collector = await scriptedUpstream(t, () => ({}))
    const operator = await scriptedUpstream(t, () => ({ body: { swapped: false } }))
    const { url, post, parts: needs } = await serviceWith(t, operator.url, { otlpEndpoint: collector.url, traceRatio })
    await fetch(`${url}/health`, { headers: { traceparent: header } })
    await post(check, number, { traceparent: header, clientSecret: 'rfs_wrong' })
    await post('/sdk/v1/init', {}, { traceparent: header, appId: 'nobody' })
    await needs.close()
    const traces = collector.received.filter(({ path }) => path === '/v1/traces')
    return traces.flatMap(({ body }): SentSpan[] => JSON.parse(body).resourceSpans.flatMap(spansOf))
  }
  assert.deepEqual(await sentSpans(0, traceparent), [])
  // A sampler that goes by the trace id keeps this one at any ratio.
  assert.deepEqual(await sentSpans(0.000_001, `00-${'0'.repeat(31)}1-${callersSpan}-01`), [])
  const unwanted = await sentSpans(1, traceparent.replace(/01$/, '00'))
  assert.deepEqual(
    unwanted.map(({ traceId }) => traceId),
    Array(3).fill(callersTrace),
  )
})

test('sends the metrics that Prometheus reads, with the count of each bucket', async (t) => {
  unhurried(t)
  const collector = await scriptedUpstream(t, () => ({}))
  const operator = await scriptedUpstream(t, () => ({ body: { swapped: false } }))
  const { post, parts: needs } = await serviceWith(t, operator.url, { otlpEndpoint: `${collector.url}/` })
  for (let i = 0; i < 3; i++) await post(check, number)
  await needs.close()

  const sent = collector.received.filter(({ path }) => path === '/v1/metrics').at(-1)!
  const metrics: { name: string; histogram?: { dataPoints: Point[] }; sum?: { dataPoints: Point[] } }[] = JSON.parse(
    sent.body,
  ).resourceMetrics[0].scopeMetrics.flatMap((scope: { metrics: [] }) => scope.metrics)
  const requests = metrics.find(({ name }) => name === 'ringfence_http_request_seconds')!.histogram!.dataPoints
  const checks = requests.find(({ attributes }) => attributes.some(({ value }) => value.stringValue === check))!
  assert.equal(Number(checks.count), 3)
  assert.equal(
    checks.bucketCounts!.reduce((total: number, count) => total + Number(count), 0),
    3,
  )
  assert.equal(checks.bucketCounts!.length, checks.explicitBounds!.length + 1)
})

interface Point {
  attributes: { key: string; value: { stringValue?: string } }[]
  count?: number | string
  bucketCounts?: (number | string)[]
  explicitBounds?: number[]
}

test('a collector that hangs delays no answer and no stop, and the log says what is lost', async (t) => {
  const collector = await scriptedUpstream(t, () => 'silence')
  const operator = await scriptedUpstream(t, () => ({ body: { swapped: false } }))
  const lines: string[] = []
  const log = pino({}, { write: (line: string) => void lines.push(line) })
  const settings = { otlpEndpoint: collector.url, traceRatio: 1 }
  const { post, parts: needs } = await serviceWith(t, operator.url, settings, log)
  assert.equal((await post(check, number)).body.success, true)
  // Two seconds are promised. Without that limit it would be ten and more.
  await settlesWithin(9_000, needs.close())
  for (const what of ['traces', 'metrics']) {
    const lost = lines.filter((line) => line.includes(`collector does not take ${what}, so they are lost`))
    assert.equal(lost.length, 1, what)
  }
})

test("without a collector, the operator sees the caller's trace unchanged", async (t) => {
  const operator = await scriptedUpstream(t, () => ({ body: { swapped: false } }))
  const { post } = await serviceWith(t, operator.url, {})
  await post(check, number, { traceparent, tracestate: 'bank=1' })
  await post(check, number, { traceparent: 'nonsense', tracestate: 'bank=1' })
  const [passedOn, untraced] = operator.received.filter(({ path }) => path.endsWith('/check'))
  assert.deepEqual([passedOn!.headers.traceparent, passedOn!.headers.tracestate], [traceparent, 'bank=1'])
  assert.deepEqual([untraced!.headers.traceparent, untraced!.headers.tracestate], [undefined, undefined])
})

test('refuses a malformed traceparent: another version, zeros, capitals', () => {
  const other = [`01-${callersTrace}-${callersSpan}-01`, `00-${'0'.repeat(32)}-${callersSpan}-01`]
  for (const malformed of [...other, `00-${callersTrace}-${'0'.repeat(16)}-01`, traceparent.toUpperCase(), '']) {
    assert.deepEqual(readTraceHeaders({ traceparent: malformed, tracestate: 'a=b' }), {})
  }
})
