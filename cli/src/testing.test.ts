// Does a test of the command read anything of the machine on which it runs?

import assert from 'node:assert/strict'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { commandLine } from './testing.ts'

test('uses no master key of this machine, where a service may have one', async (t) => {
  const { folder, run } = await commandLine(t)
  const ofMachine = join(folder, 'etc')
  await mkdir(ofMachine)
  const key = `${Buffer.alloc(32, 7).toString('base64')}\n`
  await writeFile(join(ofMachine, 'master.key'), key, { mode: 0o600 })
  // It comes before /etc/ringfence, where no test may write.
  const { code, stderr } = await run(['init'], { env: { CREDENTIALS_DIRECTORY: ofMachine } })
  assert.deepEqual([code, stderr], [0, ''])
  assert.notEqual(await readFile(join(folder, '.config', 'ringfence', 'master.key'), 'utf8'), key)
})
