import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commandNameOf, commands, pasteable } from '@ringfence/server/core/command-name.ts'
import { nextCommand } from './command-name.ts'
import { withoutPassword } from './database-url.ts'
import { program } from './main.ts'

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

test('a command to paste begins as this one was started', () => {
  const started = (home: string, path: string, executables: string[] = [], isClone = false) =>
    commandNameOf({ isClone, path, home, isExecutable: (file) => executables.includes(file) })
  const bin = '/shop/node_modules/.bin'
  assert.equal(started('/clone', '/usr/bin', [], true), 'npx ringfence')
  assert.equal(started('/shop/node_modules/ringfence', `${bin}:/bin`, [`${bin}/ringfence`]), 'npx ringfence')
  const global = '/usr/lib/node_modules/ringfence'
  assert.equal(started(global, '/usr/bin:/bin', ['/usr/bin/ringfence']), 'ringfence')
  assert.equal(started('/opt/rf', '/usr/bin', ['/opt/rf/bin/ringfence']), '/opt/rf/bin/ringfence')
  assert.equal(started('/opt/ringfence', '/usr/bin'), 'ringfence', 'a container')
})

test('only commands of a text are made pasteable, and every command is known', () => {
  const text = 'ringfence: there is none; run ringfence clients list, or npx ringfence apps list'
  assert.equal(
    pasteable(text, 'npx ringfence'),
    'ringfence: there is none; run npx ringfence clients list, or npx ringfence apps list',
  )
  for (const other of [
    'postgres://ringfence@db/x',
    'the role ringfence lacks rights',
    '/bin/ringfence serve',
    'ringfence services',
  ])
    assert.equal(pasteable(other, 'npx ringfence'), other)
  assert.deepEqual(
    commands.split(' '),
    program()
      .commands.map((command) => command.name())
      .toSorted(),
  )
})
