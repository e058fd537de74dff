// What becomes of two ids when a later visit proves that they are one device? Played over HTTP, on both engines.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { type Decision, endpoints } from '@ringfence/contract'
import { countActivity } from '../admin/overview/count-activity.ts'
import { adminClient } from '../admin/testing.ts'
import type { Database } from '../core/storage/database.ts'
import { uuidBytes } from '../core/storage/uuid.ts'
import { healSplits } from '../device/identity/heal.ts'
import { aliasStatements } from '../device/store/device-aliases.ts'
import { laptop } from '../device/testdata/devices.ts'
import { browserClient, ordinaryFacts } from '../device/testdata/ordinary-report.ts'
import { ruleSetOf } from '../rules/rule-set.ts'
import { eachDatabase } from '../testing/databases.ts'
import { type InstallationKey, newInstallationKey } from '../testing/installation-key.ts'
import { createApp } from '../testing/sdk-client.ts'
import { startTestService } from '../testing/test-service.ts'
import { mergeDevices, mergeWhenProved } from './merge-devices.ts'
import { decisionCalls } from './testing.ts'

const home = '203.0.113.40'
const elsewhere = '198.51.100.20'
const memory = { deviceMemory: 8 }
const otherMemory = { ...ordinaryFacts, ...memory, workerScope: { ...ordinaryFacts.workerScope, ...memory } }

interface Asked {
  readonly facts?: object
  readonly address?: string
  /** The backend confirms the visit for this user. */
  readonly userId?: string
}

eachDatabase(({ engine, open }) => {
  const it = (promise: string) => `${promise} (${engine})`

  /** Somebody whose laptop gets more memory: what the new id resembles is the old one. */
  async function started(t: TestContext) {
    const service = await startTestService(t, (await open(t)) as Database, {
      settings: { trustedProxies: '127.0.0.0/8', recordedEvents: 'all' },
    })
    const app = await createApp(service)
    const { decide } = decisionCalls(service)
    const visit = async (key: InstallationKey, { facts = ordinaryFacts, address = home, userId }: Asked = {}) => {
      service.clock.advance({ seconds: 20 })
      const client = await browserClient(service, { app, key, headers: { 'x-forwarded-for': address } })
      const { dfrId } = await client.fingerprint(facts)
      return { dfrId, ...(await read(dfrId, userId === undefined ? {} : { userId })) }
    }
    const read = async (dfrId: string, more: object = {}) =>
      (
        await service.post(endpoints.deviceFingerprint.path, {
          dfrId,
          deviceType: 'WEB',
          include: ['identification'],
          ...more,
        })
      ).body
    const dayLater = () => service.clock.advance({ hours: 25 })
    const maintain = () => mergeWhenProved(service.parts)
    const merged = async () => {
      const { body } = await service.post(endpoints.searchEvents.path, { types: ['device.merged'] })
      return body.events.map(({ data }: { data: object }) => data)
    }
    const decided = async (dfrId: string, more: object = {}) => (await decide({ dfrId, ...more })).body as Decision
    return { service, visit, read, dayLater, maintain, merged, decided }
  }
  const inDoubt = { facts: otherMemory, address: elsewhere }

  test(it('a user confirmed on both makes them one: the older id stays, the newer means it'), async (t) => {
    const { service, visit, read, maintain, merged, decided } = await started(t)
    const [before, after] = [newInstallationKey(), newInstallationKey()]
    const { deviceId: older } = await visit(before, { userId: 'asha' })
    const newer = await visit(after, inDoubt)
    assert.deepEqual([newer.newDevice, newer.identification.likely.deviceId], [true, older])
    await maintain()
    assert.deepEqual(await merged(), [], 'nothing proves it yet')
    const sessionOfNewer = await decided(newer.dfrId, { userId: 'asha' })
    assert.equal(sessionOfNewer.device?.deviceId, newer.deviceId)
    await read(newer.dfrId, { userId: 'asha' })
    await maintain()
    assert.deepEqual(await merged(), [{ deviceId: older, formerId: newer.deviceId, because: 'account' }])

    const again = await visit(after, inDoubt)
    assert.deepEqual([again.deviceId, again.identification.by, again.identification.likely], [older, 'key', undefined])
    assert.equal((await read(newer.dfrId)).deviceId, newer.deviceId, 'a report that was read never changes')
    assert.equal((await decided(newer.dfrId, { userId: 'asha' })).device?.deviceId, older, 'but a decision knows')
    const { body } = await service.post(endpoints.listAccountDevices.path, { userId: 'asha' })
    assert.deepEqual(
      body.devices.map(({ deviceId, trusted }: { deviceId: string; trusted: boolean }) => [deviceId, trusted]),
      [[older, true]],
    )
    const revoke = { userId: 'asha', deviceId: newer.deviceId, trusted: false }
    const { body: revoked } = await service.post(endpoints.updateAccountDevice.path, revoke)
    assert.deepEqual([revoked.deviceId, revoked.trusted], [older, false], 'the former id names it')
    await maintain()
    assert.equal((await merged()).length, 1, 'once')
  })

  test(it('the index of devices has one row for both'), async (t) => {
    const { service, visit, read, maintain, decided } = await started(t)
    const older = await visit(newInstallationKey(), { userId: 'asha' })
    await decided(older.dfrId, { userId: 'asha' })
    const newer = await visit(newInstallationKey(), inDoubt)
    for (const userId of ['asha', 'ben']) await decided(newer.dfrId, { userId })
    await read(newer.dfrId, { userId: 'asha' })
    const entities = async () => {
      service.clock.advance({ seconds: 30 })
      await countActivity(service.parts)
      return service.parts.database.query(
        "select kind, cast(decisions as integer) as decisions, cast(shared as integer) as shared from entity where kind <> 'number' order by kind, decisions",
      )
    }
    const user = [{ kind: 'user', decisions: 1, shared: 1 }]
    assert.deepEqual(await entities(), [
      { kind: 'device', decisions: 1, shared: 1 },
      { kind: 'device', decisions: 2, shared: 2 },
      ...[...user, { kind: 'user', decisions: 2, shared: 2 }],
    ])
    await maintain()
    assert.deepEqual(await entities(), [
      { kind: 'device', decisions: 3, shared: 2 },
      ...[...user, { kind: 'user', decisions: 2, shared: 1 }],
    ])
  })

  test(it('a ban of either id holds for both'), async (t) => {
    const { service, visit, read, maintain, decided } = await started(t)
    const [before, after] = [newInstallationKey(), newInstallationKey()]
    await visit(before, { userId: 'asha' })
    const newer = await visit(after, inDoubt)
    await read(newer.dfrId, { userId: 'asha' })
    await service.post(endpoints.createList.path, { name: 'banned', kind: 'deviceId', purpose: 'block' })
    await service.post(endpoints.addListEntries.path, { name: 'banned', entries: [{ value: newer.deviceId }] })
    await maintain()
    service.clock.advance({ seconds: 2 })
    await decisionCalls(service).publish([
      { id: 'own', name: 'Own', when: 'inList("banned", deviceId)', action: 'BLOCK', score: 1 },
    ])
    for (const key of [before, after]) {
      const { dfrId } = await visit(key, key === after ? inDoubt : {})
      assert.equal((await decided(dfrId, { userId: 'u' })).action, 'BLOCK')
    }
  })

  test(it('no number of joins hides a banned id: a device with 100 former ids takes no more'), async (t) => {
    const { service, visit, merged, decided } = await started(t)
    const key = newInstallationKey()
    const { deviceId: older } = await visit(key)
    const stranger = (number: number) => ({
      facts: laptop({ hardwareConcurrency: 8 + number, fonts: [`${number}`], languages: [`l${number}`], voices: [] }),
      address: `198.51.${number}.7`,
    })
    const joins = async (from: string) =>
      mergeDevices(service.tenantId, { from, into: older, because: 'account' }, service.parts)
    const banned = await visit(newInstallationKey(), stranger(0))
    await service.post(endpoints.createList.path, { name: 'banned', kind: 'deviceId', purpose: 'block' })
    await service.post(endpoints.addListEntries.path, { name: 'banned', entries: [{ value: banned.deviceId }] })
    assert.equal(await joins(banned.deviceId), true)
    for (let number = 1; number < 99; number++) {
      const names = { from: uuidBytes(randomUUID()), into: uuidBytes(older), at: service.clock.now() + number }
      await service.parts.database.batch(aliasStatements(service.tenantId, names))
    }
    const [hundredth, beyond] = [
      await visit(newInstallationKey(), stranger(1)),
      await visit(newInstallationKey(), stranger(2)),
    ]
    assert.equal(await joins(hundredth.deviceId), true)
    assert.equal(await joins(beyond.deviceId), false)
    assert.ok(!(await merged()).some(({ formerId }: { formerId: string }) => formerId === beyond.deviceId))
    service.clock.advance({ seconds: 2 })
    await decisionCalls(service).publish([
      { id: 'own', name: 'Own', when: 'inList("banned", deviceId)', action: 'BLOCK', score: 1 },
    ])
    const { dfrId } = await visit(key)
    assert.equal((await decided(dfrId, { userId: 'u' })).action, 'BLOCK')
  })

  test(it('what rules counted by the newer id counts for both, and is erased with either'), async (t) => {
    const { service, visit, maintain, merged, decided } = await started(t)
    const { parts, tenantId } = service
    const rules = [
      { id: 'cards', name: 'Cards', when: 'velocity.cards > 3', action: 'BLOCK', score: 1 },
      { id: 'spent', name: 'Spent', when: 'velocity.spent > 1000', action: 'CHALLENGE', score: 1 },
    ]
    const velocity = {
      cards: { distinct: 'params.card', per: 'device', within: '24h' },
      spent: { sum: 'params.amount', per: 'device', within: '24h' },
    }
    const author = { by: 'test' }
    const version = await parts.rules.draft(tenantId, ruleSetOf({ rules, velocity, require: {} }), author)
    await parts.rules.live(tenantId, version, author, { untried: true })
    const [before, after] = [newInstallationKey(), newInstallationKey()]
    const pays = async (key: InstallationKey, asked: Asked, card: string) => {
      const { dfrId } = await visit(key, { ...asked, userId: 'asha' })
      const { action } = await decided(dfrId, { userId: 'asha', action: 'PAYMENT', params: { card, amount: 200 } })
      return action
    }
    const of = { before: {}, after: inDoubt }
    for (const card of ['a', 'b']) assert.equal(await pays(before, of.before, card), 'ALLOW')
    for (const card of ['b', 'c']) assert.equal(await pays(after, of.after, card), 'ALLOW')
    await maintain()
    assert.equal((await merged()).length, 1)
    assert.equal(await pays(after, of.after, 'c'), 'ALLOW', 'three cards, one of which was paid with on both')
    assert.equal(await pays(before, of.before, 'd'), 'BLOCK', 'four')
    assert.equal(await pays(after, of.after, 'a'), 'BLOCK')
    const counted = await parts.database.query('select key_hash from velocity_count')
    assert.equal(new Set(counted.map(({ key_hash: key }) => Buffer.from(key as Uint8Array).toString('hex'))).size, 1)
    const support = await adminClient(service, 'admin')
    const [{ formerId }] = await merged()
    const subject = { kind: 'deviceId', value: formerId }
    assert.equal((await support('eraseSubject', { subject, reason: 'Ticket 4711' })).status, 200)
    assert.deepEqual(await parts.database.query('select part from velocity_count'), [])
  })

  test(it('two equal machines of one user, whose keys come back by turns, stay two'), async (t) => {
    const { service, visit, dayLater, merged } = await started(t)
    const { tenantId, parts } = service
    const [one, two] = [newInstallationKey(), newInstallationKey()]
    const wasOther = laptop({ hardwareConcurrency: 4, fonts: ['Arial'], languages: ['ta'], voices: [] })
    const first = await visit(one, { userId: 'asha' })
    const second = await visit(two, { facts: wasOther, userId: 'asha' })
    assert.notEqual(second.deviceId, first.deviceId)
    for (let day = 0; day < 3; day++) {
      dayLater()
      // By now the second machine is set up like the first one.
      for (const key of [one, two]) await visit(key, { userId: 'asha' })
      await healSplits(tenantId, parts, { merge: (split) => mergeDevices(tenantId, split, parts) })
    }
    assert.deepEqual(await merged(), [])
    assert.equal((await visit(two)).deviceId, second.deviceId)
  })

  test(it('its own network proves it once it returned there, and the other id stayed away'), async (t) => {
    const { visit, dayLater, maintain, merged } = await started(t)
    const [before, after] = [newInstallationKey(), newInstallationKey()]
    const older = await visit(before)
    dayLater()
    await visit(before)
    const newer = await visit(after, inDoubt)
    await visit(after, { facts: otherMemory })
    await maintain()
    assert.deepEqual(await merged(), [], 'it has not returned')
    dayLater()
    await visit(after, { facts: otherMemory })
    await maintain()
    assert.deepEqual(await merged(), [{ deviceId: older.deviceId, formerId: newer.deviceId, because: 'network' }])
  })

  test(it('one of equal machines joins none while the others are away'), async (t) => {
    const { visit, dayLater, maintain, merged } = await started(t)
    const others = [1, 2, 3].map((index) => ({ index, key: newInstallationKey() }))
    const ids = new Set<string>()
    for (const { index, key } of others) {
      const was = { hardwareConcurrency: 8 * index, deviceMemory: index, fonts: [`${index}`], languages: [`d${index}`] }
      ids.add((await visit(key, { facts: laptop(was), address: `198.51.100.${index}` })).deviceId)
    }
    for (let day = 0; day < 2; day++) {
      dayLater()
      for (const { key } of others) await visit(key)
    }
    assert.equal(ids.size, 3)
    dayLater()
    const key = newInstallationKey()
    const fourth = await visit(key)
    assert.ok(fourth.newDevice && ids.has(fourth.identification.likely.deviceId))
    for (let day = 0; day < 3; day++) {
      await maintain()
      dayLater()
      await visit(key)
    }
    assert.deepEqual(await merged(), [])
  })

  test(it('two that are in use beside each other stay two'), async (t) => {
    const { visit, dayLater, maintain, merged } = await started(t)
    const [before, after] = [newInstallationKey(), newInstallationKey()]
    await visit(before)
    dayLater()
    await visit(before)
    for (let day = 0; day < 4; day++) {
      dayLater()
      await visit(after, { facts: otherMemory, address: day === 0 ? elsewhere : home })
      await visit(before)
      await maintain()
    }
    assert.deepEqual(await merged(), [])
  })

  test(it('an account of whoever copied the facts joins nothing, in whichever order'), async (t) => {
    const { service, visit, dayLater, maintain, merged } = await started(t)
    const own = { facts: laptop({ hardwareConcurrency: 4, fonts: ['Arial'], languages: ['ta'], voices: [] }) }
    const attacker = (more: Asked) => ({ address: elsewhere, userId: 'mule', ...more })
    const [older, victim, younger] = [newInstallationKey(), newInstallationKey(), newInstallationKey()]
    const prepared = await visit(older, attacker(own))
    dayLater()
    const { deviceId } = await visit(victim, { userId: 'asha' })
    dayLater()
    const other = { ...laptop({ hardwareConcurrency: 2, fonts: ['Cambria'], languages: ['ml'], voices: [] }) }
    const prepared2 = await visit(younger, attacker({ facts: other }))
    const copy = await visit(newInstallationKey(), attacker({}))
    assert.equal(copy.deviceId, deviceId, 'the account of the attacker trusts the device of the victim')
    for (const key of [older, younger]) await visit(key, attacker({}))
    assert.equal(new Set([prepared.deviceId, prepared2.deviceId, deviceId]).size, 3)
    for (let round = 0; round < 3; round++) {
      await maintain()
      await healSplits(service.tenantId, service.parts, {
        merge: (its) => mergeDevices(service.tenantId, its, service.parts),
      })
      dayLater()
      for (const key of [older, younger]) await visit(key, attacker({}))
    }
    assert.ok(
      (await merged()).every(
        (its: { deviceId: string; formerId: string }) => ![its.deviceId, its.formerId].includes(deviceId),
      ),
    )
    assert.equal((await visit(victim, { userId: 'asha' })).deviceId, deviceId)
  })

  test(it('a join by the network is no surer than similarity, and makes no installation its own'), async (t) => {
    const { service, visit, dayLater, maintain, merged } = await started(t)
    const [before, after] = [newInstallationKey(), newInstallationKey()]
    const older = await visit(before)
    dayLater()
    await visit(before)
    await visit(after, inDoubt)
    dayLater()
    await visit(after, { facts: otherMemory })
    await maintain()
    assert.equal((await merged()).length, 1)
    const again = await visit(after, { facts: otherMemory })
    assert.deepEqual([again.deviceId, again.identification.by], [older.deviceId, 'key'])
    assert.equal(again.identification.confidence, 0.9)
    assert.equal((await visit(before)).identification.confidence, 0.999)
    const own = await service.parts.database.query('select id from installation where confidence is null')
    assert.equal(own.length, 1)
  })

  test(it('two servers join a pair once'), async (t) => {
    const { visit, maintain, merged } = await started(t)
    await visit(newInstallationKey(), { userId: 'asha' })
    await visit(newInstallationKey(), { ...inDoubt, userId: 'asha' })
    await Promise.all([maintain(), maintain()])
    await maintain()
    assert.equal((await merged()).length, 1)
  })

  test(it('nothing joins a device that was erased meanwhile'), async (t) => {
    for (const erased of ['older', 'newer'] as const) {
      const { service, visit, merged } = await started(t)
      const older = await visit(newInstallationKey(), { userId: 'asha' })
      const newer = await visit(newInstallationKey(), { ...inDoubt, userId: 'asha' })
      const support = await adminClient(service, 'admin')
      const subject = { kind: 'deviceId', value: { older, newer }[erased].deviceId }
      const asked = { subject, reason: 'Ticket 4711' }
      assert.equal((await support('eraseSubject', asked)).status, 200)
      const pair = { from: newer.deviceId, into: older.deviceId, because: 'account' } as const
      await mergeDevices(service.tenantId, pair, service.parts)
      assert.deepEqual(await merged(), [], erased)
      assert.deepEqual((await support('exportSubject', asked)).body.records, [], 'what was erased stays erased')
    }
  })

  test(it('export and erasure by either id are of both'), async (t) => {
    const { service, visit, read, maintain, decided } = await started(t)
    const [before, after] = [newInstallationKey(), newInstallationKey()]
    const older = await visit(before, { userId: 'asha' })
    const newer = await visit(after, inDoubt)
    const { decisionId } = await decided(newer.dfrId, { userId: 'asha' })
    await read(newer.dfrId, { userId: 'asha' })
    await maintain()
    const support = await adminClient(service, 'admin')
    const asked = (value: string) => ({ subject: { kind: 'deviceId', value }, reason: 'Ticket 4711' })
    const exported = async (value: string) =>
      JSON.stringify((await support('exportSubject', asked(value))).body.records)
    const records = await exported(newer.deviceId)
    assert.ok(records.includes(older.dfrId) && records.includes(newer.dfrId) && records.includes(decisionId))
    assert.equal((await support('eraseSubject', asked(newer.deviceId))).status, 200)
    for (const id of [older.deviceId, newer.deviceId]) assert.equal(await exported(id), '[]')
    const left = await service.parts.database.query('select alias_id from device_alias')
    assert.deepEqual(left, [])
  })
})
