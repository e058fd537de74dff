import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { newKeySet, withNewDataKey } from '../../core/crypto/key-set.ts'
import { replaceableKeys } from '../../core/crypto/keyring.ts'
import { openDatabase } from '../../core/storage/open-database.ts'
import { contextOfIdentity } from '../../sign-in/authentication/users.ts'
import { atEnd } from '../../testing/at-end.ts'
import { eachDatabase, postgresDatabases } from '../../testing/databases.ts'
import { resealSlice } from './reseal.ts'
import { sealedColumns } from './sealed-columns.ts'

test('slices of any number of rows leave few prepared statements on a connection to PostgreSQL', async (t) => {
  const database = await openDatabase(await postgresDatabases.place(t), { pools: { read: 1, write: 1 } })
  atEnd(t, () => database.close())
  const set = newKeySet()
  const [old, keys] = [replaceableKeys(set), replaceableKeys(set)]
  const { set: next, version } = withNewDataKey(set)
  keys.replace({ ...next, sealsWith: version })
  const position = { column: sealedColumns.findIndex(({ table }) => table === 'identity'), after: [new Uint8Array(0)] }
  for (let rows = 1; rows <= 20; rows++) {
    await database.query('delete from identity')
    for (let row = 0; row < rows; row++) {
      const hash = Buffer.alloc(32, row)
      await database.query(
        'insert into identity (tenant_id, identity_hash, user_id, sealed, created_at, verified_at) values ($1, $2, $3, $4, 1, 1)',
        ['t', hash, 'u', old.seal('x', contextOfIdentity(hash))],
      )
    }
    const slice = await resealSlice(
      position,
      { tenantId: 't', version: set.sealsWith, keys },
      { database, log: pino({ level: 'silent' }) },
    )
    assert.equal(slice.rowsResealed, rows)
    assert.deepEqual(
      (await database.query<{ sealed: Uint8Array }>('select sealed from identity')).map(({ sealed }) => sealed[0]),
      Array(rows).fill(version),
    )
  }
  // Written, so that the connection for writes counts its own.
  const [counted] = await database.query<{ n: number }>(
    `insert into server (id, started_at, seen_at)
     select 'x', 0, count(*) from pg_prepared_statements where statement like 'with part0 as (update identity %' returning seen_at as n`,
  )
  assert.equal(counted!.n, 5)
})

eachDatabase(({ engine, open }) => {
  test(`the rows of every sealed column can be read, also of a table with one row for each tenant (${engine})`, async (t) => {
    const database = await open(t)
    const set = newKeySet()
    const given = { tenantId: 't', version: set.sealsWith, keys: replaceableKeys(set) }
    for (const [column, { table, key }] of sealedColumns.entries()) {
      const position = { column, after: Object.values(key) }
      const { rowsRead } = await resealSlice(position, given, { database, log: pino({ level: 'silent' }) })
      assert.equal(rowsRead, 0, table)
    }
  })
})
