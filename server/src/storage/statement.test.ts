// Are placeholders and semicolons found, but not those in text, names and comments?

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readStatement, splitStatements } from './statement.ts'

test('converts placeholders for SQLite, but not in text, names and comments', () => {
  const sql = `select '$1; it''s $2', "a $3" from t -- $4\n where a = $2 /* $5 ; */ and b = $12 and c = $2`
  assert.deepEqual(readStatement(sql), {
    sqliteText: `select '$1; it''s $2', "a $3" from t -- $4\n where a = ?2 /* $5 ; */ and b = ?12 and c = ?2`,
    parameters: 12,
  })
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
