import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpoints } from '@ringfence/contract'
import { eachDatabase } from '../../testing/databases.ts'
import { createApp, type SdkClient } from '../../testing/sdk-client.ts'
import { startTestService, type TestService } from '../../testing/test-service.ts'
import { storeInstallation } from '../identity/installation-change.ts'
import { recognise } from '../identity/recognise.ts'
import { analysisInsert, reportUpdate } from '../store/device-analyses.ts'
import { putDeviceLabel } from '../store/labels/device-labels.ts'
import { putIpLabel } from '../store/labels/ip-labels.ts'
import { putReportLabel } from '../store/labels/report-labels.ts'
import { homeAddress, laptop } from '../testdata/devices.ts'
import { browserClient, ordinaryFacts } from '../testdata/ordinary-report.ts'
import { dropExpired } from './retention.ts'

const places = [
  ...['device_analysis where sealed is not null'],
  ...['device_analysis', 'device_label', 'report_label', 'installation', 'new_device_key', 'device_history'],
]

/** Tables with device data that are not empty. */
async function filled({ parts: { database } }: TestService): Promise<string[]> {
  const rows = await Promise.all(places.map((place) => database.query(`select 1 as one from ${place} limit 1`)))
  return places.filter((_, index) => rows[index]!.length > 0)
}

async function labelledReport(service: TestService, client: SdkClient): Promise<string> {
  const { requestId } = await client.analyse(ordinaryFacts, {
    updateInfo: { userId: 'a', phoneNumber: '917020141726' },
  })
  const { dfrId } = (await client.post(endpoints.pushFingerprint.path, client.pushBody(requestId))).body
  const { body } = await service.post(endpoints.labelReports.path, { labels: [{ dfrId, outcome: 'fraud' }] })
  assert.equal(body.accepted, 1)
  return dfrId
}

eachDatabase(({ engine, open }) => {
  const it = (promise: string) => `${promise} (${engine})`

  test(it('deletes reports after DEVICE_RETENTION_DAYS, and the device after DEVICE_HISTORY_DAYS'), async (t) => {
    const service = await startTestService(t, await open(t))
    await labelledReport(service, await browserClient(service))
    const after = async (step: Parameters<typeof service.clock.advance>[0]) => {
      service.clock.advance(step)
      await dropExpired(service.parts)
      return filled(service)
    }
    assert.deepEqual(await after({ seconds: 30 * 86_400 - 1 }), places)
    assert.deepEqual(await after({ seconds: 1 }), places.slice(1))
    assert.deepEqual(await after({ hours: 150 * 24 }), places.slice(1), 'to the millisecond')
    assert.deepEqual(await after({ seconds: 1 }), [])
  })

  test(it('keeps the id of a returning device, and gives a deleted one a new id'), async (t) => {
    const service = await startTestService(t, await open(t))
    const app = await createApp(service, { settings: { revealReport: true } })
    const seen = async () => {
      const client = await browserClient(service, { app })
      const { requestId } = await client.analyse(ordinaryFacts)
      const { body } = await client.post(endpoints.pushFingerprint.path, client.pushBody(requestId))
      const { deviceId, newDevice } = body.intelligenceResponse
      return { deviceId, newDevice }
    }
    const { deviceId } = await seen()
    for (let month = 0; month < 8; month++) {
      service.clock.advance({ hours: 30 * 24 })
      await dropExpired(service.parts)
      assert.deepEqual(await seen(), { deviceId, newDevice: false })
    }
    service.clock.advance({ hours: 181 * 24 })
    await dropExpired(service.parts)
    const second = await seen()
    assert.equal(second.newDevice, true)
    assert.notEqual(second.deviceId, deviceId)
  })

  test(it('keeps a label as long as its report'), async (t) => {
    const settings = { deviceRetentionDays: 400, deviceHistoryDays: 7 }
    const service = await startTestService(t, await open(t), { settings })
    await labelledReport(service, await browserClient(service))
    service.clock.advance({ hours: 399 * 24 })
    await dropExpired(service.parts)
    assert.deepEqual(await filled(service), [...places.slice(0, 2), 'report_label'])
    service.clock.advance({ hours: 2 * 24 })
    await dropExpired(service.parts)
    assert.deepEqual(await filled(service), [])
  })

  test(it('deletes more than a slice of expired rows, and nothing younger'), async (t) => {
    const service = await startTestService(t, await open(t))
    const { database, clock } = service.parts
    const [old, young] = [clock.now() - 181 * 86_400_000, clock.now() - 179 * 86_400_000]
    const tenantId = service.tenantId
    const keep = async (number: number, at: number) => {
      const dfrId = number.toString(16).padStart(32, '0')
      const [deviceHash, accountHash] = [Buffer.from(`device ${number}`), Buffer.from(`account ${number}`)]
      const from = { ipPrefixHash: Buffer.from('prefix'), ipHash: Buffer.from('address') }
      const visit = {
        tenantId,
        dfrId,
        deviceHash,
        installationHash: deviceHash,
        accountHash,
        numberHash: null,
        country: null,
        signals: '',
        ...from,
      }
      const bytes = Buffer.from(dfrId)
      const analysis = { ...visit, challenge: bytes, bodyHash: bytes, pushHash: null, sealed: bytes, analysedAt: at }
      await database.batch([analysisInsert(analysis)])
      await database.batch([reportUpdate({ tenantId, dfrId, pushHash: bytes, sealed: bytes })])
      await putIpLabel(database, { ...from, tenantId, dfrId, label: 'fraud', knownAt: at })
      const ofVisit = { installationHash: deviceHash, visitedAt: at }
      await putDeviceLabel(database, { tenantId, deviceHash, ...ofVisit, dfrId, label: 'fraud', knownAt: at })
      await putReportLabel(
        database,
        tenantId,
        { kind: 'dfrId', id: dfrId },
        { label: 'fraud', knownAt: at, labelledAt: at },
      )
    }
    await Promise.all(Array.from({ length: 1100 }, (_, number) => keep(number, number < 1050 ? old : young)))
    await dropExpired(service.parts)
    for (const table of ['device_analysis', 'device_label', 'ip_label', 'report_label']) {
      assert.equal((await database.query(`select 1 as one from ${table}`)).length, 50, table)
    }
  })

  test(it('deletes more than a slice of devices, also on two servers at once'), async (t) => {
    const service = await startTestService(t, await open(t))
    const { tenantId, parts: needs } = service
    for (let number = 0; number < 60; number++) {
      // Never two of one device: the version of a browser does not decrease.
      const { change } = await recognise({ tenantId, facts: laptop({}, 200 - number), address: homeAddress }, needs)
      await storeInstallation(needs.database, change!)
    }
    const devices = await needs.database.query('select distinct device_id from installation')
    assert.equal(devices.length, 60)
    service.clock.advance({ hours: 181 * 24 })
    await Promise.all([dropExpired(needs), dropExpired(needs)])
    assert.deepEqual(await filled(service), [])
  })
})
