// Is the schema complete, and does a database with rows upgrade from it? Before the first release the later version is made up.

import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { insertClient } from '../../clients/store/clients.ts'
import { analysisInsert, findAnalysis } from '../../device/store/device-analyses.ts'
import { eachDatabase } from '../../testing/databases.ts'
import type { Database } from './database.ts'
import { migrate, readMigrations } from './migrate.ts'
import { openDatabase } from './open-database.ts'
import { insertTenant } from './tenants.ts'
import { checksumOf, type Migration } from './upgrade/migration.ts'

const program = await readMigrations()
const upgrade: Migration = {
  name: `${String(program.length + 1).padStart(4, '0')}-contact-of-client`,
  sql: `alter table client add column contact text not null default 'none';
create table contact (client_id text not null primary key references client (id), since bigint not null);
insert into contact (client_id, since) select id, created_at from client;
create index client_by_contact on client (contact);`,
}
const bytes = (n: number) => new Uint8Array(8).fill(n)
const analysis = {
  tenantId: 'shop',
  dfrId: '0123456789abcdef0123456789abcdef',
  bodyHash: bytes(1),
  analysedAt: 5,
  deviceHash: bytes(2),
  installationHash: bytes(2),
  ipPrefixHash: bytes(3),
  ipHash: bytes(4),
  country: 'IN',
  signals: 'vpn',
  sealed: bytes(5),
}

async function fill(database: Database): Promise<void> {
  await insertTenant(database, { id: 'shop', name: 'Shop', createdAt: 1, sealedKeys: bytes(0) })
  for (let i = 0; i < 3; i++) {
    await insertClient(database, { id: `c${i}`, tenantId: 'shop', name: `Client ${i}`, createdAt: 10 + i })
  }
  await database.batch([analysisInsert({ ...analysis, pushHash: null, challenge: bytes(6) })])
}

test('keeps the baseline unchanged: a change of the schema is a new migration', () => {
  assert.equal(program[0]?.name, '0001-baseline')
  // The store of the first release, recorded before its tag. Until then the schema may change.
  const first = new URL('../../testing/earlier-stores/0001.json', import.meta.url)
  if (!existsSync(first)) return
  const { tables } = JSON.parse(readFileSync(first, 'utf8'))
  assert.equal(checksumOf(program[0]), tables.schema_migration[0].checksum)
})

test('ignores comments and white space in the checksum of a migration, and nothing else', () => {
  const checksum = (sql: string) => checksumOf({ name: '0001-baseline', sql })
  const sql = 'create table a (\n  id text not null primary key /* sqlite: without rowid */\n);'
  assert.equal(checksum(`-- A row is an a.\r\n${sql.replaceAll('\n', '\r\n')} -- why`), checksum(sql))
  for (const other of [
    sql.replace('not null ', ''),
    sql.replace('rowid', 'row'),
    `${sql}\ncreate index b on a (id);`,
  ]) {
    assert.notEqual(checksum(other), checksum(sql))
  }
})

test('says for each table what a row is, which key finds it, and when it is deleted', () => {
  const tables = [...program[0]!.sql.matchAll(/((?:^--.*\n)*)^create table (\w+)/gm)]
  assert.ok(tables.length > 70)
  for (const [, comment = '', table] of tables) {
    assert.match(comment, /A row (is|says) /, table ?? '')
    assert.match(comment, /\b(Found by|read at once)\b/, table ?? '')
    assert.match(comment, /\b([Dd]eleted|Replaced)\b/, table ?? '')
  }
})

/** The columns of the primary key of each table. */
async function primaryKeys(database: Database): Promise<Record<string, string[]>> {
  const text =
    database.engine === 'sqlite'
      ? `select m.name as "table", i.name as "column" from sqlite_schema m left join pragma_table_info(m.name) i on i.pk > 0
          where m.type = 'table' and m.name not like 'sqlite_%' order by m.name, i.pk`
      : `select t.table_name as "table", k.column_name as "column" from information_schema.tables t
           left join (information_schema.table_constraints c join information_schema.key_column_usage k using (constraint_name))
             on c.table_name = t.table_name and c.constraint_type = 'PRIMARY KEY'
          where t.table_schema = 'public' order by t.table_name, k.ordinal_position`
  const rows = await database.query<{ table: string; column: string | null }>(text)
  const keys: Record<string, string[]> = {}
  for (const { table, column } of rows) {
    keys[table] ??= []
    if (column !== null) keys[table].push(column)
  }
  return keys
}

eachDatabase(({ engine, open, place }) => {
  test(`gives every table a primary key (${engine})`, async (t) => {
    const keys = await primaryKeys(await open(t))
    assert.ok(Object.keys(keys).length > 20)
    assert.deepEqual(keys.device_analysis, ['tenant_hash', 'dfr_id'])
    assert.deepEqual(
      Object.keys(keys).filter((table) => keys[table]?.length === 0),
      [],
    )
  })

  test(`upgrades a database with rows and keeps them (${engine})`, async (t) => {
    const where = await place(t)
    const before = await openDatabase(where)
    await fill(before)
    await before.close()
    const after = await openDatabase(where, { migrations: [...program, upgrade] })
    assert.deepEqual(await after.query('select id, name, contact from client order by id'), [
      { id: 'c0', name: 'Client 0', contact: 'none' },
      { id: 'c1', name: 'Client 1', contact: 'none' },
      { id: 'c2', name: 'Client 2', contact: 'none' },
    ])
    assert.deepEqual(await after.query('select client_id, since from contact order by since'), [
      { client_id: 'c0', since: 10 },
      { client_id: 'c1', since: 11 },
      { client_id: 'c2', since: 12 },
    ])
    const found = await findAnalysis(after, analysis, 0)
    assert.deepEqual(found, { ...analysis, pushHash: null, subjects: null })
    assert.deepEqual(await migrate(after, [...program, upgrade]), [], 'a second start applies nothing')
    await after.close()
  })

  test(`lets a server of the previous version go on and start again after an upgrade (${engine})`, async (t) => {
    const where = await place(t)
    const running = await openDatabase(where)
    await fill(running)
    const newer = await openDatabase(where, { migrations: [...program, upgrade] })
    await insertClient(running, { id: 'c9', tenantId: 'shop', name: 'Late', createdAt: 19 })
    assert.deepEqual(await newer.query("select contact from client where id = 'c9'"), [{ contact: 'none' }])
    await running.close()
    const startedAgain = await openDatabase(where)
    await insertClient(startedAgain, { id: 'c10', tenantId: 'shop', name: 'Later', createdAt: 20 })
    assert.deepEqual(await newer.query("select contact from client where id = 'c10'"), [{ contact: 'none' }])
    await startedAgain.close()
    await newer.close()
  })

  test(`upgrades once when two servers start at the same time (${engine})`, async (t) => {
    const where = await place(t)
    const before = await openDatabase(where)
    await fill(before)
    await before.close()
    const opened = await Promise.all([1, 2].map(() => openDatabase(where, { migrations: [...program, upgrade] })))
    for (const database of opened) {
      assert.equal((await database.query('select client_id from contact')).length, 3)
      await database.close()
    }
  })
})
