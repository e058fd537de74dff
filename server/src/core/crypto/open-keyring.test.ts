// Which master key opens a store? The one that made it, wherever it is; never a new one.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { atEnd } from '../../testing/at-end.ts'
import { eachDatabase } from '../../testing/databases.ts'
import { systemClock } from '../clock.ts'
import { findStoreKeys } from '../storage/keys/store-keys.ts'
import { insertTenant } from '../storage/tenants.ts'
import { keyring } from './keyring.ts'
import { openKeyring } from './open-keyring.ts'
import { tenantKeyring } from './tenant-keyring.ts'

async function place(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'ringfence-keys-'))
  atEnd(t, () => rm(folder, { recursive: true }))
  return {
    dataFolder: join(folder, 'data'),
    home: { HOME: folder },
    file: join(folder, '.config/ringfence/master.key'),
  }
}
const newKey = () => randomBytes(32).toString('base64')

eachDatabase(({ engine, open }) => {
  test(`makes a master key outside of the data folder for a new store, and finds it again (${engine})`, async (t) => {
    const [database, { dataFolder, home, file }] = [await open(t), await place(t)]
    const ring = await openKeyring(database, { dataFolder }, home)
    assert.equal(existsSync(dataFolder), false)
    const { id, sealedKeys } = await tenantKeyring(database, ring, systemClock).createTenant('shop')
    const again = await openKeyring(database, { dataFolder }, home)
    assert.deepEqual(again.openTenantKeySet(id, sealedKeys), ring.openTenantKeySet(id, sealedKeys))
    assert.deepEqual(again.hashSecret('s'), ring.hashSecret('s'))
    const key = (await readFile(file, 'utf8')).trim()
    const { wrappedBy } = (await findStoreKeys(database))!
    assert.match(wrappedBy, /^[0-9a-f]{16}$/)
    assert.ok(await openKeyring(database, { dataFolder, masterKey: key }, {}))
  })

  test(`ten servers that open a new store at the same time have the same keys (${engine})`, async (t) => {
    const [database, { dataFolder, home }] = [await open(t), await place(t)]
    const rings = await Promise.all(Array.from({ length: 10 }, () => openKeyring(database, { dataFolder }, home)))
    const hashes = new Set(rings.map((ring) => Buffer.from(ring.hashSecret('s')).toString('hex')))
    assert.equal(hashes.size, 1)
  })

  test(`refuses another master key or none, names both, and makes nothing (${engine})`, async (t) => {
    const [database, { dataFolder, home, file }] = [await open(t), await place(t)]
    await openKeyring(database, { dataFolder, masterKey: newKey() }, {})
    const { wrappedBy } = (await findStoreKeys(database))!
    await assert.rejects(openKeyring(database, { dataFolder, masterKey: newKey() }, {}), (error: Error) => {
      assert.match(error.message, new RegExp(`the master key of this store is ${wrappedBy}.*MASTER_KEY: [0-9a-f]{16}`))
      return true
    })
    await assert.rejects(openKeyring(database, { dataFolder }, home), /master\.key: missing/)
    assert.equal(existsSync(file), false)
  })

  test(`a store from before, whose master key sealed the tenants' keys, goes on working (${engine})`, async (t) => {
    const [database, { dataFolder, home }] = [await open(t), await place(t)]
    const masterKey = randomBytes(32)
    const before = keyring(masterKey)
    const sealedKeys = before.makeTenantKeys('t')
    await insertTenant(database, { id: 't', name: 'shop', createdAt: 1, sealedKeys })
    const sealed = before.openTenantKeys('t', sealedKeys).seal('917020141726', 'row')

    await assert.rejects(openKeyring(database, { dataFolder }, home), /master.key is missing .* MASTER_KEY is not set/)
    await assert.rejects(
      openKeyring(database, { dataFolder, masterKey: newKey() }, {}),
      /keys of tenant t cannot be opened/,
    )
    assert.equal(await findStoreKeys(database), undefined)

    await mkdir(dataFolder)
    await writeFile(join(dataFolder, 'master.key'), `${masterKey.toString('base64')}\n`, { mode: 0o600 })
    for (const round of ['first', 'second']) {
      const ring = await openKeyring(database, { dataFolder }, home)
      assert.equal(ring.openTenantKeys('t', sealedKeys).open(sealed, 'row'), '917020141726', round)
      assert.deepEqual(ring.hashSecret('s'), before.hashSecret('s'))
      assert.equal(ring.service.open(before.service.seal('jwk', 'c'), 'c'), 'jwk')
    }
    assert.ok(await findStoreKeys(database))
    // A server of the version before still reads what this one writes.
    const ring = await openKeyring(database, { dataFolder }, home)
    const created = await tenantKeyring(database, ring, systemClock).createTenant('new')
    assert.ok(before.openTenantKeys(created.id, created.sealedKeys))
  })
})
