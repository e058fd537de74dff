import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sqliteDatabases } from '../../../testing/databases.ts'

test('the deliveries of an erased event are found by an index, however long the log is', async (t) => {
  const database = await sqliteDatabases.open(t)
  const plan = await database.query<{ detail: string }>(
    'explain query plan delete from event_attempt where tenant_id = $1 and event_id in ($2, $3) returning attempted_at',
    ['tenant', new Uint8Array(16), new Uint8Array(16)],
  )
  assert.match(plan.map(({ detail }) => detail).join(' '), /event_attempt_by_event/)
})
