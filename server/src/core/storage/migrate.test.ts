// Do migrations run once, in order and completely, on both engines, also when several servers start at the same time?

import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { atEnd } from '../../testing/at-end.ts'
import { eachDatabase } from '../../testing/databases.ts'
import { migrate, readMigrations } from './migrate.ts'
import { openDatabase } from './open-database.ts'
import type { Migration } from './upgrade/migration.ts'

const things: Migration = {
  name: '0001-things',
  sql: `-- Two statements; a semicolon in a comment; and one in ';' text.
create table thing (id text not null primary key, n bigint not null default 1);
insert into thing (id) values ('a;b');
`,
}
const more: Migration = { name: '0002-more', sql: 'alter table thing add column more text' }
const clock = { now: () => 1_700_000_000_000 }
const ledger = 'select name, applied_at from schema_migration order by name'

eachDatabase(({ engine, place }) => {
  test(`runs a SQLite comment on SQLite only (${engine})`, async (t) => {
    const sql = 'create table thing (id text not null primary key) /* sqlite: without rowid */'
    const database = await openDatabase(await place(t), { migrations: [{ name: '0001-things', sql }] })
    await database.query("insert into thing (id) values ('a')")
    if (engine === 'sqlite') await assert.rejects(database.query('select rowid from thing'), /no such column/)
    assert.deepEqual(await database.query('select id from thing'), [{ id: 'a' }])
    await database.close()
  })

  test(`applies migrations in order, once, and records the time (${engine})`, async (t) => {
    const where = await place(t)
    const first = await openDatabase(where, { migrations: [things], clock })
    assert.deepEqual(await first.query('select id, n from thing'), [{ id: 'a;b', n: 1 }])
    assert.deepEqual(await migrate(first, [things]), [])
    assert.deepEqual(await migrate(first, [things, more], clock), ['0002-more'])
    await first.close()
    const second = await openDatabase(where, { migrations: [things, more] })
    assert.deepEqual(await second.query('select id, more from thing'), [{ id: 'a;b', more: null }])
    assert.deepEqual(await second.query(ledger), [
      { name: '0001-things', applied_at: 1_700_000_000_000 },
      { name: '0002-more', applied_at: 1_700_000_000_000 },
    ])
    await second.close()
  })

  test(`migrates an empty database once when four servers start at the same time (${engine})`, async (t) => {
    const where = await place(t)
    const opened = await Promise.all([1, 2, 3, 4].map(() => openDatabase(where, { migrations: [things, more] })))
    for (const database of opened) {
      assert.deepEqual(await database.query('select id from thing'), [{ id: 'a;b' }])
      await database.close()
    }
  })

  test(`refuses an edited migration and changes nothing (${engine})`, async (t) => {
    const where = await place(t)
    await (await openDatabase(where, { migrations: [things, more] })).close()
    const edited = { ...more, sql: more.sql.replace('more text', 'more bigint') }
    const third = { name: '0003-third', sql: 'alter table thing add column third text' }
    await assert.rejects(openDatabase(where, { migrations: [things, edited, third] }), {
      name: 'MigrationRefused',
      message: /0002-more was edited .* new migration; or, before the first release, start with a new data folder\.$/,
    })
    const otherLineEnds = { ...things, sql: things.sql.replaceAll('\n', '\r\n') }
    const database = await openDatabase(where, { migrations: [otherLineEnds, more] })
    assert.equal((await database.query(ledger)).length, 2)
    await database.close()
  })

  test(`refuses a store of an unreleased version, whose first schema differs, and changes nothing (${engine})`, async (t) => {
    const where = await place(t)
    const later = Array.from({ length: 3 }, (_, at) => ({
      name: `000${at + 2}-later`,
      sql: `create table t${at} (n bigint)`,
    }))
    await (await openDatabase(where, { migrations: [things, ...later] })).close()
    const oneSchema = { ...things, sql: things.sql.replace('default 1', 'default 2') }
    await assert.rejects(openDatabase(where, { migrations: [oneSchema] }), {
      name: 'MigrationRefused',
      message:
        'The store was made by an unreleased version of Ringfence, whose schema this version cannot upgrade. ' +
        'Start with a new data folder or an empty database; to continue with this store, start the version that created it.',
    })
    const database = await openDatabase(where, { migrations: [things, ...later] })
    assert.equal((await database.query(ledger)).length, 4)
    await database.close()
  })

  test(`starts on the schema of a newer version, reports it and changes nothing (${engine})`, async (t) => {
    const where = await place(t)
    await (await openDatabase(where, { migrations: [things, more] })).close()
    const reported: string[] = []
    const waiting = { report: (progress: string) => reported.push(progress) }
    const older = await openDatabase(where, { migrations: [things], waiting })
    assert.deepEqual(reported, ['The store has migration 0002-more of a newer version, with which this version works'])
    assert.deepEqual(await older.query('select id, n from thing'), [{ id: 'a;b', n: 1 }])
    assert.equal((await older.query(ledger)).length, 2)
    await older.close()
  })

  test(`refuses to start when a newer version has removed what this one uses (${engine})`, async (t) => {
    const where = await place(t)
    const removes = { name: '0003-less', sql: '-- contract: servers need 0002\nalter table thing drop column n' }
    await (await openDatabase(where, { migrations: [things, more, removes] })).close()
    await (await openDatabase(where, { migrations: [things, more] })).close()
    await assert.rejects(openDatabase(where, { migrations: [things] }), {
      name: 'MigrationRefused',
      message:
        /has migration 0003-less, .*servers need migration 0002, and this version knows them up to 0001\. Start that version or a later/,
    })
  })

  test(`refuses a database of another program (${engine})`, async (t) => {
    const where = await place(t)
    const database = await openDatabase(where, { migrations: [things, more] })
    await assert.rejects(openDatabase(where, { migrations: [things, { ...more, name: '0002-other' }] }), {
      name: 'MigrationRefused',
      message: /0002-more where this version has 0002-other/,
    })
    const insert = 'insert into schema_migration (name, checksum, applied_at) values ($1, $2, $3)'
    await database.query(insert, ['0009-other', '', 1])
    await assert.rejects(openDatabase(where, { migrations: [things] }), {
      name: 'MigrationRefused',
      message: /0009-other, which this version does not know, and not all before it: it belongs to another program/,
    })
    await database.close()
  })

  test(`rolls back a migration that fails (${engine})`, async (t) => {
    const where = await place(t)
    const broken = { name: '0002-broken', sql: 'create table half (id text);\ninsert into nowhere (id) values (1);' }
    await assert.rejects(openDatabase(where, { migrations: [things, broken] }), /nowhere/)
    const database = await openDatabase(where, { migrations: [things, more] })
    await assert.rejects(database.query('select id from half'), /half/)
    await database.close()
  })
})

test('reads the baseline from the schema folder, and refuses gaps in the numbers of later migrations', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'ringfence-migrations-'))
  atEnd(t, () => rm(folder, { recursive: true }))
  const url = pathToFileURL(`${folder}/`)
  await writeFile(join(folder, '0002-second.sql'), 'select 2')
  await writeFile(join(folder, 'README.md'), 'not a migration')
  const [baseline, ...later] = await readMigrations(url)
  assert.equal(baseline?.name, '0001-baseline')
  assert.match(baseline.sql, /create table tenant \([\s\S]*create table audit_line \(/)
  assert.deepEqual(later, [{ name: '0002-second', sql: 'select 2' }])
  for (const contract of ['servers need 3', 'servers need 0002', 'servers need 0001 or later']) {
    await writeFile(join(folder, '0002-second.sql'), `-- contract: ${contract}\nselect 2`)
    await assert.rejects(readMigrations(url), /0002-second: write `-- contract: servers need NNNN`, with an earlier/)
  }
  await writeFile(join(folder, '0002-second.sql'), '-- contract: servers need 0001\nselect 2')
  assert.equal((await readMigrations(url)).length, 2)
  await writeFile(join(folder, '0004-fourth.sql'), 'select 4')
  await assert.rejects(readMigrations(url), /0004-fourth.sql must be named 0003-/)
  await rm(join(folder, '0004-fourth.sql'))
  await writeFile(join(folder, '0002-other.sql'), 'select 2')
  await assert.rejects(readMigrations(url), /must be named 0003-/)
})

test('refuses a place that is neither a folder nor a PostgreSQL URL, and says what to write instead', async () => {
  await assert.rejects(openDatabase(''), { name: 'TypeError', message: /name a folder or a postgres:\/\// })
  for (const place of ['mysql://root@localhost/x', 'sqlite:/var/lib/ringfence']) {
    const message = new RegExp(`No database for ${place.split(':')[0]}:.*name a folder`)
    await assert.rejects(openDatabase(place), { name: 'TypeError', message })
  }
  await assert.rejects(openDatabase('postgres://a:p@ss:w/rd@host:port/x'), { name: 'TypeError', message: /%2F %40/ })
})
