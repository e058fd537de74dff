import assert from 'node:assert/strict'
import { test } from 'node:test'
import { adminEndpoints } from '@ringfence/contract'
import type { TSchema } from 'typebox'
import Value from 'typebox/value'
import { attestingCalls } from '../../../device/attestation/testing/attesting-calls.ts'
import { eachDatabase } from '../../../testing/databases.ts'
import { createApp } from '../../../testing/sdk-client.ts'
import { startTestService } from '../../../testing/test-service.ts'
import { adminClient } from '../../testing.ts'

eachDatabase(({ engine, open }) => {
  const it = (title: string) => `${title} (${engine})`

  test(it('says how store, keys and the operators that were called are doing'), async (t) => {
    const service = await startTestService(t, await open(t))
    const call = await adminClient(service, 'viewer')
    const before = await call('readSystemDetails')
    assert.equal(before.status, 200, JSON.stringify(before.body))
    assert.deepEqual([...Value.Errors(adminEndpoints.readSystemDetails.answer as TSchema, before.body)], [])
    assert.ok(before.body.store.bytes > 10_000 && before.body.store.migrations >= 1)
    assert.equal(typeof before.body.store.latencyMs, 'number')
    assert.deepEqual(before.body.upstreams, [])
    assert.deepEqual([before.body.keys.dataKey, before.body.keys.otherDataKeys], [1, []])

    await service.post('/v1/telecom/sim-swap-check', { phoneNumber: '917020141726', maxAge: 24 })
    const { upstreams } = (await call('readSystemDetails')).body
    assert.ok(upstreams.length > 0)
    for (const each of upstreams) {
      assert.deepEqual([each.circuit, each.failures], ['closed', 0])
      assert.ok(each.calls > 0 && each.lastCallAt)
    }
  })

  test(it('counts failures of an upstream, and says that its circuit is open'), async (t) => {
    const service = await startTestService(t, await open(t))
    const { upstreams } = service.parts
    const guards = (upstreams as unknown as { metrics: typeof service.parts.metrics }).metrics
    guards.observe('upstreamCall', 0.2, 'acme', 'simSwap', 'ok')
    guards.observe('upstreamCall', 1, 'acme', 'simSwap', 'timeout')
    guards.observe('upstreamCall', 0.1, 'acme', 'simSwap', 'unsupported')
    guards.set('upstreamCircuitOpen', 1, 'acme', 'sim-swap')
    const call = await adminClient(service, 'owner')
    const [acme] = (await call('readSystemDetails')).body.upstreams
    assert.deepEqual(
      [acme.name, acme.circuit, acme.calls, acme.failures, acme.averageMs, acme.lastFailure],
      ['acme', 'open', 3, 1, 200, 'timeout'],
    )
    const { findings } = (await call('checkSystem')).body
    assert.deepEqual([findings[0].subject, findings[0].state], ['upstream acme', 'broken'])
    guards.set('upstreamCircuitOpen', 0, 'acme', 'sim-swap')
    assert.equal((await call('readSystemDetails')).body.upstreams[0].circuit, 'closed')
  })

  test(it('checks itself for owners and admins, and each finding that is not fine says what to do'), async (t) => {
    const service = await startTestService(t, await open(t))
    const call = await adminClient(service, 'admin')
    const { status, body } = await call('checkSystem')
    assert.equal(status, 200, JSON.stringify(body))
    assert.deepEqual([...Value.Errors(adminEndpoints.checkSystem.answer as TSchema, body)], [])
    const states = new Map(body.findings.map((each: Record<string, string>) => [each.subject, each.state]))
    assert.deepEqual([states.get('store'), states.get('migrations'), states.get('clock')], ['ok', 'ok', 'ok'])
    for (const { state, todo } of body.findings) if (state === 'broken' || state === 'warning') assert.ok(todo)
    assert.equal((await (await adminClient(service, 'analyst'))('checkSystem')).status, 403)
  })

  test(it('warns of attestation without certificates of the app, or without a status list'), async (t) => {
    const service = await startTestService(t, await open(t))
    const call = await adminClient(service, 'admin')
    const found = async () => {
      const { findings } = (await call('checkSystem')).body
      const stateOf = (name: string) => findings.find(({ subject }: { subject: string }) => subject === name)?.state
      return [stateOf('attestation'), stateOf('revocations')]
    }
    const attestation = { ANDROID: 'report' }
    assert.deepEqual(await found(), [undefined, undefined], 'no app has phones attested')
    await createApp(service, { settings: { attestation, androidCertificates: ['AB'.repeat(32)] } })
    assert.deepEqual(await found(), ['ok', 'warning'])
    const { publish } = await attestingCalls(service)
    await publish({ ff: { status: 'REVOKED' } })
    assert.deepEqual(await found(), ['ok', 'ok'])
    await createApp(service, { settings: { attestation } })
    service.clock.advance({ hours: 25 })
    assert.deepEqual(await found(), ['warning', 'warning'])
  })
})
