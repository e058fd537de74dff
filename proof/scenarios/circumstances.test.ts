import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { endpoints, type WebFacts } from '@ringfence/contract'
import type { Database } from '@ringfence/server/core/storage/database.ts'
import { recorded } from '@ringfence/server/device/testdata/recordings.ts'
import { eachDatabase } from '@ringfence/server/testing/databases.ts'
import { newInstallationKey } from '@ringfence/server/testing/installation-key.ts'
import { createApp, type SdkClientOptions, sdkClient, shopOrigin } from '@ringfence/server/testing/sdk-client.ts'
import { startTestService } from '@ringfence/server/testing/test-service.ts'
import { circumstances, dayBeforeOf, isRecorded } from './circumstances.ts'
import { away, home } from './conditions.ts'
import { addIdenticalDevices } from './identical-devices.ts'

interface Identified {
  readonly deviceId: string
  readonly identification: { readonly likely?: { readonly deviceId: string } }
}

/** A service, and visits to it. */
async function open(t: TestContext, database: Database) {
  const service = await startTestService(t, database, { settings: { trustedProxies: '127.0.0.0/8' } })
  const app = await createApp(service)
  async function reportOf(dfrId: string): Promise<Identified> {
    const asked = { dfrId, deviceType: 'WEB', include: ['identification'] }
    return (await service.post(endpoints.deviceFingerprint.path, asked)).body
  }
  const deviceIdOf = async (dfrId: string) => (await reportOf(dfrId)).deviceId
  /** Of a browser whose storage was cleared, unless it has a key. */
  async function visited(facts: WebFacts, address: string, options: Pick<SdkClientOptions, 'key'> = {}) {
    const sdk = await sdkClient(service, { app, headers: { 'x-forwarded-for': address }, ...options })
    return reportOf((await sdk.fingerprint(facts)).dfrId)
  }
  return {
    service: { ...service, app, deviceIdOf },
    dayLater: () => service.clock.advance({ hours: 26 }),
    visited,
    visit: async (...args: Parameters<typeof visited>) => (await visited(...args)).deviceId,
  }
}

eachDatabase(({ engine, open: openDatabase }) => {
  for (const browser of ['chromium', 'firefox', 'webkit'] as const) {
    for (const circumstance of circumstances.filter(isRecorded)) {
      test(`${browser} keeps its id with storage cleared: ${circumstance.title} (${engine}, recorded)`, async (t) => {
        const { visit, dayLater } = await open(t, await openDatabase(t))
        const before = await visit(recorded(dayBeforeOf(browser, circumstance)).facts, home.address)
        dayLater()
        const { facts } = recorded(`${browser}-${circumstance.name}`)
        assert.equal(await visit(facts, home.address), before)
        assert.notEqual(await visit(recorded('chromium-elsewhere').facts, away.address), before, 'another device')
      })
    }

    test(`${browser} is never another of four devices with the same facts, with storage cleared (${engine}, recorded)`, async (t) => {
      const { visit, visited, dayLater, service } = await open(t, await openDatabase(t))
      const { facts } = recorded(`${browser}-ordinary`)
      const key = newInstallationKey()
      const id = await visit(facts, home.address, { key })
      dayLater()
      const others = await addIdenticalDevices({ facts, headers: {} }, shopOrigin, service)
      assert.ok(!others.has(id))
      dayLater()
      assert.equal(await visit(facts, home.address, { key }), id)
      dayLater()
      for (let visits = 0; visits < 20; visits++) {
        const { deviceId, identification } = await visited(facts, visits % 2 === 0 ? home.address : away.address)
        assert.equal(identification.likely?.deviceId ?? deviceId, id, `visit ${visits}`)
        assert.ok(!others.has(deviceId), `visit ${visits}: the id of another device`)
      }
    })
  }

  for (const [browser, most] of [
    ['chromium', 3],
    ['firefox', 3],
  ] as const) {
    test(`${browser} has its id again, or a likely one, after a downgrade and an update, with storage cleared (${engine}, recorded)`, async (t) => {
      const { visit, visited, dayLater } = await open(t, await openDatabase(t))
      const [newer, older] = [recorded(`${browser}-updated`).facts, recorded(`${browser}-before-update`).facts]
      const id = await visit(newer, home.address)
      const ids = new Set([id])
      for (let times = 0; times < most; times++) {
        dayLater()
        ids.add(await visit(older, home.address)) // a browser with an older version may be another computer
        dayLater()
        // Of two devices that this could be, one that has not changed and one that was updated, neither may be sure.
        const { deviceId, identification } = await visited(newer, home.address)
        assert.equal(identification.likely?.deviceId ?? deviceId, id)
      }
      assert.ok(ids.size <= 2, `${ids.size} ids`)
    })
  }
})
