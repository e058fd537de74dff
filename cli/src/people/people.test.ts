import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eachDatabase } from '@ringfence/server/testing/databases.ts'
import { assertFailed, commandLine } from '../testing.ts'

eachDatabase(({ engine, place }) => {
  test(`prints a one-time link, and lists, verifies and exports the audit log (${engine})`, async (t) => {
    const env: Record<string, string> = engine === 'postgres' ? { DATABASE_URL: await place(t) } : {}
    const command = await commandLine(t)
    const run = (words: string[]) => command.run(words, { env })
    await run(['init', '--tenant', 'shop'])
    assertFailed(await run(['people', 'invite', '--role', 'king']), /Allowed choices are owner, admin/, 2)
    const { stdout } = await run(['people', 'invite', '--role', 'owner', '--json'])
    const { url, role, tenant } = JSON.parse(stdout)
    assert.deepEqual([role, tenant], ['owner', 'shop'])
    assert.match(url, /^http:\/\/localhost:\d+\/console\/welcome#rfl_[0-9a-f]{48}$/)
    assert.match(
      (await run(['people', 'invite', '--role', 'viewer', '--email', 'a@b.example'])).stdout,
      /viewer of tenant shop/,
    )

    const [, oldest] = JSON.parse((await run(['audit', 'list', '--json'])).stdout)
    assert.deepEqual([oldest.number, oldest.action, oldest.details.given], [1, 'invite', 'owner'])
    assert.match((await run(['audit', 'list', '--action', 'signIn'])).stdout, /no line/)
    assert.match((await run(['audit', 'verify'])).stdout, /^The audit log is intact: 2 lines, head [0-9a-f]{64}\./)
    const exported = (await run(['audit', 'export'])).stdout.trim().split('\n')
    assert.deepEqual(
      exported.map((line) => JSON.parse(line).number),
      [1, 2],
    )
    assertFailed(await run(['people', 'reset', '--email', 'a@b.example']), /nobody with this email address/)
    for (const line of exported) assert.equal(line.includes('rfl_'), false, 'the log contains no link')
  })
})
