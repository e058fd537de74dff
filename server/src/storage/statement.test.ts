// Are placeholders and the ends of statements told from the same signs in text, names and comments?

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readStatement, splitStatements } from './statement.ts'

test('placeholders become those of SQLite, but not in text, names and comments', () => {
  const sql = `select '$1; it''s $2', "a $3" from t -- $4\n where a = $2 /* $5 ; */ and b = $12 and c = $2`
  assert.deepEqual(readStatement(sql), {
    sqliteText: `select '$1; it''s $2', "a $3" from t -- $4\n where a = ?2 /* $5 ; */ and b = ?12 and c = ?2`,
    parameters: 12,
  })
})

test('a script is split at semicolons, but not in text, names and comments; what holds no statement is left out', () => {
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

test('a statement may end with a semicolon and begin with a comment', () => {
  assert.equal(readStatement('-- why\nselect $1;\n').parameters, 1)
  assert.throws(() => readStatement('-- why\nbegin'), /Use transaction/)
})
