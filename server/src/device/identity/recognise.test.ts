import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import type { WebFacts } from '@ringfence/contract'
import { keyring } from '../../core/crypto/keyring.ts'
import { tenantKeyring } from '../../core/crypto/tenant-keyring.ts'
import type { Database } from '../../core/storage/database.ts'
import { openDatabase } from '../../core/storage/open-database.ts'
import { eachDatabase, type TestDatabases } from '../../testing/databases.ts'
import { testClock } from '../../testing/test-clock.ts'
import { homeAddress, iphone, laptop, workAddress } from '../testdata/devices.ts'
import { mostDevicesOfAKey } from './blocking-keys.ts'
import { keyInToken } from './device-token.ts'
import { storeInstallation } from './installation-change.ts'
import { type Recognition, recognise } from './recognise.ts'

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

interface Asked {
  address?: string
  /** The recognition of an earlier visit, or an installation id. */
  token?: Pick<Recognition, 'installationId'> & { key?: string }
  keyHash?: Uint8Array
  installation?: string
  tenantId?: string
  database?: Database
}

async function service(t: TestContext, open: TestDatabases['open']) {
  const database = await open(t)
  const clock = testClock()
  const keys = tenantKeyring(database, keyring(randomBytes(32)), clock)
  const { id: tenantId } = await keys.createTenant('shop')
  const visit = async (facts: WebFacts, { address = homeAddress, token, ...asked }: Asked = {}) => {
    const of = asked.database ?? database
    const recognition = await recognise(
      { tenantId, facts, address, ...(token && { token: { ...token, text: '' } }), ...asked },
      { clock, database: of, tenantKeyring: keys },
    )
    if (recognition.change) await storeInstallation(of, recognition.change)
    return recognition
  }
  const count = async (what: string) =>
    Number((await database.query<{ n: number }>(`select count(distinct ${what}) as n from installation`))[0]!.n)
  const devices = () => count('device_id')
  return { database, clock, keys, visit, devices }
}

eachDatabase(({ engine, open, place }) => {
  test(`is never surer by similarity than by a key (${engine})`, async (t) => {
    const { visit, clock } = await service(t, open)
    await visit(laptop())
    clock.advance({ hours: 24 })
    await visit(laptop())
    clock.advance({ hours: 24 })
    const { by, confidence } = await visit(laptop())
    assert.equal(by, 'similarity')
    assert.ok(confidence.score <= 0.999, String(confidence.score))
  })

  test(`keeps the id of a device after its storage is cleared (${engine})`, async (t) => {
    const { visit, clock, devices } = await service(t, open)
    const first = await visit(laptop())
    assert.match(first.deviceId, uuid)
    assert.equal(first.newDevice, true)
    assert.deepEqual(first.changes, [])
    clock.advance({ hours: 20 * 24 })
    const again = await visit(laptop({}, 151))
    assert.equal(again.deviceId, first.deviceId)
    assert.equal(again.newDevice, false)
    assert.deepEqual(again.changes, ['version', 'fullVersion'])
    assert.ok(again.confidence.score > 0.9 && again.confidence.score <= 1, String(again.confidence.score))
    assert.match(again.confidence.revision, /^v\d/)
    assert.equal(await devices(), 1)
  })

  test(`binds an installation without a key to the key of a browser that looks like it only (${engine})`, async (t) => {
    const { visit } = await service(t, open)
    const [own, foreign] = [randomBytes(16), randomBytes(16)]
    const owner = await visit(laptop())
    const other = laptop({ timezone: 'Europe/Bucharest', languages: ['ro'], fonts: ['Arial'], fontWidths: [1, 2] })
    const thief = await visit(
      { ...other, hardwareConcurrency: 4 },
      { address: workAddress, token: owner, keyHash: foreign },
    )
    assert.deepEqual([thief.by, thief.installationId], ['token', owner.installationId])
    const locked = await visit(laptop(), { token: owner })
    assert.deepEqual([locked.by, locked.token], ['token', undefined], 'the owner is not locked out')
    assert.equal((await visit(laptop(), { token: owner, keyHash: own })).installationId, owner.installationId)
    const { by, installationId } = await visit(laptop(), { token: owner, keyHash: own })
    assert.deepEqual([by, installationId], ['key', owner.installationId])
    assert.equal((await visit(laptop(), { token: owner })).token, 'copied')
    assert.equal((await visit(laptop(), { token: owner, keyHash: foreign })).token, 'copied')
  })

  const afterwards: [what: string, facts: WebFacts, address: string][] = [
    [
      'an update that changes audio, math and extensions',
      laptop({ audio: 124.1, math: 'ab12', webgl: { ...laptop().webgl, extensions: 'cd34' } }, 156),
      homeAddress,
    ],
    [
      'another monitor',
      laptop({ screen: { width: 2560, height: 1440, availWidth: 2560, availHeight: 1400 }, devicePixelRatio: 1 }),
      homeAddress,
    ],
    ['a journey', laptop({ timezone: 'Europe/Paris' }), workAddress],
    ['zoom', laptop({ devicePixelRatio: 1.5 }), homeAddress],
    ['no WebGL', withoutWebgl(), homeAddress],
    [
      'a new driver',
      laptop({ webgl: { ...laptop().webgl, renderer: `${laptop().webgl?.renderer}-31.0.101.5590` } }),
      workAddress,
    ],
  ]
  test(`recognises a device after ordinary changes (${engine})`, async (t) => {
    for (const [what, facts, address] of afterwards) {
      const { visit } = await service(t, open)
      const { deviceId } = await visit(laptop())
      assert.equal((await visit(facts, { address })).deviceId, deviceId, what)
    }
  })

  test(`FP-STALKER: treats another system or browser, an older version, or more than five changes as another device (${engine})`, async (t) => {
    const others = {
      browser: laptop({ userAgent: `${laptop().userAgent} Edg/150.0.0.0` }),
      system: laptop({ userAgent: laptop().userAgent!.replace('Windows NT 10.0; Win64; x64', 'X11; Linux x86_64') }),
      older: laptop({}, 149),
      'six changes': laptop({
        timezone: 'Europe/Paris',
        languages: ['fr'],
        fonts: ['Courier'],
        hardwareConcurrency: 4,
        deviceMemory: 4,
        voices: [],
        mediaQueries: { pointer: 'coarse' },
      }),
    }
    for (const [what, facts] of Object.entries(others)) {
      const { visit } = await service(t, open)
      const { deviceId } = await visit(laptop())
      const other = await visit(facts)
      assert.notEqual(other.deviceId, deviceId, what)
      assert.equal(other.newDevice, true, what)
    }
  })

  test(`never merges identical iPhones without a token (${engine})`, async (t) => {
    const { visit } = await service(t, open)
    const [one, two] = [await visit(iphone()), await visit(iphone())]
    assert.notEqual(one.deviceId, two.deviceId)
    assert.equal(two.newDevice, true)
    assert.equal((await visit(iphone(), { token: two })).deviceId, two.deviceId)
    assert.equal((await visit(iphone(), { token: one })).deviceId, one.deviceId)
  })

  test(`trusts a token, whatever else has changed (${engine})`, async (t) => {
    const { visit } = await service(t, open)
    const first = await visit(laptop())
    const { deviceId } = first
    const moved = laptop({ timezone: 'Europe/Paris', languages: ['fr'], fonts: [], voices: [], plugins: [] }, 160)
    const again = await visit(moved, { token: first, address: workAddress })
    assert.equal(again.deviceId, deviceId)
    assert.equal(again.tamperingByToken, false)
    assert.ok(again.changes.includes('zone') && again.changes.includes('network'))
    assert.equal((await visit(moved, { address: workAddress })).deviceId, deviceId, 'and its new values are stored')
  })

  test(`treats a token that contradicts the hardware as tampering (${engine})`, async (t) => {
    const { visit } = await service(t, open)
    const first = await visit(laptop())
    const { deviceId } = first
    const copies: WebFacts[] = [
      iphone(),
      laptop({
        userAgent: laptop().userAgent!.replace('Windows NT 10.0; Win64; x64', 'Macintosh; Intel Mac OS X 10_15_7'),
      }),
      laptop({ hardwareConcurrency: 4, webgl: { vendor: 'Google Inc. (NVIDIA)', renderer: 'ANGLE (NVIDIA, RTX)' } }),
    ]
    for (const facts of copies) {
      const thief = await visit(facts, { token: first })
      assert.notEqual(thief.deviceId, deviceId)
      assert.equal(thief.tamperingByToken, true)
      assert.equal(thief.newDevice, true)
    }
    const owner = await visit(laptop(), { token: first })
    assert.deepEqual([owner.deviceId, owner.tamperingByToken], [deviceId, false])
    // Without the token it would resemble the device.
    const similar = await visit(laptop({ hardwareConcurrency: 6, deviceMemory: 2 }), { token: first })
    assert.notEqual(similar.deviceId, deviceId)
    assert.equal(similar.tamperingByToken, true)
  })

  test(`stores an unknown device under the id of its token (${engine})`, async (t) => {
    const { visit } = await service(t, open)
    const token = { installationId: randomUUID() }
    const first = await visit(laptop(), { token })
    assert.deepEqual([first.deviceId, first.newDevice], [token.installationId, true])
    assert.equal((await visit(laptop())).deviceId, token.installationId)
    const ofKey = { installationId: randomUUID(), key: keyInToken(randomBytes(16)) }
    for (const keyHash of [undefined, randomBytes(16)]) {
      const copied = await visit(laptop(), { token: ofKey, ...(keyHash && { keyHash }) })
      assert.equal(copied.token, 'copied', 'the key in the token counts, though its installation is not stored')
      assert.notEqual(copied.installationId, ofKey.installationId)
    }
  })

  test(`recognises absent, contradictory and foreign facts as far as possible (${engine})`, async (t) => {
    const { visit } = await service(t, open)
    const odd: WebFacts[] = [
      {},
      { userAgent: '' },
      { userAgent: 'curl/8' },
      { userAgent: laptop().userAgent! },
      { userAgent: '\u0000'.repeat(3), languages: [] },
      laptop({ screen: {}, fonts: [], voices: [], languages: [], webgl: {}, canvas: {}, mediaQueries: {} }),
      laptop({ deviceMemory: Number.NaN, audio: Number.POSITIVE_INFINITY, hardwareConcurrency: -1 }),
    ]
    for (const facts of odd) {
      const { deviceId, newDevice, confidence } = await visit(facts)
      assert.match(deviceId, uuid)
      assert.equal(newDevice, true, JSON.stringify(facts))
      assert.ok(confidence.score >= 0 && confidence.score <= 1)
    }
    assert.notEqual(
      (await visit({})).deviceId,
      (await visit({})).deviceId,
      'nothing distinguishes one nameless device from another',
    )
  })

  test(`never shares devices between tenants (${engine})`, async (t) => {
    const { visit, keys } = await service(t, open)
    const { deviceId } = await visit(laptop())
    const other = await keys.createTenant('bank')
    const there = await visit(laptop(), { tenantId: other.id })
    assert.equal(there.newDevice, true)
    assert.notEqual(there.deviceId, deviceId)
    const { database } = await service(t, open)
    assert.deepEqual(await database.query('select id from installation'), [])
  })

  test(`a key that more than ${mostDevicesOfAKey} devices gives no candidates and stores no more rows (${engine})`, async (t) => {
    const { visit, database } = await service(t, open)
    const crowd = mostDevicesOfAKey + 26
    for (let i = 0; i < crowd; i++) {
      // All share the key of graphics card, its drawing, screen, time zone and languages.
      const own = { fonts: [`Font ${i}`], voices: [`Voice ${i}`], plugins: [`${i}`], mediaQueries: { pointer: `${i}` } }
      const device = laptop({ ...own, canvas: { geometry: `${i}`, text: `${i}` }, fontWidths: [i], audio: i })
      assert.equal((await visit(device, { address: `10.${i}.0.1` })).newDevice, true, String(i))
    }
    const [largest] = await database.query<{ n: number }>(
      'select count(*) as n from new_device_key group by key order by n desc limit 1',
    )
    assert.equal(largest!.n, mostDevicesOfAKey + 1)
    const known = laptop({
      fonts: ['Font 3'],
      voices: ['Voice 3'],
      plugins: ['3'],
      mediaQueries: { pointer: '3' },
      canvas: { geometry: '3', text: '3' },
      fontWidths: [3],
      audio: 3,
    })
    assert.equal((await visit(known, { address: '10.3.0.1' })).newDevice, false, 'other keys still find it')
  })

  test(`writes only what changed (${engine})`, async (t) => {
    const { visit, database, clock } = await service(t, open)
    const rows = () => database.query<{ key: number }>('select key from new_device_key order by key')
    const token = await visit(laptop())
    const before = await rows()
    const [{ seen } = { seen: 0 }] = await database.query<{ seen: number }>(
      'select last_seen_at as seen from installation',
    )
    clock.advance({ seconds: 60 })
    await visit(laptop(), { token })
    assert.deepEqual(
      await database.query('select last_seen_at as seen from installation'),
      [{ seen }],
      'a minute later: nothing',
    )
    clock.advance({ hours: 1 })
    await visit(laptop(), { token, address: workAddress })
    const after = await rows()
    assert.equal(after.filter(({ key }) => !before.some((old) => old.key === key)).length, 2, 'keys of the new network')
    assert.equal(before.filter(({ key }) => !after.some((now) => now.key === key)).length, 0, 'home is still known')
  })

  test(`makes one device for two concurrent first visits (${engine})`, async (t) => {
    const { visit, devices } = await service(t, open)
    const late = laptop({ fonts: ['Arial'], audio: 1, voices: [] }) // the same device, some facts still missing
    const all = await Promise.all(Array.from({ length: 20 }, (_, i) => visit(i % 2 ? laptop() : late)))
    assert.equal(new Set(all.map(({ deviceId }) => deviceId)).size, 1)
    assert.equal(await devices(), 1)
    const [one, two] = await Promise.all(['a', 'b'].map((installation) => visit(iphone(), { installation })))
    assert.notEqual(one?.deviceId, two?.deviceId, 'two iPhones')
    const tabs = await Promise.all(['c', 'c'].map((installation) => visit(iphone(), { installation })))
    assert.equal(tabs[0]?.deviceId, tabs[1]?.deviceId, 'two tabs of one iPhone')
  })

  test(`makes two devices for poor visits of one network that look alike (${engine})`, async (t) => {
    const { visit } = await service(t, open)
    const poor = { userAgent: laptop().userAgent! }
    const [one, two] = await Promise.all(['a', 'b'].map((installation) => visit(poor, { installation })))
    assert.notEqual(one?.deviceId, two?.deviceId)
    assert.deepEqual([one?.newDevice, two?.newDevice], [true, true])
    const tab = await visit(poor, { installation: 'a' })
    assert.equal(tab.deviceId, one?.deviceId, 'two tabs')
  })

  test(`keeps identical devices apart when they visit shortly after each other (${engine})`, async (t) => {
    const { visit } = await service(t, open)
    const { deviceId } = await visit(laptop())
    const colleague = laptop({
      fonts: ['Arial'],
      voices: ['Hindi'],
      mediaQueries: {},
      keyboard: 'inscript',
      codecs: 'other',
      canvas: { geometry: 'other', text: 'other' },
      timezone: 'Asia/Dubai',
    })
    assert.notEqual((await visit(colleague)).deviceId, deviceId)
  })

  test(`makes one device for concurrent first visits on two servers (${engine})`, async (t) => {
    const where = await place(t)
    const servers = await Promise.all([openDatabase(where), openDatabase(where)])
    t.after(() => Promise.all(servers.map((server) => server.close())))
    const { visit, devices } = await service(t, async () => servers[0]!)
    for (let round = 0; round < 10; round++) {
      const facts = laptop({ fonts: [`Font ${round}`], languages: [`l${round}`], hardwareConcurrency: round + 2 })
      const all = await Promise.all(
        [0, 1, 0, 1].map((server) => visit(facts, { database: servers[server]!, address: `10.${round}.0.1` })),
      )
      assert.equal(new Set(all.map(({ deviceId }) => deviceId)).size, 1)
      assert.equal(await devices(), round + 1)
    }
  })

  test(`stores no fact of a device in clear (${engine})`, async (t) => {
    const { visit, database } = await service(t, open)
    await visit(laptop())
    const rows = [
      await database.query('select id, device_id, fingerprint, network from installation'),
      await database.query('select key, device_id from new_device_key'),
    ]
    const bytes = rows
      .flat()
      .flatMap((row) => Object.values(row))
      .map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value)))
      .join('\n')
    for (const value of ['Kolkata', 'Latha', 'Iris', 'Windows', homeAddress]) assert.ok(!bytes.includes(value), value)
  })
})

function withoutWebgl(): WebFacts {
  const { webgl: _, ...facts } = laptop()
  return facts
}
