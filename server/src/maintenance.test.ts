import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { startMaintenance } from './maintenance.ts'
import { sqliteDatabases } from './testing/databases.ts'
import { startTestService } from './testing/test-service.ts'

for (const slow of ['maintenance', 'a key rotation'] as const) {
  test(`${slow} that takes longer than a minute is not begun twice, and a stop waits for it`, async (t) => {
    const { parts: needs } = await startTestService(t, await sqliteDatabases.open(t))
    t.mock.timers.enable({ apis: ['setInterval'] })
    const ended = Promise.withResolvers<void>()
    let begun = 0
    const begin = () => {
      begun++
      return ended.promise
    }
    const maintenance = startMaintenance(
      slow === 'maintenance'
        ? { ...needs, measureClock: begin }
        : { ...needs, measureClock: () => Promise.reject(), keyring: { ...needs.keyring, reread: begin } },
    )
    for (let minute = 0; minute < 3; minute++) {
      t.mock.timers.tick(60_000)
      await nextTurn()
    }
    assert.equal(begun, 1)
    let isClosed = false
    const closing = maintenance.close().then(() => {
      isClosed = true
    })
    for (let turn = 0; turn < 100; turn++) await nextTurn()
    assert.equal(isClosed, false)
    ended.resolve()
    await closing
  })
}
