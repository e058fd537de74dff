import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

const skip = spawnSync('flock', ['--version']).status === 0 ? false : 'no flock on this machine'

test('a second run waits until the first has ended, however that ends', { skip }, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'ringfence-turn-'))
  const started: ReturnType<typeof spawn>[] = []
  t.after(async () => {
    for (const child of started) child.kill('SIGKILL')
    await rm(folder, { recursive: true })
  })
  const said: string[] = []
  const start = (name: string, lasts: string) => {
    const code = `await (await import(${JSON.stringify(join(import.meta.dirname, 'turn.ts'))})).takeTurn(${JSON.stringify(folder)})
console.log(${JSON.stringify(name)})
${lasts}`
    const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] })
    started.push(child)
    child.stdout!.setEncoding('utf8').on('data', (text: string) => said.push(...text.split('\n').filter(Boolean)))
    return { child, closed: once(child, 'close'), has: once(child.stdout!, 'data') }
  }
  const first = start('first', 'setInterval(() => {}, 1000)')
  await first.has
  const second = start('second', '')
  await second.has
  assert.match(said.join(), /^first,Another run builds in .*: this one waits for it\.$/)
  first.child.kill('SIGKILL')
  await second.closed
  assert.equal(said.at(-1), 'second')
})
