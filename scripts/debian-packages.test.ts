// Do test files that install packages at once wait for each other? With a program in place of apt-get.

import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { until } from '@ringfence/server/testing/until.ts'
import { whyMissing } from './debian-packages.ts'

const skip = (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) && 'packages are installed as root on Debian'

/** Returns the folder of the program. */
async function aptGet(t: TestContext, script: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'ringfence-apt-'))
  const { PATH } = process.env
  t.after(async () => {
    process.env.PATH = PATH
    await rm(folder, { recursive: true })
  })
  await writeFile(join(folder, 'apt-get'), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  process.env.PATH = `${folder}:${PATH}`
  return folder
}

test('one installation at a time: apt-get update fails while another one runs', { skip }, async (t) => {
  await aptGet(t, 'mkdir "$0.runs" || exit 100\nsleep 0.1\nrmdir "$0.runs"')
  const installing = ['one', 'two', 'three'].map((name) => whyMissing(() => false, name))
  assert.deepEqual(await Promise.all(installing), [undefined, undefined, undefined])
})

test('a program whose package another test file unpacks is there when that has ended', { skip }, async (t) => {
  const folder = await aptGet(
    t,
    `case "$*" in *install*)
  : > "$0.program"
  until [ -e "$0.goes-on" ]; do sleep 0.05; done
  : > "$0.works" ;;
esac`,
  )
  const exists = (name: string) => existsSync(join(folder, `apt-get.${name}`))
  const installing = whyMissing(() => false, 'one')
  await until(() => exists('program'))
  let worked: boolean | undefined
  const looking = whyMissing(() => {
    worked = exists('works')
    return exists('program')
  }, 'one')
  await writeFile(join(folder, 'apt-get.goes-on'), '')
  assert.deepEqual(await Promise.all([installing, looking]), [undefined, undefined])
  assert.equal(worked, true)
})
