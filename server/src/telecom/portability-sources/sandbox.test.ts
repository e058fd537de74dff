import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { startSandbox } from '@ringfence/sandbox'
import { grant, type Reply, scriptedUpstream } from '../../upstream/testing/scripted-upstream.ts'
import { testResources } from '../../upstream/testing/test-resources.ts'
import { UpstreamError } from '../../upstream/upstream-error.ts'
import { inquiry, numberEnding, ordinaryNumber } from '../connectors/testing/inquiries.ts'
import { sandbox } from './sandbox.ts'

const token = (url: string) =>
  ({
    endpoint: `${url}/oauth2/token`,
    clientId: 'bank',
    authentication: 'client_secret_basic',
    clientSecret: { env: 'SECRET' },
  }) as const

async function sourceBeforeSandbox(t: TestContext) {
  const resources = testResources({ SECRET: 'secret' })
  const operator = await startSandbox({
    clock: resources.clock,
    clients: [{ clientId: 'bank', clientSecret: 'secret' }],
  })
  const { url } = operator
  const source = sandbox.create('sandbox', { type: 'sandbox', baseUrl: url, token: token(url) }, resources)
  t.after(async () => {
    await source.close?.()
    await operator.close()
  })
  return { source, operator, resources }
}

async function sourceAnswered(t: TestContext, reply: Reply) {
  const { url } = await scriptedUpstream(t, ({ path }) => (path === '/oauth2/token' ? grant() : reply))
  const resources = testResources({ SECRET: 'secret' })
  const source = sandbox.create('sandbox', { type: 'sandbox', baseUrl: url, token: token(url) }, resources)
  t.after(() => source.close?.())
  return source
}

test('the sandbox reports operator, home operator and whether a number is ported', async (t) => {
  const { source, resources, operator } = await sourceBeforeSandbox(t)
  assert.equal(source.sandbox, true)
  const ordinary = await source.lookUp(ordinaryNumber, inquiry())
  assert.match(ordinary?.operator ?? '', /^001-0[12]$/)
  assert.equal(ordinary?.operator, ordinary?.homeOperator)
  assert.deepEqual([ordinary?.ported, ordinary?.asOf], [false, resources.clock.now()])
  const ported = await source.lookUp(numberEnding('0130'), inquiry())
  assert.notEqual(ported?.operator, ported?.homeOperator)
  assert.equal(ported?.ported, true)
  assert.equal(operator.calls.last(1)[0]?.correlator, 'test-correlator')
})

test('returns undefined for a number without an operator, and throws when the source is down', async (t) => {
  const { source } = await sourceBeforeSandbox(t)
  assert.equal(await source.lookUp(numberEnding('0132'), inquiry()), undefined)
  await assert.rejects(source.lookUp(numberEnding('0133'), inquiry()), { reason: 'status' })
})

test('throws for a record of another number and for one that does not fit the schema', async (t) => {
  const operator = { id: '001-01', name: 'SANDBOX_NORTH' }
  const record = { number: ordinaryNumber.digits, operator, homeOperator: operator, ported: false }
  assert.equal((await (await sourceAnswered(t, { body: record })).lookUp(ordinaryNumber, inquiry()))?.ported, false)
  for (const change of [
    { number: '917020140000' },
    { ported: 'no' },
    { operator: null },
    { homeOperator: { id: '' } },
  ]) {
    const source = await sourceAnswered(t, { body: { ...record, ...change } })
    await assert.rejects(source.lookUp(ordinaryNumber, inquiry()), (error: UpstreamError) => {
      assert.ok(error instanceof UpstreamError)
      assert.equal(error.reason, 'format')
      return true
    })
  }
  const notFound = await sourceAnswered(t, { status: 404, body: { code: 'NOT_FOUND' } })
  await assert.rejects(notFound.lookUp(ordinaryNumber, inquiry()), { reason: 'rejected' })
})
