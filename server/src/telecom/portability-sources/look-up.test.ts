import assert from 'node:assert/strict'
import { test } from 'node:test'
import { adminClient } from '../../admin/testing.ts'
import { parsePhoneNumber } from '../../phone/phone-number.ts'
import { sqliteDatabases } from '../../testing/databases.ts'
import { startTestService } from '../../testing/test-service.ts'
import { scriptedUpstream } from '../../upstream/testing/scripted-upstream.ts'
import { testResources } from '../../upstream/testing/test-resources.ts'
import { inquiry } from '../connectors/testing/inquiries.ts'
import { lookUp } from './look-up.ts'
import type { PortabilityAnswer } from './source.ts'

test('a vendor says who serves a number and whether it was ported, and what it leaves empty is not known', async (t) => {
  const replies: Record<string, object> = {
    '12025550160': { portability: { ported_status: 'Y', ocn: '6529' }, carrier: null },
    '12025550161': { portability: { ported_status: '', ocn: '6529' }, carrier: null },
    '12025550162': { portability: null, carrier: null },
  }
  const { url, received } = await scriptedUpstream(t, ({ path }) => {
    const data = replies[/%2B(\d+)/.exec(path)![1]!]
    return data ? { body: { data } } : { status: 500 }
  })
  const service = await startTestService(t, await sqliteDatabases.open(t), {
    edit: (parts) => ({
      ...parts,
      connectors: {
        ...parts.connectors,
        vendor: { type: 'telnyx', baseUrl: url, apiKey: { env: 'SANDBOX_SECRET' } } as never,
      },
      portabilitySources: { vendor: { type: 'connector', connector: 'vendor' } as never },
    }),
  })
  const ask = async (phoneNumber: string) =>
    (await service.post('/v1/telecom/checks', { phoneNumber, checks: { portability: {} } })).body
  const ported = await ask('12025550160')
  assert.deepEqual([ported.phoneDetail.operator, ported.checks.portability.ported], ['OCN_6529', true])
  for (const number of ['12025550161', '12025550162', '12025550163']) {
    const { checks, phoneDetail } = await ask(number)
    assert.deepEqual([checks.portability.success, phoneDetail.isPorted], [false, undefined], number)
  }
  assert.equal(received.length, 4, 'none is asked twice')
})

test('what a connector looked up is an answer of the form of sources, or the look-up failed', async () => {
  const sourceOf = (answer: unknown) => {
    const connectors = new Map([['hub', { lookUpOperator: async () => answer as PortabilityAnswer | undefined }]])
    return lookUp.create('hub', { type: 'connector', connector: 'hub' }, { ...testResources(), connectors })
  }
  const number = parsePhoneNumber('12025550160')!
  for (const answer of [undefined, { asOf: 1, operator: '310-410', homeOperator: 'A', ported: false }]) {
    assert.deepEqual(await sourceOf(answer).lookUp(number, inquiry()), answer)
  }
  for (const wrong of [{ ported: {} }, { ported: 'N' }, { operator: '' }, { operator: 'x'.repeat(201) }, { more: 1 }]) {
    await assert.rejects(
      sourceOf({ asOf: 1, ...wrong }).lookUp(number, inquiry()),
      { name: 'UpstreamError', reason: 'format' },
      JSON.stringify(wrong),
    )
  }
})

test('explaining a route calls no vendor, also when its connector is for a test environment', async (t) => {
  const { url, received } = await scriptedUpstream(t, () => ({ status: 500 }))
  const service = await startTestService(t, await sqliteDatabases.open(t), {
    edit: (parts) => ({
      ...parts,
      connectors: {
        vendor: { type: 'telnyx', baseUrl: url, sandbox: true, apiKey: { env: 'SANDBOX_SECRET' } } as never,
      },
      operators: [],
      portabilitySources: { vendor: { type: 'connector', connector: 'vendor' } as never },
    }),
  })
  const call = await adminClient(service, 'analyst')
  const { status, body } = await call('explainRoute', { phoneNumber: '12025550160' })
  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual(body.sources, [{ name: 'vendor', kind: 'remote', sandbox: true, state: 'notCalled' }])
  assert.deepEqual(body.mayChangeBy, ['vendor'])
  assert.equal(received.length, 0)
})
