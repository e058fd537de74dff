// Does the path of install.md, production.md and backup.md work, from install to upgrade, with nothing but the tarball?

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { freePorts } from '@ringfence/server/testing/free-ports.ts'
import { assertFailed, commandLine } from '../../cli/src/testing.ts'
import { builtRelease, offline, source, userEnvironment } from './testing.ts'

const run = promisify(execFile)
const { version } = source
const newerVersion = '999.0.0'
const number = '31612345678'

const configuration = (operator: string) => `
connectors:
  acme:
    type: camara
    baseUrl: ${operator}
    sandbox: true
    token: { endpoint: ${operator}/token, clientId: bank, authentication: client_secret_basic, clientSecret: { env: ACME_SECRET } }
    simSwap: {}
operators:
  - { id: 204-08, name: ACME, connector: acme }
settings: { dataFolder: data, drainMs: 0 }
`

const portedNumbers = `# ringfence: ported-numbers 1
# source: nl
# calling-code: 31
# as-of: 2026-01-01
# contents: full
# complete: 316
number,operator,ported-on,action
${number},204-08,2024-03-01,port
# rows: 1
`

test('the first day: install, doctor, serve, a check, a token, backup, restore, rotation and upgrade', async (t) => {
  const operator = await operatorThatSays(t, { swapped: true })
  const cli = await commandLine(t, './installed/bin/ringfence')
  const { folder } = cli
  const install = async (file: string) => {
    const env = { ...userEnvironment(folder), npm_config_prefix: join(folder, 'installed') }
    await run('npm', ['install', '--global', `./${file}`, ...offline], { cwd: folder, env })
  }
  const [unused] = await freePorts(1)
  const env = {
    MASTER_KEY_FILE: join(folder, 'keys/master.key'),
    ACME_SECRET: 'secret',
    BACKUP_PASSPHRASE: 'a passphrase of the backup',
    PORT: String(unused), // whatever has the usual port on this machine is not examined
  }
  const ringfence = async (...words: string[]) => {
    const finished = await cli.run(words, { env })
    assert.equal(finished.code, 0, `${words.join(' ')}: ${finished.stderr}`)
    return finished.stdout
  }
  const json = async (...words: string[]) => JSON.parse(await ringfence(...words, '--json')) as Record<string, string>

  // Install, and what a start says before there is a store.
  const release = await builtRelease()
  await writeFile(join(folder, 'release.tgz'), release.get(`ringfence-${version}.tgz`)!)
  await install('release.tgz')
  assert.equal(await ringfence('--version'), `${version}\n`)
  await writeFile(join(folder, 'ringfence.yaml'), configuration(operator))
  const tooEarly = await cli.run(['doctor'], { env })
  assert.match(tooEarly.stdout, /BROKEN +store +data has no store\n.*ringfence init\n/)
  assert.equal(tooEarly.code, 1)
  assertFailed(await cli.run(['serve', '--port', '0'], { env }), /data has no data: .* ringfence init/)

  // The first start.
  const first = await json('init')
  assert.match(await ringfence('doctor'), /ok +master key +opens the store.*\n0 broken/s)
  const server = await cli.serve([], { env, create: false })
  const whileRunning = await cli.run(['doctor'], { env: { ...env, PORT: new URL(server.url).port } })
  assert.match(whileRunning.stdout, /ok +service +runs at .* and is ready/)
  await writeFile(join(folder, 'nl.csv'), portedNumbers)
  await ringfence('numbers', 'import', 'nl.csv')
  const shop = await json('clients', 'create', '--tenant', first.tenant!, '--name', 'shop')
  await ringfence('apps', 'create', '--tenant', first.tenant!, '--name', 'web', '--origin', 'https://shop.example')

  // The first check and the first token.
  const answersOf = (url: string, client = shop) => ({
    async swapped() {
      const body = await post(`${url}/v1/telecom/sim-swap-check`, client, { phoneNumber: number, maxAge: 72 })
      return body.swapped
    },
    async userOf(token: unknown) {
      return (await post(`${url}/auth/v1/validate/token`, client, { token })).userId
    },
  })
  assert.equal(await answersOf(server.url).swapped(), true)
  const { token } = await post(`${server.url}/auth/v1/tokens`, shop, {
    userId: 'customer-4711',
    identities: [
      {
        identityType: 'EMAIL',
        identityValue: 'a@example.com',
        channel: 'OTP',
        methods: ['EMAIL'],
        verified: true,
        verifiedAt: '2026-01-01T00:00:00Z',
      },
    ],
  })

  // Backup of the running service; a restore serves the same clients.
  assert.match(await ringfence('backup', 'monday.age'), /verified by restoring/)
  await ringfence('restore', 'monday.age', '--data', 'restored')
  const restored = await cli.serve(['--data', 'restored'], { env, create: false })
  for (const client of [shop, first]) assert.equal(await answersOf(restored.url, client).swapped(), true)
  assert.equal(await answersOf(restored.url).userOf(token), 'customer-4711')
  assert.equal((await restored.stop('SIGTERM')).code, 0)
  assertFailed(await cli.run(['restore', 'monday.age'], { env }), /data is not empty .*--data DIR/)

  // Rotation of every kind, without a restart.
  const { keyId } = await json('keys', 'rotate', 'signing')
  assert.match(await ringfence('keys', 'list'), new RegExp(keyId!))
  await ringfence('keys', 'rotate', 'tenant')
  const { before, after, previousIn } = await json('keys', 'rotate', 'master')
  assert.equal(previousIn, `${env.MASTER_KEY_FILE}.previous-${before}`)
  assert.match(
    await ringfence('keys', 'status'),
    new RegExp(`^Master key ${after}, .*\\nmain +1 +2 +servers learn`, 's'),
  )
  assert.equal(await answersOf(server.url).userOf(token), 'customer-4711')

  // The backup from before the rotation needs the key of its time, until its store takes the new one.
  await ringfence('restore', 'monday.age', '--data', 'monday')
  const away = join(folder, 'previous.key')
  await rename(previousIn!, away)
  const withoutKey = await cli.run(['doctor', '--data', 'monday'], { env })
  assert.match(withoutKey.stdout, new RegExp(`BROKEN +master key +the master key of this store is ${before}`))
  await rename(away, previousIn!)
  await ringfence('keys', 'rotate', 'master', '--data', 'monday')
  await rm(previousIn!)
  const monday = await cli.serve(['--data', 'monday'], { env, create: false })
  assert.equal(await answersOf(monday.url).userOf(token), 'customer-4711')
  assert.equal((await monday.stop('SIGTERM')).code, 0)

  // Upgrade: the running server goes on until it stops; the next one has the new version and the same data.
  await install(await newerRelease(folder))
  assert.equal(await ringfence('--version'), `${newerVersion}\n`)
  assert.equal(await answersOf(server.url).userOf(token), 'customer-4711')
  const stopped = await server.stop('SIGTERM')
  assert.equal(stopped.code, 0)
  assert.match(stopped.stderr, /"msg":"stopped"\}\n$/)
  const upgraded = await cli.serve([], { env, create: false })
  assert.equal(await answersOf(upgraded.url).userOf(token), 'customer-4711')
  assert.equal(await answersOf(upgraded.url).swapped(), true)
  assert.equal((await upgraded.stop('SIGINT')).code, 0)
  assert.match(await ringfence('doctor'), /\n0 broken/)
})

type Client = Readonly<Record<string, string>>

async function post(url: string, { clientId, clientSecret }: Client, body: object): Promise<Record<string, unknown>> {
  const headers = { 'content-type': 'application/json', clientId: clientId!, clientSecret: clientSecret! }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  assert.ok(response.ok, `${url}: ${response.status}`)
  return (await response.json()) as Record<string, unknown>
}

/** A mobile operator that gives every call this answer, and a token to whoever wants one. */
async function operatorThatSays(t: TestContext, answer: object): Promise<string> {
  const token = { access_token: 'token', token_type: 'Bearer', expires_in: 3600 }
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json')
    request.resume().on('end', () => response.end(JSON.stringify(request.url === '/token' ? token : answer)))
  }).listen(0, '127.0.0.1')
  t.after(() => server.close().closeAllConnections())
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** The tarball of the folder once more, as a newer version. Resolves with its name. */
async function newerRelease(folder: string): Promise<string> {
  const at = join(folder, 'newer')
  await mkdir(at)
  await run('tar', ['xzf', '../release.tgz'], { cwd: at })
  const [home = ''] = await readdir(at)
  const changed = ['package.json', 'cli/package.json'].map((name) => join(at, home, name))
  await run('sed', ['-i', `s/"version": "[^"]*"/"version": "${newerVersion}"/`, ...changed])
  await run('tar', ['cf', 'newer.tgz', '--use-compress-program=gzip -1', '-C', 'newer', home], { cwd: folder })
  return 'newer.tgz'
}
