import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DeviceReportAnswer, endpoints, type ReportReasons, type ReportSignals } from '@ringfence/contract'
import Value from 'typebox/value'
import { combined } from '../../device/scores/combine.ts'
import { eachDatabase } from '../../testing/databases.ts'
import { sdkClient } from '../../testing/sdk-client.ts'
import { startTestService } from '../../testing/test-service.ts'

eachDatabase(({ engine, open }) => {
  test(`reasons and signals are added to the text of a report, which stays the same (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const { dfrId } = await (await sdkClient(service)).fingerprint()
    const textOf = async (more: object = {}) => {
      const response = await fetch(service.url + endpoints.deviceFingerprint.path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...service.credentials },
        body: JSON.stringify({ dfrId, deviceType: 'WEB', ...more }),
      })
      assert.equal(response.status, 200)
      return response.text()
    }
    const plain = await textOf()
    assert.equal(await textOf({ include: [] }), plain)
    const text = await textOf({ include: ['reasons', 'signals'] })
    assert.equal(text.slice(0, plain.length - 1), plain.slice(0, -1), 'byte by byte, without the last brace')
    const answer = JSON.parse(text) as { sessionRiskScore: number; reasons: ReportReasons; signals: ReportSignals }
    assert.deepEqual([...Value.Errors(DeviceReportAnswer, answer)], [])
    assert.equal(combined(answer.reasons.sessionRiskScore, 100), answer.sessionRiskScore)
    assert.deepEqual(answer.signals.bot!.verdict, { result: 'bad', category: 'automation' })
    assert.equal(answer.signals.proxy!.verdict, 'unknown', 'no lists are installed')
    assert.equal(await textOf(), plain, 'a later read gets the same')
  })
})
