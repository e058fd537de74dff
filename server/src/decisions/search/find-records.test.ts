import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpoints, FoundRecords } from '@ringfence/contract'
import Value from 'typebox/value'
import { adminClient } from '../../admin/testing.ts'
import { browserClient, ordinaryFacts } from '../../device/testdata/ordinary-report.ts'
import { eachDatabase } from '../../testing/databases.ts'
import { newInstallationKey } from '../../testing/installation-key.ts'
import { createApp } from '../../testing/sdk-client.ts'
import { startTestService } from '../../testing/test-service.ts'
import { decisionCalls } from '../testing.ts'

eachDatabase(({ engine, open }) => {
  test(`finds a decision by the id of the transaction that it was sent with (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const call = await adminClient(service, 'viewer')
    const key = 'order-2026-4711'
    const { body: decision } = await service.post(
      '/v1/decisions',
      { action: 'PAYMENT', userId: 'u' },
      { 'idempotency-key': key },
    )
    const { status, body } = await call('findRecords', { transaction: key })
    assert.equal(status, 200, JSON.stringify(body))
    assert.deepEqual([...Value.Errors(FoundRecords, body)], [])
    const { decisionId, createdAt } = decision
    assert.deepEqual(body, { decisions: [{ decisionId, createdAt }] })
    assert.deepEqual((await call('findRecords', { transaction: 'order-2026' })).body, { decisions: [] })
    const other = await service.parts.tenantKeyring.createTenant('other')
    const stranger = await adminClient(service, 'owner', { tenantId: other.id })
    assert.deepEqual((await stranger('findRecords', { transaction: key })).body, { decisions: [] })
    service.clock.advance({ hours: 24 * service.parts.settings.decisionDays })
    assert.deepEqual((await call('findRecords', { transaction: key })).body, { decisions: [] }, 'it has expired')
  })

  test(`finds a device report and its decisions by dfrId, and needs one id (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const call = await adminClient(service, 'analyst')
    const client = await browserClient(service, { app: await createApp(service), key: newInstallationKey() })
    const { requestId } = await client.analyse(ordinaryFacts)
    const { body: pushed } = await client.post(endpoints.pushFingerprint.path, client.pushBody(requestId))
    const { dfrId } = pushed
    const { body: decision } = await decisionCalls(service).decide({ action: 'PAYMENT', userId: 'asha', dfrId })
    const { body } = await call('findRecords', { dfrId })
    assert.deepEqual([...Value.Errors(FoundRecords, body)], [])
    assert.deepEqual([body.report.dfrId, body.report.requestId], [dfrId, requestId])
    assert.equal(body.report.deviceId, decision.device.deviceId)
    assert.deepEqual(body.decisions, [{ decisionId: decision.decisionId, createdAt: decision.createdAt }])
    for (const wrong of [{}, { dfrId, transaction: 'x' }, { dfrId: 'x' }])
      assert.equal((await call('findRecords', wrong)).status, 400)
    assert.deepEqual((await call('findRecords', { dfrId: 'f'.repeat(32) })).body, { decisions: [] })
  })
})
