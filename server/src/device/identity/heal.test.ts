import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { keyring } from '../../core/crypto/keyring.ts'
import { tenantKeyring } from '../../core/crypto/tenant-keyring.ts'
import { tenantHash } from '../../core/storage/short-keys.ts'
import { uuidBytes, uuidText } from '../../core/storage/uuid.ts'
import { eachDatabase, type TestDatabases } from '../../testing/databases.ts'
import { testClock } from '../../testing/test-clock.ts'
import { historyStatements, readHistory } from '../history/history-change.ts'
import { type Seen, unpacked } from '../history/seen-values.ts'
import { deviceHashOf } from '../history/visit.ts'
import { priorModels } from '../learning/tenant-models.ts'
import { packedInstallations, putAccountDevice } from '../store/account-devices.ts'
import { findHistory, wholeDevice } from '../store/device-history.ts'
import { badLabelsOf, putDeviceLabel } from '../store/labels/device-labels.ts'
import { homeAddress, laptop, workAddress } from '../testdata/devices.ts'
import { traitsOf } from './components.ts'
import { fingerprintOf, saltOf } from './fingerprint.ts'
import { healSplits, type Split } from './heal.ts'
import { storeInstallation } from './installation-change.ts'
import { changeOfNew } from './learn.ts'
import { mergeIn } from './merge.ts'
import { recognise } from './recognise.ts'

async function started(t: TestContext, open: TestDatabases['open']) {
  const database = await open(t)
  const clock = testClock()
  const tenants = tenantKeyring(database, keyring(randomBytes(32)), clock)
  const { id: tenantId } = await tenants.createTenant('shop')
  const keys = await tenants.keysOf(tenantId)
  const salt = saltOf(keys)
  const needs = { database, clock, tenantKeyring: tenants }
  /** A new device, whatever it resembles, as the server made them before. */
  const split = async (facts = laptop(), address = homeAddress) => {
    const id = uuidBytes(randomUUID())
    const seen = {
      ...{ tenantId, salt, now: clock.now(), isPoor: false, models: priorModels },
      fingerprint: fingerprintOf(traitsOf(facts, address), salt),
    }
    const change = changeOfNew({ device: id, installation: id, isFirst: true }, seen, true)
    await storeInstallation(database, change)
    clock.advance({ hours: 24 })
    return id
  }
  const visit = async (id: Uint8Array, facts = laptop(), address = homeAddress) => {
    const token = { installationId: uuidText(id), text: '' }
    const { change } = await recognise({ tenantId, facts, address, token }, needs)
    if (change) await storeInstallation(database, change)
    clock.advance({ hours: 24 })
  }
  const merge = (split: Split) =>
    database.transaction((tx) => mergeIn(tx, { tenantId, ...split, at: clock.now() }, keys))
  const heal = (apply = true) => healSplits(tenantId, needs, { merge: apply ? merge : undefined })
  const devices = async () => (await database.query('select distinct device_id from installation')).length
  return { database, clock, keys, tenantId, needs, split, visit, heal, devices }
}

eachDatabase(({ engine, open }) => {
  const it = (promise: string) => `${promise} (${engine})`

  test(it('merges 20 records of one device into the oldest, and finds it afterwards'), async (t) => {
    const { split, visit, heal, devices, needs, tenantId, database } = await started(t, open)
    const oldest = await split()
    await visit(oldest)
    for (let index = 0; index < 19; index++) await split()
    assert.equal(await devices(), 20)
    assert.equal((await heal(false)).length, 19)
    assert.equal(await devices(), 20, 'nothing is changed without apply')
    const healed = await heal()
    assert.ok(healed.every(({ because }) => because === 'network'))
    assert.equal(await devices(), 1)
    const again = await recognise({ tenantId, facts: laptop(), address: homeAddress }, needs)
    assert.deepEqual([again.deviceId, again.by], [uuidText(oldest), 'similarity'])
    for (const table of ['device_key', 'new_device_key']) {
      const others = await database.query(`select key from ${table} where device_id <> $1`, [oldest])
      assert.deepEqual(others, [], table)
    }
    assert.deepEqual(await heal(), [], 'a second run finds nothing')
  })

  test(it('leaves devices alone that were in use together, or that share only their facts'), async (t) => {
    const { split, visit, heal } = await started(t, open)
    const [one, two] = [await split(), await split()]
    for (let day = 0; day < 3; day++) for (const id of [one, two]) await visit(id)
    await split(laptop(), workAddress)
    await split(laptop({ hardwareConcurrency: 4, fonts: ['Arial'], languages: ['ta'], voices: [], timezone: 'UTC' }))
    assert.deepEqual(await heal(), [])
  })

  test(it('leaves equal machines of one office alone that came once each'), async (t) => {
    const { split, visit, heal } = await started(t, open)
    const ids = [await split(), await split()]
    assert.deepEqual(await heal(), [])
    await visit(ids[1]!)
    assert.equal((await heal()).length, 1, 'one of them returned, the other never did')
  })

  test(it('merges devices of one confirmed account into the older one'), async (t) => {
    const { split, heal, database, keys, tenantId } = await started(t, open)
    const [older, younger] = [await split(), await split(laptop(), workAddress)]
    const accountHash = Buffer.from('account8')
    const confirm = (deviceId: Uint8Array, revokedAt: number | null = null) =>
      putAccountDevice(database, accountHash, {
        ...{ deviceId, firstSeenAt: 1, lastSeenAt: 1, revokedAt },
        installations: packedInstallations([
          { id: uuidText(deviceId), confirmedAt: 1, confirmedBy: randomBytes(8), knowsKey: false },
        ]),
        sealed: new Uint8Array(1),
      })
    for (const deviceId of [older, younger]) {
      await database.query(
        `insert into device_analysis (tenant_hash, dfr_id, challenge, body_hash, analysed_at, device_hash, signals)
         values ($1, $2, $3, $4, 1, $5, '')`,
        [tenantHash(tenantId), randomBytes(16), randomBytes(8), randomBytes(8), deviceHashOf(uuidText(deviceId), keys)],
      )
    }
    await confirm(younger)
    assert.deepEqual(await heal(), [], 'one of the two is not confirmed')
    await confirm(older, 1)
    assert.deepEqual(await heal(), [], 'one of the two is revoked')
    await confirm(older)
    assert.deepEqual(await heal(), [{ from: uuidText(younger), into: uuidText(older), because: 'account' }])
    const moved = await database.query('select device_hash from device_analysis where device_hash = $1', [
      deviceHashOf(uuidText(older), keys),
    ])
    assert.equal(moved.length, 2)
  })

  test(it('gives the device the history of both, and each installation its own'), async (t) => {
    const { split, visit, heal, database, keys, tenantId, clock } = await started(t, open)
    const ids = [await split(), await split()]
    await visit(ids[1]!)
    const values = ['AAAAAAAA', 'BBBBBBBB']
    const place = (index: number) => ({
      deviceHash: deviceHashOf(uuidText(ids[index]!), keys),
      installationHash: Buffer.from(`install${index}`),
    })
    for (const index of [0, 1]) {
      const seen: Seen[] = [{ kind: 'account', value: values[index]! }]
      const { change } = readHistory([], place(index), seen, clock.now())
      await database.batch(historyStatements(change))
      clock.advance({ hours: 1 })
    }
    const ofLabel = { tenantId, dfrId: 'f'.repeat(32), label: 'fraud', knownAt: 2, visitedAt: 1 } as const
    await putDeviceLabel(database, { ...ofLabel, ...place(1) })
    assert.equal((await heal()).length, 1)
    const labels = await badLabelsOf(database, place(0).deviceHash, { ...place(1), since: 0 })
    assert.deepEqual(labels, { own: [2], linked: 0 }, 'labels move too')
    const [whole] = await findHistory(database, place(0).deviceHash, wholeDevice)
    assert.equal(whole!.firstAt, clock.now() - 2 * 3_600_000, 'the first visit of both')
    const accountsIn = async (index: number) => {
      const { deviceHash } = place(0)
      const rows = await findHistory(database, deviceHash, place(index).installationHash)
      const read = readHistory(rows, { ...place(index), deviceHash }, [], clock.now())
      return { own: [...read.own.account.keys()], device: [...read.device.account.keys()].sort() }
    }
    assert.deepEqual(await accountsIn(0), { own: [values[0]], device: values })
    assert.deepEqual(await accountsIn(1), { own: [values[1]], device: values })
    const left = await database.query('select 1 as one from device_history where device_hash = $1', [
      place(1).deviceHash,
    ])
    assert.deepEqual(left, [])
    const seen = await database.query<{ seen: Uint8Array }>('select seen from device_history')
    assert.equal(seen.length, 3)
    assert.ok(seen.some((row) => unpacked(row.seen).account.size === 2))
  })
})
