// Are placeholders and semicolons found, but not those in text, names and comments?

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readStatement, splitStatements } from './statement.ts'

test('converts placeholders for SQLite, but not in text, names and comments', () => {
  const sql = `select '$1; it''s $2', "a $3" from t -- $4\n where a = $2 /* $5 ; */ and b = $12 and c = $2`
  assert.deepEqual(readStatement(sql), {
    sqliteText: `select '$1; it''s $2', "a $3" from t -- $4\n where a = ?2 /* $5 ; */ and b = ?12 and c = ?2`,
    parameters: 12,
    reads: true,
    repeatable: true,
  })
})

test('repeats reads, deletes and inserts of rows that may exist, and nothing that a second run would answer differently', () => {
  const repeatable = (sql: string) => readStatement(sql).repeatable
  assert.ok(repeatable('select 1'))
  assert.ok(repeatable('delete from token where token_hash = $1'))
  assert.ok(repeatable('insert into token (id) values ($1) on conflict (id) do nothing'))
  assert.ok(!repeatable('insert into token (id) values ($1)'))
  assert.ok(!repeatable('delete from token where id = $1 returning id'))
  assert.ok(!repeatable('insert into token (id) values ($1) on conflict do nothing returning id'))
  assert.ok(!repeatable('insert into token (id) values ($1) on conflict (id) do update set uses = token.uses + 1'))
  assert.ok(!repeatable('update token set uses = uses + 1'))
})

test('splits a script at semicolons, but not in text, names and comments, and drops empty statements', () => {
  const script = `-- first; a comment
create table a (t text default ';');
;
/* second; */ insert into "b;c" values (1); -- the end; really
`
  assert.deepEqual(splitStatements(script), [
    "-- first; a comment\ncreate table a (t text default ';')",
    '/* second; */ insert into "b;c" values (1)',
  ])
})

test('accepts a statement that begins with a comment and ends with a semicolon', () => {
  assert.equal(readStatement('-- why\nselect $1;\n').parameters, 1)
  assert.throws(() => readStatement('-- why\nbegin'), /Use transaction/)
})
