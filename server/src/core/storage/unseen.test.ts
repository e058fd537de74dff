import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eachDatabase } from '../../testing/databases.ts'
import { dropUnseen } from './unseen.ts'

const thing = { table: 'thing', key: 'owner, id', seenAt: 'seen_at' }

eachDatabase(({ engine, open }) => {
  const opened = async (t: Parameters<typeof open>[0], rows: readonly (readonly [id: number, seenAt: number])[]) => {
    const database = await open(t)
    await database.query(
      'create table thing (owner text not null, id integer not null, seen_at bigint not null, retention_at bigint not null, primary key (owner, id))',
    )
    for (const [id, seenAt] of rows) {
      await database.query("insert into thing (owner, id, seen_at, retention_at) values ('a', $1, $2, 0)", [id, seenAt])
    }
    return database
  }

  test(`deletes what was not seen since, and keeps what was, in slices (${engine})`, async (t) => {
    const rows = Array.from({ length: 60 }, (_, id) => [id, id % 3 === 0 ? 9 : 10 + id] as const)
    const database = await opened(t, rows)
    let rounds = 0
    while ((await dropUnseen(database, thing, 10, 7)) >= 7) rounds++
    assert.ok(rounds >= 60 / 14, 'a slice is bounded')
    const left = await database.query('select id, seen_at as "seenAt", retention_at as since from thing order by id')
    const seen = rows.filter(([, seenAt]) => seenAt >= 10).map(([id, seenAt]) => ({ id, seenAt, since: seenAt }))
    assert.deepEqual(left, seen)
  })

  test(`looks at a row again only when its last visit is over its time (${engine})`, async (t) => {
    const database = await opened(t, [[1, 50]])
    assert.equal(await dropUnseen(database, thing, 10, 7), 1)
    assert.equal(await dropUnseen(database, thing, 50, 7), 0)
    assert.equal(await dropUnseen(database, thing, 51, 7), 1)
    assert.deepEqual(await database.query('select id from thing'), [])
  })
})
