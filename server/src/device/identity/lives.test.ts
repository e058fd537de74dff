import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import type { WebFacts } from '@ringfence/contract'
import { openDatabase } from '../../core/storage/open-database.ts'
import { atEnd } from '../../testing/at-end.ts'
import { eachDatabase } from '../../testing/databases.ts'
import { createApp } from '../../testing/sdk-client.ts'
import { startTestService, type TestService } from '../../testing/test-service.ts'
import { dropExpired } from '../history/retention.ts'
import { iphone, laptop, workAddress } from '../testdata/devices.ts'
import { healSplits, type Split } from './heal.ts'
import { mergeIn } from './merge.ts'
import { resembled, testBrowser } from './testing/browser.ts'

const settings = { trustedProxies: '127.0.0.1', overloadDelayMs: 60_000, appRateBurst: 100_000 }

const withoutWebgl = (changes: WebFacts = {}): WebFacts => {
  const { webgl: _, ...facts } = laptop(changes)
  return facts
}

eachDatabase(({ engine, open, place }) => {
  const it = (promise: string) => `${promise} (${engine})`

  async function started(t: TestContext) {
    const database = await open(t)
    const service = await startTestService(t, database, { settings })
    const app = await createApp(service)
    return { database, service, app, browser: (options = {}) => testBrowser(service, app, options) }
  }
  const days = ({ clock }: TestService, days: number) => clock.advance({ hours: 24 * days })
  const countOf = async (database: Awaited<ReturnType<typeof open>>, what = '*', where = 'true') =>
    Number((await database.query<{ n: number }>(`select count(${what}) as n from installation where ${where}`))[0]!.n)

  test(it('gives one id to a first visit without WebGL, its token, and 20 returns with storage cleared'), async (t) => {
    const { service, browser } = await started(t)
    const own = browser()
    const ids = [(await own.visit(withoutWebgl({ timezone: 'UTC', timezoneOffset: 0 }))).deviceId]
    days(service, 1)
    ids.push((await own.visit(laptop())).deviceId)
    for (let visit = 0; visit < 20; visit++) {
      days(service, 2)
      own.clear()
      ids.push((await own.visit(laptop())).deviceId)
    }
    assert.equal(new Set(ids).size, 1)
  })

  test(it('heals: after a split, 20 returns with storage cleared get one id'), async (t) => {
    const { service, browser } = await started(t)
    const own = browser()
    const original = await own.visit(laptop())
    days(service, 3)
    own.clear()
    const odd = { timezone: 'UTC', languages: ['fr'], fonts: ['Courier'], voices: [], hardwareConcurrency: 4 }
    const split = await own.visit(withoutWebgl(odd), { address: '198.18.7.9' })
    assert.notEqual(split.deviceId, original.deviceId, 'too much is different')
    own.token = split.deviceToken
    days(service, 1)
    assert.equal((await own.visit(laptop({ hardwareConcurrency: 4 }))).deviceId, split.deviceId, 'by its key')
    const { database, tenantKeyring } = service.parts
    const keys = await tenantKeyring.keysOf(service.tenantId)
    const at = { tenantId: service.tenantId, at: service.clock.now() }
    const merge = (its: Split) => database.transaction((tx) => mergeIn(tx, { ...at, ...its }, keys))
    const healed = await healSplits(service.tenantId, service.parts, { merge })
    assert.deepEqual(healed, [{ from: split.deviceId, into: original.deviceId, because: 'network' }])
    const ids = new Set<string>()
    for (let visit = 0; visit < 20; visit++) {
      days(service, 1)
      own.clear()
      const { deviceId, newDevice } = await own.visit(laptop())
      assert.equal(newDevice, false)
      ids.add(deviceId)
    }
    assert.deepEqual([...ids], [original.deviceId])
  })

  test(it('keeps one device through a life of 20 returns with private windows between them'), async (t) => {
    const { database, service, browser } = await started(t)
    const own = browser()
    const { deviceId, installationId } = await own.visit(laptop())
    for (let visit = 1; visit <= 20; visit++) {
      days(service, 3)
      const version = 150 + Math.floor(visit / 8)
      const address = visit % 3 === 0 ? workAddress : undefined
      const normal = await own.visit(laptop({}, version), address ? { address } : {})
      assert.deepEqual([normal.deviceId, normal.identification.by], [deviceId, visit === 11 ? 'similarity' : 'key'])
      if (visit <= 10) assert.equal(normal.installationId, installationId)
      const hidden = await own.visitPrivately(laptop({ storage: {} }, version))
      assert.deepEqual([hidden.deviceId, hidden.identification.by], [deviceId, 'similarity'])
      assert.notEqual(hidden.installationId, installationId, 'never an existing installation')
      if (visit === 10) own.clear()
    }
    assert.ok((await countOf(database)) <= 25)
    assert.ok((await countOf(database, 'fingerprint')) <= 6, 'equal fingerprints are stored once')
    days(service, 31)
    await dropExpired(service.parts)
    assert.ok((await countOf(database)) <= 20, 'of private windows that never returned, sixteen keys are stored')
    own.clear()
    assert.equal((await own.visit(laptop({}, 152))).deviceId, deviceId)
  })

  test(it('recognises a device that only ever comes in private windows, for a year'), async (t) => {
    const { database, service, browser } = await started(t)
    const own = browser()
    const ids = new Set<string>()
    for (let week = 0; week < 52; week++) {
      ids.add((await own.visitPrivately(laptop({}, 150 + Math.floor(week / 5)))).deviceId)
      days(service, 7)
      await dropExpired(service.parts)
    }
    assert.equal(ids.size, 1)
    assert.ok((await countOf(database)) <= 25)
  })

  test(it('identifies a key that it saw once, after ten private windows and four months'), async (t) => {
    const { service, browser } = await started(t)
    const own = browser()
    const { deviceId } = await own.visit(laptop())
    own.clear()
    days(service, 7)
    const { installationId } = await own.visit(laptop({}, 151))
    for (let week = 0; week < 10; week++) {
      days(service, 7)
      await own.visitPrivately(laptop({}, 152 + week))
    }
    days(service, 60)
    await dropExpired(service.parts)
    const again = await own.visit(laptop({}, 162))
    assert.deepEqual([again.installationId, again.deviceId, again.identification.by], [installationId, deviceId, 'key'])
  })

  test(it('forgets private windows without a key that never returned'), async (t) => {
    const { database, service, browser } = await started(t)
    const own = browser({ hasKeys: false })
    await own.visit(laptop())
    for (let week = 0; week < 5; week++) {
      days(service, 7)
      await own.visitPrivately(laptop())
    }
    days(service, 31)
    await dropExpired(service.parts)
    assert.equal(await countOf(database), 1)
  })

  test(it('finds the installation of a key without its token'), async (t) => {
    const { service, browser } = await started(t)
    const own = browser()
    const { installationId, deviceId } = await own.visit(iphone())
    days(service, 200)
    own.token = undefined
    const again = await own.visit(iphone({ languages: ['de'] }))
    assert.deepEqual([again.installationId, again.deviceId, again.identification.by], [installationId, deviceId, 'key'])
  })

  test(it('makes one device of tabs that open at the same time, without and with a token'), async (t) => {
    const { database, service, browser } = await started(t)
    for (const hasKeys of [true, false]) {
      const own = browser({ hasKeys, address: hasKeys ? '198.18.1.1' : '198.18.2.2' })
      const changes = { inId: `11111111-1111-4111-8111-111111111111-177000000${Number(hasKeys)}` }
      const facts = laptop({ hardwareConcurrency: hasKeys ? 4 : 16 })
      const once = await Promise.all([1, 2, 3].map(() => own.visit(facts, { changes })))
      assert.equal(new Set(once.map(({ deviceId }) => deviceId)).size, 1)
      assert.equal(new Set(once.map(({ installationId }) => installationId)).size, 1)
      days(service, 2)
      const token = once[0]!.deviceToken
      const later = await Promise.all([1, 2, 3].map(() => own.visit(facts, { key: own.key, token, changes })))
      for (const { deviceId, installationId } of later) {
        assert.deepEqual([deviceId, installationId], [once[0]!.deviceId, once[0]!.installationId])
      }
    }
    assert.equal(await countOf(database), 2)
  })

  test(it('answers with the same token for a day, then with a fresh one, for 400 days'), async (t) => {
    const { service, browser } = await started(t)
    const own = browser()
    const { deviceToken, installationId, deviceId } = await own.visit(iphone())
    assert.match(deviceToken, new RegExp(`^${installationId}\\.[0-9a-z]+\\.[A-Za-z0-9_-]{16}\\.[A-Za-z0-9_-]{43}$`))
    service.clock.advance({ hours: 23 })
    assert.equal((await own.visit(iphone())).deviceToken, deviceToken)
    service.clock.advance({ hours: 2 })
    const fresh = (await own.visit(iphone())).deviceToken
    assert.notEqual(fresh, deviceToken)
    assert.equal(fresh.slice(0, 36), installationId)
    days(service, 399)
    const late = await own.visit(iphone(), { key: own.key, token: fresh })
    assert.equal(late.deviceId, deviceId)
    days(service, 2)
    const { deviceId: keyless, identification } = await own.visit(iphone(), { key: undefined, token: fresh })
    assert.deepEqual(identification.token, 'expired')
    assert.notEqual(keyless, deviceId)
  })

  test(it('replaces a token of the old form, and binds its installation to the first key'), async (t) => {
    const { service, browser } = await started(t)
    const old = browser({ hasKeys: false })
    const { deviceId, tenantId } = { ...(await old.visit(laptop())), tenantId: service.tenantId }
    const keys = await service.parts.tenantKeyring.keysOf(tenantId)
    const signed = Buffer.from(keys.hash(`device token ${deviceId}`)).toString('base64url')
    old.token = `${deviceId}.${signed}`
    const first = await old.visit(laptop())
    assert.deepEqual([first.deviceId, first.identification.by], [deviceId, 'token'])
    assert.match(first.deviceToken, /^[0-9a-f-]{36}\.[0-9a-z]+\.-\./)
    const upgraded = browser()
    upgraded.token = first.deviceToken
    const bound = await upgraded.visit(laptop())
    assert.deepEqual([bound.deviceId, bound.installationId, bound.identification.by], [deviceId, deviceId, 'token'])
    const next = await upgraded.visit(laptop())
    assert.deepEqual([next.installationId, next.identification.by], [deviceId, 'key'])
    assert.equal((await old.visit(laptop())).identification.token, 'copied', 'the token alone no longer counts')
  })

  test(it('does not overwrite a fuller record with a poor visit, and makes no match target of one'), async (t) => {
    const { database, service, browser } = await started(t)
    const { userAgent, screen, timezone, languages, hardwareConcurrency } = laptop()
    const poorFacts = { userAgent, screen, timezone, languages, hardwareConcurrency } as WebFacts
    const own = browser()
    const factsMissing = {
      deviceToken: 'unavailable',
      webgl: 'timedOut',
      canvas: 'timedOut',
      screen: 'refused',
      nonsense: 'refused',
      fonts: 'x',
    }
    const poor = await own.visit(poorFacts, { changes: { factsMissing } })
    assert.deepEqual(poor.identification.factsMissing, { webgl: 'timedOut', canvas: 'timedOut' })
    const other = await browser({ address: '198.18.9.9' }).visit(poorFacts)
    assert.notEqual(other.deviceId, poor.deviceId, 'nobody is matched to it')
    assert.deepEqual(await database.query('select key from new_device_key'), [])
    service.clock.advance({ hours: 1 })
    assert.equal((await own.visit(laptop(), { key: own.key, token: poor.deviceToken })).deviceId, poor.deviceId)
    own.token = poor.deviceToken
    service.clock.advance({ hours: 1 })
    const stored = () => database.query('select fingerprint from installation order by id')
    const before = await stored()
    assert.equal((await own.visit({ ...poorFacts, languages: ['fr'] })).identification.by, 'key')
    assert.deepEqual(await stored(), before)
    own.clear()
    assert.equal((await own.visit(laptop())).deviceId, poor.deviceId, 'the full record is still there')
    const { canvas: _, audio: __, voices: ___, mediaQueries: ____, fonts: _____, fontWidths: ______, ...few } = laptop()
    const { timezone: _______, languages: ________, ...poorToo } = few
    const fingerprints = async () => (await stored()).filter((row) => Reflect.get(row, 'fingerprint')).length
    const [count, similar] = [await fingerprints(), await browser().visit({ ...poorToo, keyboard: 'fr' })]
    assert.equal(resembled(similar), poor.deviceId)
    assert.equal(await fingerprints(), count, 'a poor visit by similarity adds no record')
  })

  test(it('survives a restart and a second server'), async (t) => {
    const at = await place(t)
    const masterKey = randomBytes(32).toString('base64')
    const start = async () => {
      const database = await openDatabase(at)
      atEnd(t, () => database.close())
      return startTestService(t, database, { settings: { ...settings, masterKey } })
    }
    const [first, second] = [await start(), await start()]
    const app = await createApp(first)
    const own = testBrowser(first, app)
    const { deviceId } = await own.visit(laptop())
    for (let visit = 0; visit < 6; visit++) {
      for (const { clock } of [first, second]) clock.advance({ hours: 30 })
      const at = visit % 2 ? first : second
      const facts = laptop({ hardwareConcurrency: 12 })
      assert.equal((await own.visit(facts, { service: at, key: own.key, token: own.token })).identification.by, 'key')
      assert.equal((await own.visitPrivately(facts, { service: at })).deviceId, deviceId)
    }
    const restarted = await start()
    restarted.clock.advance({ hours: 200 })
    assert.equal((await own.visitPrivately(laptop(), { service: restarted })).deviceId, deviceId)
    const fresh = laptop({ hardwareConcurrency: 2, fonts: ['Arial'], languages: ['ta'] })
    const both = await Promise.all(
      [first, second, first, second].map((service) =>
        testBrowser(first, app).visitPrivately(fresh, { service, address: '198.18.3.3', key: own.key }),
      ),
    )
    assert.equal(new Set(both.map((one) => one.deviceId)).size, 1, 'one key, four tabs, two servers')
  })
})
