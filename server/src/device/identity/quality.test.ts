import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import type { WebFacts } from '@ringfence/contract'
import { keyring } from '../../core/crypto/keyring.ts'
import { tenantKeyring } from '../../core/crypto/tenant-keyring.ts'
import { uuidBytes } from '../../core/storage/uuid.ts'
import { eachDatabase, sqliteDatabases, type TestDatabases } from '../../testing/databases.ts'
import { testClock } from '../../testing/test-clock.ts'
import { putAccountDevice } from '../store/account-devices.ts'
import { homeAddress, iphone, laptop, workAddress } from '../testdata/devices.ts'
import { storeInstallation } from './installation-change.ts'
import { qualityOf } from './quality.ts'
import { recognise } from './recognise.ts'

async function scene(t: TestContext, open: TestDatabases['open']) {
  const database = await open(t)
  const clock = testClock()
  const keys = tenantKeyring(database, keyring(randomBytes(32)), clock)
  const { id: tenantId } = await keys.createTenant('shop')
  const services = { clock, database, tenantKeyring: keys }
  return {
    clock,
    /** A browser that proves a key; each visit with the same key is of the same installation. */
    browser(keyHash = randomBytes(16)) {
      return async (facts: WebFacts, address = homeAddress) => {
        const found = await recognise({ tenantId, facts, address, keyHash }, services)
        if (found.change) await storeInstallation(database, found.change)
        return found
      }
    },
    /** A backend confirmed the device for this account. */
    confirm: (account: string, deviceId: string) =>
      putAccountDevice(database, Buffer.from(account.padEnd(8)), {
        ...{ deviceId: uuidBytes(deviceId), installations: new Uint8Array(0), sealed: new Uint8Array(1) },
        ...{ firstSeenAt: 1, lastSeenAt: 1, revokedAt: null },
      }),
    quality: (limit = 100) => qualityOf(tenantId, { since: 0, limit }, services),
  }
}

const androidAgent =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Mobile Safari/537.36'
const answers = (changes: object) => ({ ownDevice: 0, newDevice: 0, otherDevice: 0, undecided: 0, ...changes })

eachDatabase(({ engine, open }) => {
  test(`a browser with a key would find its own device, and be new without it (${engine})`, async (t) => {
    const { clock, browser, quality } = await scene(t, open)
    const visit = browser()
    await visit(laptop())
    clock.advance({ hours: 30 })
    await visit(laptop({ devicePixelRatio: 1.5 }))
    const found = await quality()
    assert.equal(found.installations, 1)
    assert.deepEqual([found.returns, found.firstVisits], [answers({ ownDevice: 1 }), answers({ newDevice: 1 })])
    const [bin] = found.calibration.filter(({ decisions }) => decisions > 0)
    assert.ok(bin!.from >= 0.9 && bin!.said >= bin!.from && bin!.right === 1, JSON.stringify(bin))
  })
})

const { open } = sqliteDatabases

test('a return after a change that hides the device is a split', async (t) => {
  const { clock, browser, quality } = await scene(t, open)
  const visit = browser()
  // Another model is another device.
  await visit(laptop({ userAgent: androidAgent, clientHints: { model: 'Pixel 9' } }))
  clock.advance({ hours: 30 })
  await visit(laptop({ userAgent: androidAgent, clientHints: { model: 'Pixel 10' } }))
  const { returns, calibration } = await quality()
  assert.deepEqual(returns, answers({ newDevice: 1 }))
  assert.ok(calibration.every(({ decisions }) => decisions === 0))
})

test('leaves out browsers that cannot be distinguished', async (t) => {
  const { browser, quality } = await scene(t, open)
  await browser()(iphone())
  assert.equal((await quality()).installations, 0)
})

test('of two equal browsers in use at the same time, each would be taken for the other on its first visit', async (t) => {
  const { clock, browser, quality } = await scene(t, open)
  const [first, second] = [browser(), browser()]
  const facts = laptop()
  const device = await first(facts)
  // Stored as another device, as its first visit was in another network and language.
  const other = await second(
    laptop({ timezone: 'Asia/Tokyo', languages: ['ja'], fonts: ['Arial'], voices: [] }),
    workAddress,
  )
  assert.notEqual(device.deviceId, other.deviceId)
  for (let day = 0; day < 3; day++) {
    clock.advance({ hours: 30 })
    await first(facts)
    await second(facts)
  }
  const { installations, firstVisits, calibration } = await quality()
  assert.equal(installations, 2)
  assert.deepEqual(firstVisits, answers({ otherDevice: 2 }))
  assert.ok(calibration.some(({ decisions, right }) => decisions > right))
})

test('a device that was last seen before the browser came is undecided: it may be the same one', async (t) => {
  const { clock, browser, quality } = await scene(t, open)
  const before = await browser()(laptop())
  clock.advance({ hours: 48 })
  const visit = browser()
  // The browser lost its key, and came back changed so much that it got a new device.
  const after = await visit(
    laptop({ timezone: 'Asia/Tokyo', languages: ['ja'], fonts: ['Arial'], voices: [] }),
    workAddress,
  )
  assert.notEqual(before.deviceId, after.deviceId)
  clock.advance({ hours: 30 })
  await visit(laptop())
  const { firstVisits } = await quality()
  assert.equal(firstVisits.undecided, 2)
  assert.equal(firstVisits.otherDevice, 0)
})

test('accounts decide what keys cannot: one that both devices have proves a split, different ones a merge', async (t) => {
  const { clock, browser, confirm, quality } = await scene(t, open)
  const earlier = await browser()(laptop())
  clock.advance({ hours: 30 })
  const visit = browser()
  const changed = laptop({ timezone: 'Asia/Tokyo', languages: ['ja'], fonts: ['Arial'], voices: [] })
  const later = await visit(changed, workAddress)
  assert.notEqual(later.deviceId, earlier.deviceId)
  clock.advance({ hours: 30 })
  await visit(laptop())
  const ofFirstVisits = async () => (await quality()).firstVisits
  assert.equal((await ofFirstVisits()).undecided, 2)
  await confirm('one', earlier.deviceId)
  await confirm('two', later.deviceId)
  assert.equal((await ofFirstVisits()).otherDevice, 2)
  await confirm('one', later.deviceId)
  assert.equal((await ofFirstVisits()).ownDevice, 2)
})

test('compares at most so many, and none without a key or not seen since', async (t) => {
  const { browser, quality } = await scene(t, open)
  for (let count = 0; count < 5; count++)
    await browser()(laptop({ fonts: [`Font ${count}`], timezone: `Zone/${count}` }))
  assert.equal((await quality(3)).installations, 3)
  assert.ok((await quality()).installations >= 3)
})
