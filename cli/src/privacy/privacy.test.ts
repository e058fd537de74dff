import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { eachDatabase } from '@ringfence/server/testing/databases.ts'
import { assertFailed, commandLine } from '../testing.ts'

eachDatabase(({ engine, place }) => {
  test(`exports, erases, and verifies the receipt (${engine})`, async (t) => {
    const env: Record<string, string> = engine === 'postgres' ? { DATABASE_URL: await place(t) } : {}
    const command = await commandLine(t)
    const run = (words: string[]) => command.run(words, { env })
    await run(['init', '--tenant', 'shop'])
    await run(['lists', 'create', 'mules', '--kind', 'phoneNumber', '--purpose', 'block'])
    await run(['lists', 'add', 'mules', '917020141726'])
    const subject = ['--kind', 'phoneNumber', '917020141726']
    const exported = (await run(['privacy', 'export', ...subject])).stdout.trim().split('\n')
    assert.deepEqual(
      exported.map((line) => JSON.parse(line)).map(({ kind, record }) => [kind, record.value]),
      [['listEntry', '917020141726']],
    )
    assertFailed(await run(['privacy', 'erase', ...subject]), /--reason/, 2)
    assertFailed(await run(['privacy', 'export', '--kind', 'email', 'asha']), /must be an email address/)

    const { stdout } = await run(['privacy', 'erase', ...subject, '--reason', 'Ticket 4711', '--remove-list-entries'])
    const receipt = JSON.parse(stdout)
    assert.deepEqual([receipt.erased, receipt.kept], [{ listEntry: 1 }, {}])
    assert.equal((await run(['privacy', 'export', ...subject])).stdout, '')
    const folder = await mkdtemp(join(tmpdir(), 'ringfence-receipt-'))
    t.after(() => rm(folder, { recursive: true }))
    const file = join(folder, 'receipt.json')
    await writeFile(file, stdout)
    const genuine = await run(['privacy', 'verify-receipt', file, '--value', '917020141726'])
    assert.match(genuine.stdout, /^The receipt is genuine/)
    assert.match(
      (await run(['privacy', 'verify-receipt', file, '--public-key', receipt.publicKey])).stdout,
      /^The receipt is genuine/,
    )
    assertFailed(await run(['privacy', 'verify-receipt', file, '--value', '917020142848']), /about another phoneNumber/)
    await writeFile(file, (await readFile(file, 'utf8')).replace('"listEntry": 1', '"listEntry": 2'))
    assertFailed(await run(['privacy', 'verify-receipt', file]), /was changed/)
    assert.match((await run(['privacy', 'receipts'])).stdout, /phoneNumber +1 /)
  })
})
