import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextCommand } from './command-name.ts'
import { withoutPassword } from './database-url.ts'

test('a command to paste names the database without its password, also with several hosts', () => {
  for (const [url, shown] of [
    ['postgres://me:s%40cret@db/x', 'postgres://me@db/x'],
    ['postgres://me:s%40cret@db1:5432,db2:5432/x', 'postgres://me@db1:5432,db2:5432/x'],
    ['postgres://me@db/x?sslmode=disable&password=s%40cret', 'postgres://me@db/x?sslmode=disable&'],
    ['postgres://me@db/x?password=s%40cret&sslmode=disable', 'postgres://me@db/x?sslmode=disable'],
  ] as const) {
    const command = nextCommand({ database: url }, 'clients', 'list')
    assert.ok(command.includes(shown) && !command.includes('cret'), command)
    assert.deepEqual(withoutPassword(url), { text: shown, password: 's@cret' })
  }
  assert.deepEqual(withoutPassword('postgres://db1,db2/x'), { text: 'postgres://db1,db2/x' })
})
