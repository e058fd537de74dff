import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { endpoints } from '@ringfence/contract'
import type { Database } from '../../core/storage/database.ts'
import { eachDatabase } from '../../testing/databases.ts'
import { sdkClient } from '../../testing/sdk-client.ts'
import { androidPhone } from '../testdata/phones.ts'
import type { Addition } from './testing/attesting-calls.ts'
import { type AuthorityOptions, newPhoneKey } from './testing/attesting-phone.ts'
import { attestingPhones } from './testing/attesting-phones.ts'

const { facts } = androidPhone()
const madeUp = (index: number) => ({ ...facts, androidId: `made-up-${index}`, drmId: `made-up-${index}` })

/** An app of phones whose keys one certificate attests, and the report of a visit. */
async function start(t: TestContext, database: Database, authority: Partial<AuthorityOptions>) {
  const its = await attestingPhones(t, database, authority)
  const { service } = its
  const app = await its.newApp()
  async function visit(ofFacts: object, additionOf: Addition) {
    service.clock.advance({ seconds: 60 })
    const client = await sdkClient(service, { platform: 'ANDROID', app })
    const body = client.engineBody(ofFacts)
    const { status } = await client.post(endpoints.intelligence.path, { ...body, ...(await additionOf(body)) })
    assert.equal(status, 200)
    const { body: pushed } = await client.post(endpoints.pushFingerprint.path, client.pushBody(body.requestId))
    const { body: report } = await service.post(endpoints.deviceFingerprint.path, {
      ...pushed,
      deviceType: 'ANDROID',
      include: ['identification'],
    })
    const { by, confidence, likely } = report.identification
    const { level } = await its.found(body.requestId)
    const rules = Object.keys(report.appliedRules.rules ?? {})
    return {
      dfrId: pushed.dfrId,
      deviceId: report.deviceId as string,
      by,
      confidence,
      level,
      likely: likely?.deviceId,
      rules,
    }
  }
  return { ...its, visit }
}

eachDatabase(({ engine, open }) => {
  test(`rules see that one phone makes a key for each made-up id (${engine})`, async (t) => {
    const { visit, attested, signed } = await start(t, await open(t), { provisioning: 'remote' })
    const key = newPhoneKey()
    const own = await visit(facts, attested(key))
    assert.deepEqual([own.level, own.likely, own.rules], ['hardware', undefined, []])
    const others = []
    for (let index = 0; index < 6; index++) {
      const other = await visit(madeUp(index), attested(newPhoneKey()))
      assert.deepEqual([other.level, other.by, other.confidence], ['hardware', 'key', own.confidence])
      assert.equal(other.likely, own.deviceId, 'the first device of the phone')
      others.push(other)
    }
    assert.equal(new Set(others.map(({ deviceId }) => deviceId)).size, 6)
    const isCaught = (rules: readonly string[]) => rules.some((rule) => rule.startsWith('many-accounts'))
    assert.deepEqual(
      others.map(({ rules }) => isCaught(rules)),
      [false, false, false, false, true, true],
    )
    const another = await visit(madeUp(6), attested(newPhoneKey(), {}, true))
    assert.deepEqual([another.level, another.likely, another.rules], ['hardware', undefined, []])
    const later = await visit(facts, signed(key))
    assert.deepEqual([later.deviceId, later.likely, later.rules], [own.deviceId, undefined, []], 'an honest key')
  })

  test(`the label of a made-up phone counts against the next one, and not against its first one (${engine})`, async (t) => {
    const { service, visit, attested, signed } = await start(t, await open(t), { provisioning: 'remote' })
    const key = newPhoneKey()
    await visit(facts, attested(key))
    const { dfrId } = await visit(madeUp(0), attested(newPhoneKey()))
    const labels = [{ dfrId, outcome: 'fraud', userId: 'thief' }]
    assert.equal((await service.post(endpoints.labelReports.path, { labels })).status, 200)
    const next = await visit(madeUp(1), attested(newPhoneKey()))
    assert.deepEqual(next.rules, ['resembles-bad-device : Resembles a bad device'])
    for (const addition of [attested(newPhoneKey(), {}, true), signed(newPhoneKey())])
      assert.deepEqual((await visit(madeUp(2), addition)).rules, [], 'another phone')
    assert.deepEqual((await visit(facts, signed(key))).rules, [])
  })

  test(`a phone that gives an id of each made-up phone to the next one hides nothing by it (${engine})`, async (t) => {
    const { service, visit, attested, signed } = await start(t, await open(t), { provisioning: 'remote' })
    const own = await visit(facts, attested(newPhoneKey()))
    const idsOf = (drmId: number, androidId: number) => ({ ...facts, drmId: `d${drmId}`, androidId: `a${androidId}` })
    for (let index = 1; index <= 6; index++) {
      const key = newPhoneKey()
      const { dfrId, likely, rules } = await visit(idsOf(index, index - 1), attested(key))
      assert.equal(likely, own.deviceId, `${index}`)
      assert.deepEqual(
        ['resembles-bad-device', 'many-accounts'].map((id) => rules.some((rule) => rule.startsWith(id))),
        [index > 1, index > 4],
        `${index}`,
      )
      if (index === 1) {
        const labels = [{ dfrId, outcome: 'fraud', userId: 'thief' }]
        assert.equal((await service.post(endpoints.labelReports.path, { labels })).status, 200)
      }
      await visit(idsOf(index, index), signed(key))
    }
  })

  test(`a phone that could not read an id keeps its device, with its own certificate (${engine})`, async (t) => {
    const { visit, attested } = await start(t, await open(t), { provisioning: 'remote' })
    const { drmId: _, ...withoutDrm } = facts
    const first = await visit(withoutDrm, attested(newPhoneKey()))
    const reinstalled = await visit(facts, attested(newPhoneKey()))
    const unproved = await visit(facts, () => ({}))
    for (const { deviceId, likely } of [reinstalled, unproved]) {
      assert.deepEqual([deviceId, likely], [first.deviceId, undefined])
    }
  })

  test(`a certificate that many phones share says nothing of one phone, nor does one that nobody trusts (${engine})`, async (t) => {
    const factory = await start(t, await open(t), { provisioning: 'factory' })
    const software = await start(t, await open(t), { provisioning: 'remote' })
    const { roots } = software.service.parts.device.keyAttestation
    software.service.parts.device.keyAttestation.roots = { hardware: [], software: roots.hardware }
    for (const { visit, attested } of [factory, software]) {
      for (const index of [1, 2]) {
        const { level, likely } = await visit(madeUp(index), attested(newPhoneKey()))
        assert.deepEqual([level, likely], [visit === factory.visit ? 'hardware' : 'software', undefined])
      }
    }
  })
})
