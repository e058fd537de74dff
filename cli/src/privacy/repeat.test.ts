import assert from 'node:assert/strict'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { env, issued } from '../backup/testing.ts'
import { assertFailed, commandLine } from '../testing.ts'

test('who was erased after a backup is erased again after its restore', async (t) => {
  const cli = await commandLine(t)
  const { folder, run, serve } = cli
  const credentials = await issued(cli)
  const service = await serve([])
  const decided = await fetch(`${service.url}/v1/decisions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...credentials },
    body: JSON.stringify({ action: 'LOGIN', userId: 'asha-1001', phoneNumber: '917020141726' }),
  })
  assert.equal(decided.status, 200)
  assert.equal((await run(['backup', 'a.age'], { env })).stderr, '')
  const subject = ['--kind', 'phoneNumber', '917020141726']
  assert.equal((await run(['privacy', 'erase', ...subject, '--reason', 'Ticket 4711'])).code, 0)
  assert.match((await run(['privacy', 'repeat'])).stdout, /^0 erased again, 0 of which nothing was restored, 1 known/)
  await service.stop('SIGTERM')

  const restored = await run(['restore', 'a.age', '--data', 'again'], { env })
  assert.match(restored.stdout, /copy erasures\.ndjson of the server that it replaces/)
  const again = ['--data', 'again']
  assert.match((await run(['privacy', 'export', ...subject, ...again])).stdout, /917020141726/)
  assert.match((await run(['privacy', 'repeat', ...again])).stdout, /no erasure is noted/)
  const ledger = join(folder, 'ringfence-data', 'erasures.ndjson')
  await copyFile(ledger, join(folder, 'again', 'erasures.ndjson'))
  const warned = await serve([...again], { create: false })
  await warned.stop('SIGTERM')
  assert.match(warned.stderr, /run npx ringfence privacy repeat/)
  assert.match((await run(['privacy', 'repeat', ...again])).stdout, /^1 erased again, 0 of which/)
  assert.equal((await run(['privacy', 'export', ...subject, ...again])).stdout, '')
  assert.match((await run(['privacy', 'repeat', '--ledger', ledger, ...again])).stdout, /^0 erased again/)
  assertFailed(await run(['privacy', 'repeat', '--ledger', folder, ...again]), /cannot be read/)
})
