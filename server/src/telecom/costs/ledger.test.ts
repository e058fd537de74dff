import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eachDatabase } from '../../testing/databases.ts'
import { startRoutedService } from '../routing/testing.ts'
import { costs } from './costs.ts'

eachDatabase(({ engine, open }) => {
  test(`the spending of all servers is known by day, upstream and check, with what the caps leave (${engine})`, async (t) => {
    const database = await open(t)
    const { clock, tenantId } = await startRoutedService(t, database)
    const settings = {
      currency: 'EUR',
      prices: { acme: { otherwise: 10 }, 'hub@eu': { otherwise: 30 } },
      dailyCap: { total: 100, checks: { simSwap: 45 } },
    }
    const [one, other] = [costs({ settings, database, clock }), costs({ settings, database, clock })]
    await one.charge(tenantId, 'acme', 'simSwap')
    clock.advance({ hours: 24 })
    await one.charge(tenantId, 'acme', 'simSwap')
    await other.charge(tenantId, 'hub@eu', 'simSwap')
    await other.charge(tenantId, 'hub@eu', 'roaming')
    const { giveBack } = await one.charge(tenantId, 'acme', 'roaming')
    await giveBack()
    await assert.rejects(one.charge(tenantId, 'acme', 'simSwap'), { name: 'CostCapReached' })

    const { today, caps, days } = await other.ledger(tenantId, 30)
    assert.deepEqual(caps, [
      { capMicros: 100, spentMicros: 70 },
      { check: 'simSwap', capMicros: 45, spentMicros: 40 },
    ])
    assert.deepEqual(
      days.map(({ day, micros, requests }) => [today - day, micros, requests]),
      [
        [0, 70, 3],
        [1, 10, 1],
      ],
    )
    assert.deepEqual(
      new Set(days[0]!.parts.map(({ upstream, check, micros }) => `${upstream} ${check} ${micros}`)),
      new Set(['hub@eu simSwap 30', 'hub@eu roaming 30', 'acme simSwap 10']),
    )
    assert.deepEqual((await one.ledger(tenantId, 1)).days.length, 1)
    assert.deepEqual(await one.ledger('another tenant', 30), {
      ...{ today, days: [] },
      caps: caps.map((cap) => ({ ...cap, spentMicros: 0 })),
    })
    assert.deepEqual((await one.spent(tenantId)).map(({ check }) => check).sort(), ['roaming', 'simSwap'])
  })
})
