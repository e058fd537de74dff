import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import type { WebFacts } from '@ringfence/contract'
import type { Settings } from '../../core/config/settings.ts'
import { uuidBytes } from '../../core/storage/uuid.ts'
import { eachDatabase } from '../../testing/databases.ts'
import { newInstallationKey } from '../../testing/installation-key.ts'
import { createApp } from '../../testing/sdk-client.ts'
import { startTestService } from '../../testing/test-service.ts'
import { iphone, laptop } from '../testdata/devices.ts'
import { storeInstallation } from './installation-change.ts'
import { recognise } from './recognise.ts'
import { resembled, testBrowser, type Visited } from './testing/browser.ts'

const elsewhere = '198.18.44.5'
/** Another machine with another browser profile. */
const ofThief = laptop({
  hardwareConcurrency: 4,
  deviceMemory: 4,
  webgl: { vendor: 'Google Inc. (NVIDIA)', renderer: 'ANGLE (NVIDIA, RTX 4070)', image: 'a1', parameters: 'a2' },
  canvas: { geometry: 'b1', text: 'b2' },
  fonts: ['Arial', 'Noto Sans'],
  timezone: 'Europe/Kyiv',
  languages: ['uk'],
  screen: { width: 2560, height: 1440 },
})

/** Shares one key with a laptop, and differs in more than five parts. */
function fake(number: number): WebFacts {
  const own = String(number)
  const drawn = { canvas: { geometry: own, text: own }, fonts: [own], fontWidths: [number], voices: [own] }
  const { webgl } = laptop()
  const many: readonly WebFacts[] = [
    { ...drawn, audio: number, plugins: [own], languages: [own], webgl: { ...webgl, image: own, extensions: own } },
    { ...drawn, audio: number, plugins: [own], hardwareConcurrency: number + 20, deviceMemory: number, codecs: own },
    {
      ...{ hardwareConcurrency: number + 20, deviceMemory: number, timezone: own, languages: [own], voices: [own] },
      ...{ screen: { width: 1000 + 10 * number, height: 700 }, plugins: [own], audio: number },
    },
  ]
  return laptop(many[number % many.length])
}

eachDatabase(({ engine, open }) => {
  const it = (promise: string) => `${promise} (${engine})`

  async function started(t: TestContext, more: Partial<Settings> = {}) {
    const database = await open(t)
    const settings = { trustedProxies: '127.0.0.1', overloadDelayMs: 60_000, appRateBurst: 100_000, ...more }
    const service = await startTestService(t, database, { settings })
    const app = await createApp(service)
    const row = async (id: string) =>
      (
        await database.query('select device_id, key_hash, fingerprint from installation where id = $1', [
          Buffer.from(id.replaceAll('-', ''), 'hex'),
        ])
      )[0]
    const browser = (options: { hasKeys?: boolean; address?: string } = {}) => testBrowser(service, app, options)
    const days = (days: number) => service.clock.advance({ hours: 24 * days })
    return { database, service, app, browser, row, days }
  }

  test(it('gives a stranger with another key and few facts no device that is seconds old'), async (t) => {
    const { service, browser } = await started(t)
    const { userAgent = '', languages = [] } = laptop()
    const [own, stranger] = [browser(), browser()]
    const { deviceId } = await own.visit({ userAgent, languages })
    const visited = await stranger.visit({ userAgent, languages })
    assert.notEqual(visited.deviceId, deviceId)
    service.clock.advance({ seconds: 5 })
    assert.equal((await own.visit({ userAgent, languages })).deviceId, deviceId)
  })

  test(it('gives whoever replays the facts of a device a new installation'), async (t) => {
    const { browser, row, days } = await started(t)
    const victim = browser()
    const own = await victim.visit(laptop())
    const before = await row(own.installationId)
    const installations = new Set([own.installationId])
    for (let replay = 0; replay < 12; replay++) {
      days(1)
      const thief = await browser({ address: elsewhere, hasKeys: replay % 2 === 0 }).visit(laptop())
      assert.equal(thief.identification.by, 'similarity')
      assert.equal(thief.deviceId, own.deviceId, 'it resembles the device, and inherits its history')
      assert.equal(installations.has(thief.installationId), false)
      assert.notEqual(thief.deviceToken.slice(0, 36), own.installationId)
      installations.add(thief.installationId)
    }
    assert.deepEqual(await row(own.installationId), before, 'nobody else changes the record of the victim')
    const again = await victim.visit(laptop())
    assert.deepEqual([again.installationId, again.identification.by], [own.installationId, 'key'])
  })

  test(it('does not follow a copied token'), async (t) => {
    const { browser, row, days } = await started(t)
    const victim = browser()
    const own = await victim.visit(laptop())
    const before = await row(own.installationId)
    days(2)
    const stolen = own.deviceToken
    for (const makeKey of [() => undefined, newInstallationKey]) {
      const key = makeKey()
      const thief = await browser({ address: elsewhere }).visit(ofThief, { key, token: stolen })
      assert.deepEqual([thief.identification.token, thief.evidence.deviceToken], ['copied', 'copied'])
      assert.notEqual(thief.deviceId, own.deviceId)
      assert.notEqual(thief.deviceToken.slice(0, 36), own.installationId)
      assert.ok((thief.judgement.verdicts.tampering?.anomalyScore ?? 0) >= 0.5)
      const withFacts = await browser({ address: elsewhere }).visit(laptop(), { key: makeKey(), token: stolen })
      assert.deepEqual([withFacts.identification.by, withFacts.identification.token], ['similarity', 'copied'])
      assert.notEqual(withFacts.installationId, own.installationId)
      const withNothing = await browser({ address: elsewhere }).visit(
        { userAgent: laptop().userAgent! },
        { key: makeKey(), token: stolen },
      )
      assert.notEqual(withNothing.deviceId, own.deviceId)
      assert.equal(withNothing.evidence.deviceToken, 'copied')
    }
    assert.deepEqual(await row(own.installationId), before)
    assert.equal((await victim.visit(laptop())).identification.by, 'key')
  })

  test(it('does not call it tampering when a browser lost its key and kept its cookie'), async (t) => {
    const { browser, days } = await started(t)
    const own = browser()
    const first = await own.visit(laptop())
    days(8)
    own.key = newInstallationKey()
    const again = await own.visit(laptop())
    assert.equal(again.deviceId, first.deviceId)
    assert.deepEqual([again.identification.token, again.evidence.deviceToken], ['copied', undefined])
    assert.notEqual(again.installationId, first.installationId)
    assert.equal((await own.visit(laptop())).identification.by, 'key', 'the new token is of the new key')
    const phone = browser()
    await phone.visit(iphone())
    phone.key = newInstallationKey()
    const { evidence, identification } = await phone.visit(iphone())
    assert.deepEqual([identification.token, evidence.deviceToken], ['copied', undefined], 'all iPhones look the same')
  })

  test(it('reports a token of other hardware, but follows a key to other hardware'), async (t) => {
    const { browser, row } = await started(t)
    const victim = browser({ hasKeys: false })
    const own = await victim.visit(laptop())
    const before = await row(own.installationId)
    const thief = await browser({ address: elsewhere }).visit(ofThief, { key: undefined, token: victim.token })
    assert.deepEqual([thief.identification.token, thief.evidence.deviceToken], ['foreign', 'foreign'])
    assert.notEqual(thief.deviceId, own.deviceId)
    assert.notEqual(thief.installationId, own.installationId)
    assert.deepEqual(await row(own.installationId), before)
    const rebuilt = browser({ address: '198.18.1.1' })
    const first = await rebuilt.visit(laptop({ deviceMemory: 16 }))
    const again = await rebuilt.visit(ofThief)
    assert.deepEqual([again.identification.by, again.deviceId], ['key', first.deviceId], 'a rebuilt computer')
    assert.deepEqual([again.identification.token, again.evidence.deviceToken], [undefined, 'known'])
  })

  test(it('keeps a device at its history when its key was taught other hardware'), async (t) => {
    const { browser, days } = await started(t)
    const { deviceId } = await browser().visit(laptop())
    days(1)
    const taught = browser()
    const lies = [4, 6, 2, 10].map((hardwareConcurrency) => ({ hardwareConcurrency }))
    const more = [16, 4, 2, 1].map((deviceMemory) => ({ ...lies.at(-1), deviceMemory }))
    for (const changes of [{}, {}, ...lies, ...more]) {
      assert.equal((await taught.visit(laptop(changes))).deviceId, deviceId)
      days(1)
    }
    const { identification, ...next } = await taught.visit(laptop())
    assert.deepEqual([identification.by, identification.token, next.deviceId], ['key', undefined, deviceId])
  })

  test(it('prefers the installation of the key to a token of another one'), async (t) => {
    const { browser } = await started(t)
    const [victim, thief] = [browser({ hasKeys: false }), browser({ address: elsewhere })]
    const own = await victim.visit(laptop())
    const its = await thief.visit(ofThief)
    const both = await thief.visit(ofThief, { key: thief.key, token: own.deviceToken })
    assert.deepEqual([both.installationId, both.identification.by], [its.installationId, 'key'])
    assert.equal((await victim.visit(laptop())).identification.by, 'token', 'nobody bound a key to it')
  })

  test(it('prefers the token of its key to a cookie that a neighbouring site set'), async (t) => {
    const { browser } = await started(t)
    const [victim, thief] = [browser(), browser({ address: elsewhere })]
    const own = await victim.visit(laptop())
    const planted = await thief.visit(ofThief)
    const cookie = planted.deviceToken
    const both = await victim.visit({ ...laptop(), deviceToken: own.deviceToken }, { key: victim.key, cookie })
    assert.deepEqual([both.installationId, both.identification.by], [own.installationId, 'key'])
    assert.deepEqual([both.identification.token, both.evidence.deviceToken], [undefined, 'known'])
  })

  test(it('is no surer of the device by a key than it was when the key joined it'), async (t) => {
    const { browser, days } = await started(t)
    await browser().visit(laptop())
    const lookAlike = browser()
    const joined = await lookAlike.visit(laptop())
    assert.equal(joined.identification.by, 'similarity')
    assert.ok(joined.identification.confidence < 0.999, `${joined.identification.confidence}`)
    days(2)
    const { by, confidence } = (await lookAlike.visit(laptop())).identification
    assert.deepEqual([by, confidence], ['key', joined.identification.confidence])
  })

  test(it('records a wrong proof, and treats the visit as one without a proof'), async (t) => {
    const { browser } = await started(t)
    const own = browser()
    const first = await own.visit(laptop())
    const changes = { proof: { publicKey: own.key!.publicKey, signature: 'A'.repeat(86) } }
    const wrong = await own.visit(ofThief, { token: first.deviceToken, key: own.key, changes, address: elsewhere })
    assert.equal(wrong.evidence.wrongProof, 'its signature is of another call or key')
    assert.equal(wrong.identification.token, 'copied')
    assert.match(wrong.deviceToken, /^[0-9a-f-]{36}\.[0-9a-z]+\.-\./, 'and the new token has no key')
    assert.notEqual(wrong.deviceId, first.deviceId)
  })

  test(it('keeps the record of a device that look-alikes with drifting facts resemble'), async (t) => {
    const { database, browser, row, days } = await started(t)
    const victim = browser()
    const own = await victim.visit(laptop())
    days(2)
    await victim.visit(laptop())
    const before = await row(own.installationId)
    const drift: WebFacts = {}
    const steps: WebFacts[] = [
      { voices: ['Drift'], plugins: ['Drift'] },
      { timezone: 'Europe/Kyiv' },
      { languages: ['uk'] },
      { fonts: ['Drift'] },
      { fontWidths: [1, 2] },
      { canvas: { geometry: 'd', text: 'd' } },
      { screen: { width: 2560, height: 1440 } },
      { audio: 7, math: 'drift' },
    ]
    for (let visit = 0; visit < 40; visit++) {
      Object.assign(drift, steps[visit % steps.length])
      days(1)
      await browser({ address: elsewhere }).visit(laptop(drift))
    }
    assert.deepEqual(await row(own.installationId), before)
    const its = 'select count(*) as n from installation where device_id = $1'
    const [{ n } = { n: 0 }] = await database.query<{ n: number }>(its, [uuidBytes(own.deviceId)])
    assert.ok(n <= 32, `${n} installations`)
    victim.clear()
    assert.equal((await victim.visit(laptop())).deviceId, own.deviceId)
  })

  test(it('finds an established device behind 80 fakes, and on SQLite behind 2,000'), async (t) => {
    const { database, service, browser, days } = await started(t)
    const victim = browser()
    const { deviceId } = await victim.visit(laptop())
    days(2)
    await victim.visit(laptop())
    const add = async (number: number) => {
      const address = `198.19.${number % 250}.${number % 199}`
      const { change, newDevice } = await recognise(
        { tenantId: service.tenantId, facts: fake(number), address },
        service.parts,
      )
      assert.equal(newDevice, true)
      await storeInstallation(database, change!)
    }
    const isFoundBehind = async (fakes: number) => {
      days(1)
      const seen = await victim.visitPrivately(laptop())
      assert.deepEqual([seen.deviceId, seen.identification.by], [deviceId, 'similarity'], `${fakes} fakes`)
    }
    const upTo = (from: number, most: number) =>
      Promise.all(Array.from({ length: most - from }, (_, n) => add(from + n)))
    await upTo(0, 80)
    await isFoundBehind(80)
    for (let number = 0; number < 70; number++) {
      const insert = 'insert into new_device_key (key, device_id) select key, $1 from device_key'
      await database.query(insert, [randomBytes(16)])
    }
    await isFoundBehind(150)
    if (engine === 'postgres') return
    for (let from = 80; from < 2000; from += 64) await upTo(from, from + 64)
    await isFoundBehind(2000)
    const sizes = await database.query<{ n: number }>(
      'select count(*) as n from new_device_key group by key order by n desc limit 3',
    )
    for (const { n } of sizes) assert.ok(n >= 65, `${n} new devices fill the key`)
  })

  test(it('matches nobody to new devices beyond the limit of their network, until they return'), async (t) => {
    const { browser, days } = await started(t, { newDevicesPerNetwork: 3 })
    const browsers = Array.from({ length: 5 }, () => browser({ address: '198.18.5.5' }))
    const facts = (index: number) => fake(3 * index)
    const first: Visited[] = []
    for (const [index, one] of browsers.entries()) first.push(await one.visit(facts(index)))
    assert.deepEqual(
      first.map(({ newDevice, identification }) => [newDevice, identification.by]),
      browsers.map(() => [true, 'none']),
    )
    const isFound = async (index: number) =>
      resembled(await browsers[index]!.visitPrivately(facts(index), { address: '198.18.77.7' })) ===
      first[index]!.deviceId
    assert.deepEqual(await Promise.all([0, 1, 2, 3, 4].map(isFound)), [true, true, true, false, false])
    assert.equal((await browsers[4]!.visit(facts(4))).identification.by, 'key', 'its key still counts')
    days(1)
    await browsers[4]!.visit(facts(4))
    assert.equal(await isFound(4), true, 'a device that returned a day later')
  })
})
