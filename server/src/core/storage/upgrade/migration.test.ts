// Does each migration leave the servers of the previous version alone, as migrations/README.md asks?

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readMigrations } from '../migrate.ts'
import { contractOf, droppedIndexes, type Migration, postgresStatements, sqliteStatements } from './migration.ts'

const created = (sql: string) => new Set([...sql.matchAll(/^create table (\w+)/gm)].map(([, table]) => table))

/** What would block or break a server of the previous version, in words for whoever wrote the migration. */
function faultsOf(migration: Migration): string[] {
  const own = created(migration.sql)
  const { now } = postgresStatements(migration)
  const faults: string[] = []
  for (const statement of now.map((text) => text.replaceAll(/--.*/g, '').trim())) {
    const table =
      /^(?:alter table|create (?:unique )?index \w+ on|update|delete from|insert into) (\w+)/.exec(statement)?.[1] ?? ''
    const isNew = own.has(table)
    if (/^create .*index/.test(statement) && !isNew) {
      faults.push('an index of an existing table needs /* postgres: concurrently */')
    }
    if (/^drop index (?!if exists)/.test(statement)) faults.push('write `drop index if exists`')
    if (/^(?:insert|update|delete|with)\b/.test(statement) && !isNew) {
      faults.push('rows of existing tables are changed by the server, not by a migration')
    }
    const removes = /^drop table|\bdrop column\b|\brename\b|\balter column\b|\bset not null\b|\badd constraint\b/
    const requires = /\badd column\b(?=.*\bnot null\b)(?!.*\bdefault\b)/s
    if (contractOf(migration) === undefined && (removes.test(statement) || requires.test(statement)) && !isNew) {
      faults.push('older servers use this: remove it in a later migration, with -- contract: servers need NNNN')
    }
  }
  return faults
}

test('no migration blocks or breaks a server of the previous version', async () => {
  const migrations = (await readMigrations()).slice(1)
  assert.deepEqual(
    migrations
      .map((migration) => [migration.name, ...faultsOf(migration)])
      .filter(([, ...faults]) => faults.length > 0),
    [],
  )
})

test('finds each statement that would', () => {
  const faults = (sql: string) =>
    faultsOf({ name: '0020-x', sql }).map((fault) => fault.split(' ').slice(0, 2).join(' '))
  const contract = '-- contract: servers need 0019\n'
  for (const [sql, ...expected] of [
    ['create table a (b text not null primary key);\ncreate index a_b on a (b);\ninsert into a (b) values (1)'],
    ['alter table a add column b text'],
    ["alter table a add column b text not null default ''"],
    ['create index /* postgres: concurrently */ a_b on a (b)'],
    ['drop index if exists a_b'],
    [`${contract}alter table a drop column b`],
    ['create index a_b on a (b)', 'an index'],
    ['drop index a_b', 'write `drop'],
    ['-- Why.\nupdate a set b = 1', 'rows of'],
    ['alter table a drop column b', 'older servers'],
    ['alter table a rename to b', 'older servers'],
    ['alter table a add column b text not null', 'older servers'],
    ['drop table a', 'older servers'],
  ] as const) {
    assert.deepEqual(faults(sql), expected, sql)
  }
})

test('gives each engine the text in its own comments', () => {
  const migration = { name: '0002-x', sql: 'create table a (b bigint default (/* sqlite: 1 */ /* postgres: 2 */))' }
  assert.match(sqliteStatements(migration)[0]!, /default \(1 \/\*/)
  assert.match(postgresStatements(migration).now[0]!, /default \(\/\* sqlite: 1 \*\/ 2\)/)
})

test('builds marked indexes after the transaction on PostgreSQL, and in it on SQLite', () => {
  const sql = `create table a (b text /* sqlite: primary key */);
-- Why; and how.
create unique index /* postgres: concurrently */ a_b on a (b)
  where b is not null;
drop index if exists c`
  const migration = { name: '0002-x', sql }
  const { now, later } = postgresStatements(migration)
  assert.deepEqual(now, ['create table a (b text /* sqlite: primary key */)', 'drop index if exists c'])
  assert.deepEqual(later, [
    { name: 'a_b', statement: 'create unique index concurrently if not exists a_b on a (b)\n  where b is not null' },
  ])
  assert.equal(sqliteStatements(migration).length, 3)
  assert.match(sqliteStatements(migration)[0]!, /b text primary key/)
  assert.deepEqual(droppedIndexes(['-- Why.\ndrop index if exists c', 'drop index d']), ['c', 'd'])
})
