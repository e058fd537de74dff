// Does the PostgreSQL of a test end with the process that started it, even after kill -9?

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { startPostgres } from './postgres-server.ts'
import { until } from './until.ts'

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
const folderOf = (url: string): string => new URL(url).searchParams.get('host') ?? ''
const processOf = async (folder: string): Promise<number> =>
  Number((await readFile(join(folder, 'data', 'postmaster.pid'), 'utf8')).split('\n')[0])

test('removes the server and its files when it is stopped', async () => {
  const server = await startPostgres()
  const folder = folderOf(server.url())
  const pid = await processOf(folder)
  assert.ok(isRunning(pid))
  await server.stop()
  await server.stop()
  assert.deepEqual([isRunning(pid), existsSync(folder)], [false, false])
})

test('removes the server and its files when its process was killed', async () => {
  const code = `import { startPostgres } from ${JSON.stringify(new URL('./postgres-server.ts', import.meta.url).href)}
    console.log((await startPostgres()).url())
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await once(child.stdout, 'data')
  const folder = folderOf(String(line).trim())
  const pid = await processOf(folder)
  child.kill('SIGKILL')
  await once(child, 'exit')
  await until(() => !existsSync(folder))
  assert.deepEqual([isRunning(pid), existsSync(folder)], [false, false])
})
