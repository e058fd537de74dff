// What does a network cost that makes new devices very fast? At most a challenge. Played over HTTP, on both engines.

import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { type Decision, endpoints } from '@ringfence/contract'
import type { BatchStatement } from '../../core/storage/database.ts'
import { openDatabase } from '../../core/storage/open-database.ts'
import { decisionCalls } from '../../decisions/testing.ts'
import { mmdbBytes } from '../../ip/testing/mmdb-writer.ts'
import { eachDatabase } from '../../testing/databases.ts'
import { type InstallationKey, newInstallationKey } from '../../testing/installation-key.ts'
import { createApp, sdkClient } from '../../testing/sdk-client.ts'
import { startTestService } from '../../testing/test-service.ts'
import { installationInserts, stages } from '../store/installations.ts'
import { browserClient, ordinaryFacts } from '../testdata/ordinary-report.ts'
import { androidPhone } from '../testdata/phones.ts'
import { confidenceInCrowd, unlessCrowd } from './crowd.ts'
import { unlessOverPace } from './pace.ts'

/** Public ones: of a fixed line, of another one, and of a mobile operator. */
const [office, elsewhere, mobile] = ['81.2.69.7', '85.214.132.7', '49.200.0.7']
const { facts: android } = androidPhone()

eachDatabase(({ engine, open, place }) => {
  const it = (promise: string) => `${promise} (${engine})`

  async function started(t: TestContext, newDevicesWindowHours = 1) {
    const folder = await mkdtemp(join(tmpdir(), 'ringfence-test-'))
    t.after(() => rm(folder, { recursive: true, force: true }))
    const ipAsnFiles = join(folder, 'asn.mmdb')
    const operator = { autonomous_system_number: 55836, autonomous_system_organization: 'Reliance Jio' }
    await writeFile(
      ipAsnFiles,
      mmdbBytes({ databaseType: 'ASN', builtAt: new Date('2026-03-01'), networks: { '49.200.0.0/16': operator } }),
    )
    const limits = { newDevicesPerNetwork: 3, newDevicesPerMobileNetwork: 6, newDevicesWindowHours }
    const settings = { trustedProxies: '127.0.0.1', ipAsnFiles, appRateBurst: 1000, ...limits }
    const service = await startTestService(t, await open(t), { settings })
    const app = await createApp(service)
    const { decide } = decisionCalls(service)
    /** Whether a visit is crowded, a second after the last one, and what a decision says. */
    const phone = async (drmId: string, address = office) => {
      const facts = { ...android, drmId, androidId: `${drmId}-2` }
      return outcome(await fingerprint(facts, address), 'ANDROID')
    }
    const visit = async (facts: object) => identified(await fingerprint(facts, office), 'ANDROID')
    const fingerprint = async (facts: object, address: string): Promise<string> => {
      service.clock.advance({ seconds: 1 })
      const headers = { 'x-forwarded-for': address }
      const client = await sdkClient(service, { app, platform: 'ANDROID', headers })
      return (await client.fingerprint(facts)).dfrId
    }
    let visits = 0
    const browser = async (key: InstallationKey, address = office) => {
      service.clock.advance({ seconds: 1 })
      const client = await browserClient(service, { app, key, headers: { 'x-forwarded-for': address } })
      const screen = { ...ordinaryFacts.screen, width: 1000 + 321 * visits++ }
      return outcome((await client.fingerprint({ ...ordinaryFacts, screen })).dfrId, 'WEB')
    }
    /** The engine call of a new browser or phone, held until its push. */
    const held = async (platform: 'WEB' | 'ANDROID', facts: object) => {
      service.clock.advance({ seconds: 1 })
      const options = { app, headers: { 'x-forwarded-for': office } }
      const client =
        platform === 'WEB'
          ? await browserClient(service, { ...options, key: newInstallationKey() })
          : await sdkClient(service, { ...options, platform })
      const body = client.engineBody(facts, { carry: true })
      const { requestId } = body
      const { analysis } = (await client.post(endpoints.intelligence.path, body)).body
      const pushed = { ...client.pushBody(requestId), data: { requestId, analysis } }
      return async () => outcome((await client.post(endpoints.pushFingerprint.path, pushed)).body.dfrId, platform)
    }
    const identified = async (dfrId: string, deviceType: string) => {
      const request = { dfrId, deviceType, include: ['identification'] }
      const { body } = await service.post(endpoints.deviceFingerprint.path, request)
      const { crowded = false, confidence } = body.identification
      return { deviceId: body.deviceId, crowded, confidence }
    }
    const outcome = async (dfrId: string, deviceType: string) => {
      const { crowded, confidence } = await identified(dfrId, deviceType)
      const decision = (await decide({ dfrId, phoneNumber: '917020141726', userId: randomUUID() })).body as Decision
      assert.notEqual(decision.action, 'BLOCK')
      const isChallenged = decision.action === 'CHALLENGE'
      return { crowded, isChallenged, confidence, missing: decision.missing }
    }
    return { service, visit, phone, browser, held }
  }

  test(
    it('phones that a script invents are challenged beyond the pace of their network, and never blocked'),
    async (t) => {
      const { phone } = await started(t)
      for (let count = 0; count < 3; count++) {
        const { crowded, isChallenged } = await phone(randomUUID())
        assert.deepEqual([crowded, isChallenged], [false, false])
      }
      for (let count = 0; count < 3; count++) {
        const { crowded, isChallenged, missing } = await phone(randomUUID())
        assert.deepEqual([crowded, isChallenged], [true, true])
        assert.deepEqual(missing, [{ what: 'device', why: 'crowded' }])
      }
      assert.equal((await phone(randomUUID(), elsewhere)).isChallenged, false, 'another network')
    },
  )

  test(it('a second visit of such a phone is challenged too, for a day'), async (t) => {
    const { service, phone } = await started(t)
    for (let count = 0; count < 3; count++) await phone(`honest-${count}`)
    assert.equal((await phone('invented')).isChallenged, true)
    assert.equal((await phone('invented')).isChallenged, true)
    assert.equal((await phone('honest-2')).isChallenged, false, 'the others are not')
    service.clock.advance({ seconds: 7200 })
    assert.equal((await phone('invented')).isChallenged, true)
    assert.equal((await phone('next')).isChallenged, false, 'the window has passed')
    service.clock.advance({ seconds: 86_400 })
    assert.equal((await phone('invented')).isChallenged, false)
  })

  test(it('ids that were seen with one phone make no device each'), async (t) => {
    const { visit } = await started(t)
    const { deviceId } = await visit({ ...android, androidId: 'id-0' })
    for (let count = 1; count < 6; count++) await visit({ ...android, androidId: `id-${count}` })
    const { drmId: _, ...alone } = android
    for (let count = 0; count < 6; count++) {
      const seen = await visit({ ...alone, androidId: `id-${count}` })
      assert.deepEqual([seen.deviceId, seen.crowded], [deviceId, false])
    }
    const crowded: boolean[] = []
    for (let count = 0; count < 4; count++) crowded.push((await visit({ ...alone, androidId: `new-${count}` })).crowded)
    assert.deepEqual(crowded, [false, false, true, true])
    const beyond = { ...android, drmId: 'beyond', androidId: 'beyond' }
    assert.equal((await visit(beyond)).crowded, true)
    const { drmId: __, ...less } = beyond
    assert.equal((await visit(less)).crowded, true, 'the device is judged as it was new, by whichever id')
  })

  test(
    it('browsers and phones of a network count together, and a browser that returns is judged as it was new'),
    async (t) => {
      const { browser, phone } = await started(t)
      const [first, second] = [newInstallationKey(), newInstallationKey()]
      assert.equal((await browser(first)).crowded, false)
      for (let count = 0; count < 2; count++) assert.equal((await phone(randomUUID())).crowded, false)
      for (let count = 0; count < 2; count++) {
        assert.deepEqual((await browser(second)).crowded, true)
        assert.deepEqual((await browser(first)).crowded, false)
      }
    },
  )

  test(
    it('a mobile network has its own limit, a longer window counts more, a private address is nobody’s network'),
    async (t) => {
      const { service, phone } = await started(t, 24)
      for (let count = 0; count < 6; count++) assert.equal((await phone(randomUUID(), mobile)).crowded, false)
      assert.equal((await phone(randomUUID(), mobile)).crowded, true)
      for (let count = 0; count < 5; count++) assert.equal((await phone(randomUUID(), '10.1.2.3')).crowded, false)
      for (let count = 0; count < 3; count++) {
        service.clock.advance({ seconds: 3600 * 4 })
        assert.equal((await phone(randomUUID())).crowded, false)
      }
      service.clock.advance({ seconds: 3600 * 4 })
      assert.equal((await phone(randomUUID())).crowded, true)
    },
  )

  const shown = {
    WEB: (index: number) => ({ ...ordinaryFacts, screen: { ...ordinaryFacts.screen, width: 1000 + 321 * index } }),
    ANDROID: () => ({ ...android, drmId: randomUUID(), androidId: randomUUID() }),
  }
  for (const platform of ['WEB', 'ANDROID'] as const) {
    for (const order of ['in their order', 'the last one first'])
      test(
        it(`visits of ${platform} that are held, and pushed together ${order}, count as those at once`),
        async (t) => {
          const { held } = await started(t)
          const pushes: Awaited<ReturnType<typeof held>>[] = []
          for (let index = 0; index < 6; index++) pushes.push(await held(platform, shown[platform](index)))
          if (order !== 'in their order') pushes.reverse()
          const crowded: boolean[] = []
          for (const push of pushes) crowded.push((await push()).crowded)
          assert.deepEqual(crowded, [false, false, false, true, true, true])
        },
      )
  }

  test(
    it('two servers that store new devices at the same moment store no more than pace and crowd allow'),
    async (t) => {
      const at = await place(t)
      const servers = [await openDatabase(at), await openDatabase(at)]
      t.after(() => Promise.all(servers.map((server) => server.close())))
      const [now, tenantId, deviceId] = [1_800_000_000_000, randomUUID(), randomBytes(16)]
      const pace = { most: 3, windowMs: 3_600_000, isPublic: true }
      const stored = async (condition: (id: Uint8Array) => BatchStatement, network: number, ofDevice?: Uint8Array) => {
        const writes = Array.from({ length: 40 }, (_, index) => {
          const id = randomBytes(16)
          const row = {
            ...({
              id,
              deviceId: ofDevice ?? id,
              keyHash: null,
              fingerprint: null,
              stage: stages.unlisted,
              bySimilarity: 0,
            } as const),
          }
          const seen = {
            confidence: null,
            likelyDeviceId: null,
            likelyConfidence: null,
            firstSeenAt: now,
            lastSeenAt: now,
          }
          const statements = installationInserts(tenantId, { ...row, ...seen }, network)
          return servers[index % 2]!.batch([condition(id), ...statements])
        })
        return (await Promise.allSettled(writes)).filter(({ status }) => status === 'fulfilled').length
      }
      for (let network = 1; network <= 12; network++)
        assert.equal(await stored(() => unlessOverPace({ network, at: now }, pace, now), network), pace.most)
      const ofOneDevice = (id: Uint8Array) => unlessCrowd(tenantId, { id, deviceId, at: now })
      assert.equal(await stored(ofOneDevice, 9, deviceId), 1)
    },
  )

  test(it('of visits that resemble one device, only the first pushed is sure to be of it'), async (t) => {
    const { service, held } = await started(t)
    await (await held('WEB', ordinaryFacts))()
    service.clock.advance({ seconds: 30 * 3600 })
    const pushes = [
      await held('WEB', ordinaryFacts),
      await held('WEB', ordinaryFacts),
      await held('WEB', ordinaryFacts),
    ]
    const sure: boolean[] = []
    for (const push of pushes.reverse()) sure.push((await push()).confidence > confidenceInCrowd)
    assert.deepEqual(sure, [true, false, false])
  })
})
