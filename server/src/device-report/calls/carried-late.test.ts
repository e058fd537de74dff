// What happened between the engine call and the push counts, also when the analysis travelled with the SDK.

import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { endpoints, type PrivacySubject } from '@ringfence/contract'
import { adminClient } from '../../admin/testing.ts'
import { mergeDevices } from '../../decisions/merge-devices.ts'
import { decisionCalls } from '../../decisions/testing.ts'
import { browserClient, ordinaryFacts } from '../../device/testdata/ordinary-report.ts'
import { eachDatabase } from '../../testing/databases.ts'
import { type InstallationKey, newInstallationKey } from '../../testing/installation-key.ts'
import { createApp } from '../../testing/sdk-client.ts'
import { startTestService } from '../../testing/test-service.ts'

const memory = { deviceMemory: 8 }
const otherFacts = { ...ordinaryFacts, ...memory, workerScope: { ...ordinaryFacts.workerScope, ...memory } }
const home = '203.0.113.40'
const elsewhere = '198.51.100.20'
const user = { userId: 'asha', phoneNumber: '+917020141726' }

interface Begun {
  readonly carry: boolean
  readonly key?: InstallationKey
  readonly facts?: object
  readonly address?: string
}

eachDatabase(({ engine, open }) => {
  async function started(t: TestContext) {
    const settings = { trustedProxies: '127.0.0.0/8', recordedEvents: 'all' } as const
    const service = await startTestService(t, await open(t), { settings })
    const app = await createApp(service)
    const support = await adminClient(service, 'admin')
    /** The engine call; the function that it returns is the push. */
    async function begin({ carry, key = newInstallationKey(), facts = ordinaryFacts, address = home }: Begun) {
      service.clock.advance({ seconds: 20 })
      const client = await browserClient(service, { app, key, headers: { 'x-forwarded-for': address } })
      const body = client.engineBody(facts, { ...(carry && { carry }), updateInfo: user })
      const { analysis } = (await client.post(endpoints.intelligence.path, body)).body
      service.clock.advance({ seconds: 5 })
      const { requestId } = body
      const pushed = { ...client.pushBody(requestId), data: { requestId, ...(carry && { analysis }) } }
      return () => client.post(endpoints.pushFingerprint.path, pushed)
    }
    async function reportOf(push: Awaited<ReturnType<typeof begin>>) {
      const { status, body } = await push()
      assert.equal(status, 200, JSON.stringify(body))
      const { dfrId } = body
      const asked = { dfrId, deviceType: 'WEB', include: ['identification'] }
      return { dfrId, report: (await service.post(endpoints.deviceFingerprint.path, asked)).body }
    }
    const about = (kind: PrivacySubject['kind'], value: string) => ({ subject: { kind, value }, reason: 'Ticket 4711' })
    return {
      ...{ service, begin, reportOf },
      async erase(kind: PrivacySubject['kind'], value: string) {
        assert.equal((await support('eraseSubject', about(kind, value))).status, 200)
      },
      async records(kind: PrivacySubject['kind'], value: string): Promise<{ kind: string }[]> {
        return (await support('exportSubject', about(kind, value))).body.records
      },
    }
  }
  const rowsOf = async ({ service }: Pick<Awaited<ReturnType<typeof started>>, 'service'>, table: string) =>
    (await service.parts.database.query<{ n: number }>(`select cast(count(*) as integer) as n from ${table}`))[0]!.n

  for (const carry of [false, true]) {
    const it = (promise: string) => `${promise}, ${carry ? 'with' : 'without'} carry (${engine})`

    test(
      it('a visit of a device that was merged before its push is of the older device, and banned with it'),
      async (t) => {
        const its = await started(t)
        const { service, begin, reportOf } = its
        const { decide, publish } = decisionCalls(service)
        const older = (await reportOf(await begin({ carry }))).report.deviceId
        const key = newInstallationKey()
        const visit = { carry, key, facts: otherFacts, address: elsewhere }
        const newer = (await reportOf(await begin(visit))).report.deviceId
        assert.notEqual(newer, older)
        const list = { name: 'banned', kind: 'deviceId', purpose: 'block' } as const
        assert.equal((await service.post(endpoints.createList.path, list)).status, 200)
        const entries = [{ value: older }]
        assert.equal((await service.post(endpoints.addListEntries.path, { name: list.name, entries })).status, 200)
        await publish([{ id: 'ban', name: 'Ban', when: 'inList("banned", deviceId)', action: 'BLOCK', score: 90 }])
        const late = await begin(visit)
        const split = { from: newer, into: older, because: 'account' } as const
        assert.ok(await mergeDevices(service.tenantId, split, service.parts))
        const { dfrId, report } = await reportOf(late)
        assert.deepEqual([report.deviceId, report.newDevice], [older, false])
        assert.deepEqual((await late()).body, { dfrId }, 'the same push again')
        for (const seconds of [0, 3000]) {
          service.clock.advance({ seconds })
          assert.equal((await decide({ dfrId })).body.action, 'BLOCK', `after ${seconds} seconds`)
        }
        assert.equal((await reportOf(await begin(visit))).report.deviceId, older, 'and so is its next visit')
        await its.erase('deviceId', older)
        assert.deepEqual([await rowsOf(its, 'device_analysis'), await rowsOf(its, 'device_history')], [0, 0])
      },
    )

    test(it('a push after the erasure of its device is refused, and stores nothing'), async (t) => {
      const its = await started(t)
      const { begin, reportOf } = its
      const key = newInstallationKey()
      const { deviceId } = (await reportOf(await begin({ carry, key }))).report
      const late = await begin({ carry, key })
      await its.erase('deviceId', deviceId)
      assert.equal((await late()).status, 401)
      assert.deepEqual(
        (await its.records('deviceId', deviceId)).filter(({ kind }) => kind !== 'auditLine' && kind !== 'erasure'),
        [],
      )
      const tables = ['device_analysis', 'device_history', 'installation']
      for (const table of tables) assert.equal(await rowsOf(its, table), 0, table)
      await reportOf(await begin({ carry, key }))
    })

    for (const [kind, value] of [
      ['userId', user.userId],
      ['phoneNumber', user.phoneNumber.slice(1)],
    ] as const) {
      test(it(`a push after the erasure of its ${kind} is refused, and stores nothing of the person`), async (t) => {
        const its = await started(t)
        const key = newInstallationKey()
        await its.reportOf(await its.begin({ carry, key }))
        const late = await its.begin({ carry, key })
        await its.erase(kind, value)
        const before = await its.records(kind, value)
        assert.equal((await late()).status, 401)
        assert.deepEqual(await its.records(kind, value), before)
        await its.reportOf(await its.begin({ carry, key }))
        assert.notEqual((await its.records(kind, value)).length, before.length, 'a later visit is a new one')
      })
    }
  }
})
