// Does a start that sends nothing take as long as one that sends?

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recentDeliveries } from './recent-deliveries.ts'

test('takes the time of a gateway also before the first delivery of a server', async () => {
  const startedAt = performance.now()
  assert.equal(await recentDeliveries().imitate('sms', startedAt), true)
  assert.ok(performance.now() - startedAt >= 99)
})

test('counts what the start took since the decision of the gate', async () => {
  const deliveries = recentDeliveries()
  deliveries.note('sms', 3_600_000, false)
  assert.equal(await deliveries.imitate('sms', performance.now() - 3_600_000), false)
})
