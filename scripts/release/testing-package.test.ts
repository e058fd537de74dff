// Can a backend be tested with nothing but the tarballs of a release?

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { builtRelease, offline, source, userEnvironment } from './testing.ts'

const run = promisify(execFile)

const suite = `
const assert = require('node:assert/strict')
const { after, before, test } = require('node:test')
const { Ringfence } = require('@ringfence/node')
const { start } = require('@ringfence/testing')

let ringfence
before(async () => (ringfence = await start({ startTimeoutMs: 120_000 })))
after(() => ringfence.stop())

test('a customer signs up', async () => {
  const { url: baseUrl, clientId, clientSecret, page } = await ringfence.tenant()
  const backend = new Ringfence({ baseUrl, clientId, clientSecret, timeoutMs: 60_000, attemptTimeoutMs: 60_000 })
  const { token, dfrId } = await page().signIn('917020141726')
  const { action, missing } = await backend.decide({ action: 'SIGNUP', userId: 'customer-1', token, dfrId })
  assert.deepEqual([action, missing], ['ALLOW', []])
})

test('a thief with a copy of her browser, behind Tor, meets a rule of the tenant', async () => {
  const rules = "rules: [{ id: tor, name: Tor, when: proxy, action: BLOCK, score: 90 }]"
  const { url: baseUrl, clientId, clientSecret, page } = await ringfence.tenant({ rules })
  const backend = new Ringfence({ baseUrl, clientId, clientSecret, timeoutMs: 60_000, attemptTimeoutMs: 60_000 })
  const own = await page({ device: 'laptop' }).report()
  const stolen = await page({ copyOf: 'laptop', address: ringfence.addresses.tor }).report()
  const decide = ({ dfrId }) => backend.decide({ action: 'PAYMENT', userId: 'customer-1', dfrId })
  assert.notEqual((await decide(own)).action, 'BLOCK')
  assert.equal((await decide(stolen)).rules.decisive, 'tor')
})
`

test('the packages of a release, installed in an empty folder, run the tests of a backend', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'ringfence-backend-'))
  t.after(() => rm(folder, { recursive: true }))
  const env = userEnvironment(folder)
  const names = ['ringfence', 'ringfence-node', 'ringfence-testing'].map((name) => `${name}-${source.version}.tgz`)
  const files = await builtRelease()
  for (const name of names) await writeFile(join(folder, name), files.get(name)!)
  await writeFile(join(folder, 'package.json'), '{ "private": true }')
  await run('npm', ['install', ...names.map((name) => `./${name}`), ...offline], { cwd: folder, env })
  await writeFile(join(folder, 'sign-up.test.js'), suite)
  const { stdout } = await run(process.execPath, ['--test', '--test-reporter=tap'], { cwd: folder, env })
  assert.match(stdout, /# pass 2\n# fail 0/)
})
