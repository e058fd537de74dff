// Is docs/guides/tokens.md still correct? Runs its commands in order.

import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { sqliteDatabases } from '../../testing/databases.ts'
import { startTestService } from '../../testing/test-service.ts'

const guide = readFileSync(new URL('../../../../docs/guides/tokens.md', import.meta.url), 'utf8')
const skip = spawnSync('curl', ['--version']).status === 0 ? false : 'no curl on this machine'

test('the commands of docs/guides/tokens.md work in their order, and answer what it shows', { skip }, async (t) => {
  const { url, credentials } = await startTestService(t, await sqliteDatabases.open(t))
  const blocks = [...guide.matchAll(/```sh\n((?:TOKEN=|curl)[\s\S]*?)```(?:\n+```json\n([\s\S]*?)```)?/g)]
  assert.equal(blocks.length, 3)
  const env = {
    ...process.env,
    RINGFENCE_URL: url,
    RINGFENCE_CLIENT_ID: credentials.clientId,
    RINGFENCE_CLIENT_SECRET: credentials.clientSecret,
  }
  const script = blocks.map(([, command]) => command).join('echo; echo ----\n')
  const { stdout } = await promisify(execFile)('bash', ['-euc', `${script}\necho; echo $TOKEN`], { env })
  const token = stdout.trim().split('\n').at(-1)!
  assert.match(token, /^rft_[0-9A-Za-z]{52}$/)
  const [, verified, revoked] = stdout.replace(`\n${token}\n`, '').split('\n----\n')
  for (const [answer, [, , shown]] of [[verified, blocks[1]!] as const, [revoked, blocks[2]!] as const]) {
    assert.deepEqual(JSON.parse(answer!), JSON.parse(shown!.replace('rft_…', token)))
  }
})
