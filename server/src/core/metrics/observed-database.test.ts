// Is an outage of the store explained in the log, and counted?

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { eachDatabase } from '../../testing/databases.ts'
import { type Database, StorageUnavailable } from '../storage/database.ts'
import { metrics } from './metrics.ts'
import { observedDatabase } from './observed-database.ts'

eachDatabase(({ engine, open }) => {
  test(`logs an outage with its cause in one line, and counts it by reason (${engine})`, async (t) => {
    const store = await open(t)
    const lines: Record<string, unknown>[] = []
    const counted = metrics()
    let isDown = false
    const failing: Database = Object.assign(Object.create(store), {
      close: () => store.close(),
      pools: () => store.pools(),
      query: async (sql: string, params?: []) => {
        if (isDown) throw new StorageUnavailable('the disk is full', { reason: 'resources' })
        return store.query(sql, params)
      },
    })
    const database = observedDatabase(failing, {
      log: pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) }),
      metrics: counted,
    })
    await database.query('select 1 as one')
    // The next call that works ends the outage only after five seconds, which a slow machine could take.
    const failedAt = performance.now()
    const stopwatch = t.mock.method(performance, 'now', () => failedAt).mock
    isDown = true
    for (let n = 0; n < 100; n++) await assert.rejects(database.query('select 1 as one'), /disk is full/)
    isDown = false
    await database.query('select 1 as one')
    stopwatch.restore()

    assert.equal(lines.length, 1)
    const [{ level, msg, reason, error, err } = {}] = lines
    assert.deepEqual(
      { level, msg, reason, error, err },
      { level: 50, msg: 'the store is unavailable', reason: 'resources', error: 'the disk is full', err: undefined },
    )
    const { body: text } = await counted.text()
    assert.match(text, /^ringfence_store_unavailable_total\{reason="resources"\} 100$/m)
    assert.match(text, /^ringfence_store_call_seconds_count\{call="query"\} 102$/m)
    assert.equal(/ringfence_store_connections\{pool="read",state="idle"\} 1/.test(text), engine === 'postgres')
  })
})
