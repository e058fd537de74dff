import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { atEnd } from '../../../testing/at-end.ts'
import { SqliteReads } from './reads.ts'
import { openSqlite, sqliteFileName } from './sqlite.ts'

test('reads that take longer than 5 ms leave the event loop to others, and are answered in their order', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'ringfence-reads-'))
  atEnd(t, () => rm(folder, { recursive: true }))
  await (await openSqlite(folder)).close()
  let looks = 0
  // Each look at the stopwatch is 3 ms later: two reads fit into a turn.
  const reads = new SqliteReads(join(folder, sqliteFileName), () => 3 * looks++)
  const order: string[] = []
  const answered = Array.from({ length: 6 }, async (_, read) => {
    const [row] = await reads.read('select ?1 as read', [read])
    order.push(`read ${row!.read}`)
  })
  const others = async () => {
    for (let turn = 1; turn <= 4; turn++) {
      await nextTurn()
      order.push(`turn ${turn}`)
    }
  }
  await Promise.all([...answered, others()])
  reads.close()
  assert.deepEqual(
    order.filter((each) => each.startsWith('read')),
    ['read 0', 'read 1', 'read 2', 'read 3', 'read 4', 'read 5'],
  )
  const between = order.slice(order.indexOf('read 0'), order.indexOf('read 5'))
  assert.equal(between.filter((each) => each.startsWith('turn')).length, 2, order.join())
})

test('answers every read that waits when it is closed', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'ringfence-reads-'))
  atEnd(t, () => rm(folder, { recursive: true }))
  await (await openSqlite(folder)).close()
  let looks = 0
  const reads = new SqliteReads(join(folder, sqliteFileName), () => 10 * looks++)
  const answered = Promise.all(Array.from({ length: 5 }, (_, read) => reads.read('select ?1 as read', [read])))
  reads.close()
  assert.deepEqual(
    (await answered).map(([row]) => row!.read),
    [0, 1, 2, 3, 4],
  )
})
