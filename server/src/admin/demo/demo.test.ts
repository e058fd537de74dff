import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eachDatabase } from '../../testing/databases.ts'
import { startTestService } from '../../testing/test-service.ts'
import { accept, join, linkFor, maya } from '../people/testing.ts'
import { claimDemo, putDemoTenant, requestDemoRemoval, shareDemo } from '../store/demo.ts'
import { removeRequestedDemos } from './remove-demo.ts'

const tara = { ...maya, name: 'Tara', email: 'tara@shop.example' }
const theo = { ...maya, name: 'Theo', email: 'theo@shop.example' }

eachDatabase(({ engine, open }) => {
  test(`an owner sees the demo beside the own tenant, whichever came first, and only until it is removed (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const { parts: needs, tenantId, clock } = service
    const { database } = needs
    const early = await join(service)
    const now = clock.now()
    const demo = await claimDemo(database, { tenantId, now, makerUntil: now })
    const { id: demoTenantId } = await needs.tenantKeyring.createTenant('demo')
    await putDemoTenant(database, demo!, demoTenantId)
    await shareDemo(database, tenantId)
    const late = await accept(service, await linkFor(service, 'owner'), tara)
    const admin = await accept(service, await linkFor(service, 'admin'), theo)

    for (const { browser } of [early, late]) {
      const { body } = await browser.call('me')
      assert.equal(body.tenant.tenantId, tenantId, 'the console opens on the own tenant')
      const roles = body.tenants.map((each: { name: string; role: string }) => [each.name, each.role])
      assert.deepEqual(roles.at(-1), ['demo', 'owner'])
      const there = { 'x-ringfence-tenant': demoTenantId }
      assert.equal((await browser.call('me', {}, there)).body.tenant.name, 'demo')
      const shown = await browser.call('readDemo', {}, there)
      assert.deepEqual([shown.body.madeFor, shown.body.tenantId], [tenantId, demoTenantId])
      assert.equal((await browser.call('removeDemo', {}, there)).status, 404)
    }
    assert.equal((await admin.browser.call('me')).body.tenants.length, 1)

    clock.advance({ seconds: 1 })
    await requestDemoRemoval(database, tenantId)
    await removeRequestedDemos(needs)
    const { body } = await late.browser.call('me')
    assert.deepEqual(
      body.tenants.map((each: { tenantId: string }) => each.tenantId),
      [tenantId],
    )
    assert.equal((await late.browser.call('me', {}, { 'x-ringfence-tenant': demoTenantId })).status, 404)
  })
})
