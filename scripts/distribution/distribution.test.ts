// Does the schema stay fit for distributed engines? docs/distribution.md says what each of them lacks.

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { readMigrations } from '@ringfence/server/core/storage/migrate.ts'
import { splitStatements } from '@ringfence/server/core/storage/statement.ts'
import { postgresDatabases } from '@ringfence/server/testing/databases.ts'
import { distribution, timeFirstIndexes } from './tables.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const page = readFileSync(join(root, 'docs/distribution.md'), 'utf8')
const withoutComments = (sql: string) => sql.replaceAll(/--.*/g, '')

/** What at least one of Citus, YugabyteDB and CockroachDB lacks, or makes slow. */
const lacking: Readonly<Record<string, RegExp>> = {
  // Certificates have serial numbers.
  sequence:
    /\b(?:big|small)?serial\b(?! number)|\bnextval\s*\(|create\s+sequence|generated\s+(?:always|by\s+default)\s+as\s+identity/i,
  trigger: /create\s+(?:or\s+replace\s+)?(?:constraint\s+)?trigger/i,
  procedure: /create\s+(?:or\s+replace\s+)?(?:function|procedure)|\bdo\s+\$\$/i,
  'listen/notify': /(?:^|['"`])\s*(?:listen|notify|unlisten)\s+[a-z]|pg_notify/im,
  'advisory lock': /pg_(?:try_)?advisory/i,
  'temporary table': /create\s+(?:temp|temporary|unlogged)\b/i,
  'lateral unnest': /cross join lateral/i,
  'clock in an upsert': /statement_timestamp|transaction_timestamp/i,
}

/** Where one is used although an engine lacks it; docs/distribution.md says what follows. */
const accepted: Readonly<Record<string, readonly string[]>> = {
  'advisory lock': [
    'server/src/core/storage/postgres/migration-lock.ts',
    'server/src/core/storage/postgres/postgres.ts',
  ],
  'lateral unnest': ['server/src/core/storage/postgres/reads.ts'],
  'clock in an upsert': ['server/src/core/storage/servers/request-counts.ts'],
}

function filesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(?:ts|sql)$/.test(file) && !/\.test\.ts$|(^|\/)testing\//.test(file))
    .map((file) => `${folder}/${file}`)
}

test('no statement or migration uses what a distributed engine lacks, except the accepted ones', () => {
  const found: Record<string, string[]> = {}
  for (const file of filesBelow('server/src')) {
    const text = readFileSync(join(root, file), 'utf8')
    const code = file.endsWith('.sql') ? withoutComments(text) : text.replaceAll(/^\s*(?:\/\/|\*|\/\*).*$/gm, '')
    for (const [what, pattern] of Object.entries(lacking)) {
      if (pattern.test(code)) found[what] = [...(found[what] ?? []), file]
    }
  }
  assert.deepEqual(found, accepted)
})

test('finds each of them in a statement that uses it', () => {
  const examples: Readonly<Record<keyof typeof lacking, string>> = {
    sequence: 'create table a (id bigserial primary key)',
    trigger: 'create trigger t before insert on a',
    procedure: 'create or replace function f() returns int',
    'listen/notify': "'listen changes'",
    'advisory lock': 'select pg_advisory_lock(1)',
    'temporary table': 'create temporary table a',
    'lateral unnest': 'cross join lateral (select 1)',
    'clock in an upsert': 'select statement_timestamp()',
  }
  for (const [what, pattern] of Object.entries(lacking)) assert.match(examples[what]!, pattern, what)
})

test('no migration drops and creates the same name, which CockroachDB refuses in one transaction', async () => {
  for (const { name, sql } of await readMigrations()) {
    const statements = splitStatements(withoutComments(sql))
    const names = (verb: string) =>
      statements.flatMap(
        (text) =>
          new RegExp(
            `^${verb}\\s+(?:unique\\s+)?(?:table|index)\\s+(?:/\\*.*?\\*/\\s+)?(?:if\\s+(?:not\\s+)?exists\\s+)?(\\w+)`,
            'i',
          ).exec(text)?.[1] ?? [],
      )
    const dropped = new Set(names('drop'))
    assert.deepEqual(
      names('create').filter((created) => dropped.has(created)),
      [],
      name,
    )
  }
})

test('every table has a place, and every unique key of a distributed table has its column', async (t) => {
  const database = await postgresDatabases.open(t)
  const tables = await database.query<{ name: string }>(
    `select cast(relname as text) as name from pg_class where relkind in ('r', 'p') and not relispartition
        and relnamespace = cast('public' as regnamespace) order by cast(relname as text) collate "C"`,
  )
  assert.deepEqual(
    tables.map(({ name }) => name),
    Object.keys(distribution).toSorted(),
  )
  const keys = await database.query<{ table: string; index: string; columns: string }>(
    `select cast(t.relname as text) as "table", cast(i.relname as text) as "index", string_agg(cast(a.attname as text), ' ') as columns
       from pg_index x join pg_class t on t.oid = x.indrelid join pg_class i on i.oid = x.indexrelid
         join pg_attribute a on a.attrelid = t.oid and a.attnum = any(x.indkey)
      where x.indisunique and not t.relispartition and t.relnamespace = cast('public' as regnamespace) group by 1, 2`,
  )
  const wrong = keys.filter(({ table, columns }) => {
    const { by } = distribution[table]!
    return by !== 'reference' && by !== 'local' && !columns.split(' ').includes(by)
  })
  assert.deepEqual(wrong, [])
  const objects = await database.query(
    `select cast(relname as text) as name from pg_class where relkind = 'S' and relnamespace = cast('public' as regnamespace)
     union all select cast(tgname as text) from pg_trigger where not tgisinternal`,
  )
  assert.deepEqual(objects, [], 'no sequence and no trigger')
  const withoutKey = await database.query(
    `select cast(relname as text) as name from pg_class t where relkind = 'r' and relnamespace = cast('public' as regnamespace)
        and not exists (select 1 from pg_index x where x.indrelid = t.oid and x.indisprimary)`,
  )
  assert.deepEqual(withoutKey, [], 'logical replication needs a primary key')
})

test('every index that begins with a time is named on the page', async (t) => {
  const database = await postgresDatabases.open(t)
  const indexes = await database.query<{ name: string }>(
    `select cast(i.relname as text) as name from pg_index x join pg_class i on i.oid = x.indexrelid
      where i.relnamespace = cast('public' as regnamespace)
        and pg_get_indexdef(x.indexrelid, 1, true) ~ '(_at|_until|_end|^day|^bucket)($|[^a-z_])' order by 1`,
  )
  assert.deepEqual(
    indexes.map(({ name }) => name),
    [...timeFirstIndexes],
  )
  for (const { name } of indexes) assert.ok(page.includes(`\`${name}\``), name)
})
