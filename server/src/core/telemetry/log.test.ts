// Does a line of the log say what happened, and no more?

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { atEnd } from '../../testing/at-end.ts'
import { StorageUnavailable } from '../storage/database.ts'
import { ringfenceVersion } from '../version.ts'
import { logTo } from './log.ts'

test('an aborted call has a type and a message, and not the constants of DOMException; another error has its stack', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'ringfence-log-'))
  atEnd(t, () => rm(folder, { recursive: true }))
  const file = join(folder, 'service.log')
  const log = logTo(file)
  log.warn({ err: new DOMException('the decision is due', 'TimeoutError') }, 'first')
  log.warn({ err: new TypeError('fetch failed', { cause: new Error('ECONNREFUSED') }) }, 'second')
  await new Promise((flushed) => log.flush(flushed))
  const [first, second] = (await readFile(file, 'utf8')).trim().split('\n')
  assert.deepEqual(JSON.parse(first!).err, { type: 'TimeoutError', message: 'the decision is due' })
  assert.equal(JSON.parse(second!).err.message, 'fetch failed: ECONNREFUSED')
  assert.match(JSON.parse(second!).err.stack, /log\.test\.ts/)
})

test('a process whose log has no reader any more ends', async () => {
  const program = `
    import { logTo } from ${JSON.stringify(import.meta.resolve('./log.ts'))}
    const log = logTo(1)
    log.info('first')
    process.stdin.once('data', () => {
      log.info('last')
      process.exit(0)
    })`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  child.stdout.destroy()
  await once(child.stdout, 'close')
  child.stdin.write('end')
  assert.deepEqual(await once(child, 'exit'), [0, null])
})

test('writes ISO times and names of levels, and leaves an outage of the store to its own line', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'ringfence-log-'))
  atEnd(t, () => rm(folder, { recursive: true }))
  const file = join(folder, 'service.log')
  const log = logTo(file)
  const outage = new StorageUnavailable('PostgreSQL: no answer in time', { reason: 'time' })
  log.warn({ err: outage }, 'activity could not be counted')
  log.warn({ err: new Error('another fault') }, 'activity could not be counted')
  log.child({}, { level: 'debug' }).warn({ err: outage }, 'shown at debug')
  await new Promise((flushed) => log.flush(flushed))
  const lines = (await readFile(file, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  assert.deepEqual(
    lines.map(({ level, msg }) => [level, msg]),
    [
      ['warn', 'activity could not be counted'],
      ['debug', 'shown at debug'],
    ],
  )
  const [{ time, version, err }] = lines
  assert.match(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  assert.equal(version, ringfenceVersion())
  assert.equal(err.message, 'another fault')
})
