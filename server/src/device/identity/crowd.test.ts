import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { keyring } from '../../core/crypto/keyring.ts'
import { tenantKeyring } from '../../core/crypto/tenant-keyring.ts'
import { eachDatabase } from '../../testing/databases.ts'
import { testClock } from '../../testing/test-clock.ts'
import { homeAddress, laptop } from '../testdata/devices.ts'
import { confidenceInCrowd } from './crowd.ts'
import { storeInstallation } from './installation-change.ts'
import { recognise } from './recognise.ts'

eachDatabase(({ engine, open }) => {
  test(`is less sure of a device with several new installations a day (${engine})`, async (t) => {
    const database = await open(t)
    const clock = testClock()
    const keys = tenantKeyring(database, keyring(randomBytes(32)), clock)
    const { id: tenantId } = await keys.createTenant('shop')
    const confidenceAfter = async (hours: number) => {
      clock.advance({ hours })
      const visit = { tenantId, facts: laptop(), address: homeAddress, keyHash: randomBytes(16) }
      const { confidence, change } = await recognise(visit, { clock, database, tenantKeyring: keys })
      await storeInstallation(database, change!)
      return confidence.score
    }
    await confidenceAfter(0)
    assert.equal(await confidenceAfter(0.1), confidenceInCrowd, 'within an hour')
    assert.equal(await confidenceAfter(20), confidenceInCrowd, 'two within a day')
    assert.ok((await confidenceAfter(23)) > 0.9, 'one within a day')
    assert.ok((await confidenceAfter(60 * 24)) > 0.9)
  })
})
