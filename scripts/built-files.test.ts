import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fillFolder } from './built-files.ts'

async function builtBefore(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'ringfence-built-'))
  t.after(() => rm(folder, { recursive: true }))
  fillFolder(folder, { 'same.js': 'one', 'assets/changed.js': 'one', 'assets/old/gone.js': 'one' })
  return folder
}

test('a reader sees a built file as it was or as it is, also while another process builds', async (t) => {
  const folder = await builtBefore(t)
  const { ino } = await stat(join(folder, 'same.js'))
  await using reading = await open(join(folder, 'assets/changed.js'))
  fillFolder(folder, { 'same.js': 'one', 'assets/changed.js': 'two' })
  assert.equal((await stat(join(folder, 'same.js'))).ino, ino, 'what stays the same is not written')
  assert.equal(await reading.readFile('utf8'), 'one')
  assert.equal(await readFile(join(folder, 'assets/changed.js'), 'utf8'), 'two')
  assert.deepEqual((await readdir(folder, { recursive: true })).toSorted(), ['assets', 'assets/changed.js', 'same.js'])
})

test('what another process is writing stays, and what a killed one left goes', async (t) => {
  const folder = await builtBefore(t)
  const other = spawn('sleep', ['600'])
  const ended = once(other, 'exit')
  t.after(() => other.kill('SIGKILL'))
  const unfinished = join(folder, 'assets', `new.js.unfinished-${other.pid}`)
  await mkdir(join(folder, 'assets'), { recursive: true })
  await writeFile(unfinished, 'tw')
  fillFolder(folder, { 'assets/new.js': 'two' })
  assert.equal(await readFile(unfinished, 'utf8'), 'tw')
  other.kill('SIGKILL')
  await ended
  fillFolder(folder, { 'assets/new.js': 'two' })
  assert.deepEqual((await readdir(folder, { recursive: true })).toSorted(), ['assets', 'assets/new.js'])
})
