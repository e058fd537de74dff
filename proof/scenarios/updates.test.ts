import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { keyring } from '@ringfence/server/core/crypto/keyring.ts'
import { tenantKeyring } from '@ringfence/server/core/crypto/tenant-keyring.ts'
import { storeInstallation } from '@ringfence/server/device/identity/installation-change.ts'
import { recognise } from '@ringfence/server/device/identity/recognise.ts'
import { recorded } from '@ringfence/server/device/testdata/recordings.ts'
import { eachDatabase } from '@ringfence/server/testing/databases.ts'
import { testClock } from '@ringfence/server/testing/test-clock.ts'
import { home } from './conditions.ts'

eachDatabase(({ engine, open }) => {
  for (const browser of ['chromium', 'firefox']) {
    test(`a real update of ${browser} keeps the id, with storage cleared (${engine}, recorded)`, async (t) => {
      const database = await open(t)
      const clock = testClock()
      const tenants = tenantKeyring(database, keyring(randomBytes(32)), clock)
      const { id: tenantId } = await tenants.createTenant('shop')
      const idOf = async (name: string) => {
        const visit = { tenantId, facts: recorded(name).facts, address: home.address }
        const { deviceId, change } = await recognise(visit, { clock, database, tenantKeyring: tenants })
        if (change) await storeInstallation(database, change)
        clock.advance({ hours: 24 })
        return deviceId
      }
      const before = await idOf(`${browser}-before-update`)
      assert.notEqual(
        recorded(`${browser}-updated`).facts.userAgent,
        recorded(`${browser}-before-update`).facts.userAgent,
      )
      assert.equal(await idOf(`${browser}-updated`), before)
      assert.notEqual(await idOf('webkit-ordinary'), before)
    })
  }
})
