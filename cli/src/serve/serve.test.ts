import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { postgresDatabases } from '@ringfence/server/testing/databases.ts'
import { until } from '@ringfence/server/testing/until.ts'
import { assertFailed, commandLine } from '../testing.ts'

/** The commands of the welcome text: the indented lines, without the table of facts. */
const commandsOf = (stdout: string) => stdout.slice(stdout.indexOf('  export ')).match(/^ {2}.*\n/gm) ?? []

interface SwapAnswer {
  success: boolean
  swapped: boolean
  phoneDetail: { countryCode: string }
}

/** Pastes the export lines and the curl command into a shell. Where the machine has no curl, sends the same call. */
async function pasteCurl(stdout: string): Promise<SwapAnswer> {
  const commands = commandsOf(stdout)
  const indexOf = (command: string) => commands.findIndex((line) => line.startsWith(`  ${command} `))
  const curl = commands.slice(indexOf('curl'), indexOf('npx'))
  const pasted = [...commands.slice(indexOf('export'), indexOf('curl')), ...curl].join('')
  const hasCurl = spawnSync('curl', ['--version']).status === 0
  if (hasCurl) return JSON.parse((await promisify(execFile)('sh', ['-c', pasted])).stdout)
  const values = Object.fromEntries(
    [...pasted.matchAll(/(RINGFENCE_\w+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value]),
  )
  const text = curl.join('').replaceAll(/\$(\w+)/g, (_, name) => values[name] ?? '')
  const [, url = ''] = /curl -s "(\S+)"/.exec(text) ?? []
  const [, body = ''] = /-d '(.*)'/.exec(text) ?? []
  const headers = [...text.matchAll(/-H ['"](.*?): (.*?)['"]/g)].map(([, name = '', value = '']): [string, string] => [
    name,
    value,
  ])
  return (await fetch(url, { method: 'POST', headers, body })).json() as Promise<SwapAnswer>
}

const exported = (stdout: string, name: string) => new RegExp(` ${name}=(\\S+)`).exec(stdout)?.[1]

test('--sandbox prints export lines and commands that work when pasted, and reuses the credentials at the next start', async (t) => {
  const { folder, run, serve } = await commandLine(t)
  const first = await serve(['--sandbox'])
  const { success, swapped, phoneDetail } = await pasteCurl(first.stdout)
  assert.deepEqual([success, swapped, phoneDetail.countryCode], [true, true, '61'])
  const commands = commandsOf(first.stdout)
  const check = commands.find((line) => line.startsWith('  npx ringfence '))?.trim() ?? ''
  const variables = ['RINGFENCE_URL', 'RINGFENCE_CLIENT_ID', 'RINGFENCE_CLIENT_SECRET', 'RINGFENCE_APP_ID']
  const env = Object.fromEntries(variables.map((name) => [name, exported(first.stdout, name) ?? '']))
  const checked = await run(check.split(' ').slice(2), { env })
  assert.equal(checked.code, 0, checked.stderr)
  assert.match(checked.stdout, /SIM swap +swapped/)
  assert.equal(commands.at(-1), '  npm run example\n')
  const lines = first.stdout.split('\n')
  assert.ok(lines.length <= 33 && lines.every((line) => line.length <= 110), 'the text fits on one screen')

  const [, docs = ''] = /API reference +(\S+)/.exec(first.stdout) ?? []
  assert.equal((await fetch(docs)).status, 200)
  const [, callsUrl = ''] = /Operator calls +(\S+)/.exec(first.stdout) ?? []
  const { calls } = (await (await fetch(callsUrl)).json()) as { calls: { path: string }[] }
  const paths = calls.map(({ path }) => path)
  assert.ok(paths.includes('/oauth2/token') && paths.includes('/sim-swap/v2/retrieve-date'), String(paths))

  const file = join(folder, 'ringfence-data', 'sandbox-credentials.json')
  const stored = JSON.parse(await readFile(file, 'utf8'))
  assert.equal((await stat(file)).mode & 0o777, 0o600)
  assert.deepEqual(stored, { clientId: env.RINGFENCE_CLIENT_ID, clientSecret: env.RINGFENCE_CLIENT_SECRET })
  const { code, stderr } = await first.stop('SIGTERM')
  assert.equal(code, 0)
  assert.equal(stderr, '', 'the log has no warning, and no line for each request between the messages')

  const second = await serve(['--sandbox', '--log-level', 'info'])
  const [before, now] = [first, second].map(({ stdout }) => /Console +(\S+)#(rfl_[0-9a-f]{48})\n/.exec(stdout)!)
  assert.match(now![1]!, /^http:\/\/localhost:\d+\/console\/welcome$/)
  const opened = async (link: string) =>
    (
      await fetch(`${second.url}/admin/v1/invitations/open`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ link }),
      })
    ).status
  assert.deepEqual([await opened(now![2]!), await opened(before![2]!)], [200, 404], 'the link of the start before ends')
  for (const name of variables.slice(1)) assert.equal(exported(second.stdout, name), env[name], name)
  assert.equal((await pasteCurl(second.stdout)).success, true)
  const last = await second.stop('SIGINT')
  assert.equal(last.code, 0)
  assert.match(last.stderr, /"listening".*"\/v1\/telecom\/sim-swap-check".*"stopping"/s, '--log-level shows all lines')
  assert.ok(
    !last.stderr.includes(env.RINGFENCE_CLIENT_SECRET ?? '') && !last.stderr.includes('61491570110'),
    'no secret and no number in the log',
  )
})

test('with --sandbox, every call of the CAMARA API and the dates of changes are there without configuration', async (t) => {
  const { serve } = await commandLine(t)
  const { stdout } = await serve(['--sandbox'])
  const [url, id, secret] = ['RINGFENCE_URL', 'RINGFENCE_CLIENT_ID', 'RINGFENCE_CLIENT_SECRET'].map((name) =>
    exported(stdout, name),
  )
  // biome-ignore lint/suspicious/noExplicitAny: a test reads the fields that it expects
  const post = async (path: string, body: string | URLSearchParams, headers: Record<string, string>): Promise<any> =>
    (await fetch(url + path, { method: 'POST', headers, body })).json()
  const scope = 'sim-swap device-swap call-forwarding-signal'
  const form = new URLSearchParams({ grant_type: 'client_credentials', scope })
  const authorization = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`
  const { access_token: token } = await post('/camara/oauth2/token', form, { authorization })
  const json = { 'content-type': 'application/json' }
  const number = JSON.stringify({ phoneNumber: '+917020140156' })
  const ask = (path: string) => post(path, number, { ...json, authorization: `Bearer ${token}` })
  assert.match((await ask('/sim-swap/v2/retrieve-date')).latestSimChange, /^20/)
  assert.match((await ask('/device-swap/v1/retrieve-date')).latestDeviceChange, /^20/)
  assert.deepEqual(await ask('/call-forwarding-signal/v0.4/call-forwardings'), ['unconditional'])
  const asked = JSON.stringify({ phoneNumber: '917020140156', checks: { simSwap: {} } })
  const own = await post('/v1/telecom/checks', asked, { ...json, clientId: id!, clientSecret: secret! })
  assert.equal(own.checks.simSwap.ageBand, 'WITHIN_1_DAY')
})

test('--sandbox adds to a ringfence.yaml, and says what the file configures', async (t) => {
  const { serve, folder } = await commandLine(t)
  assert.match(
    (await serve(['--sandbox'])).stdout,
    /Configuration +no file \(there is no ringfence\.yaml in this folder\)/,
  )
  await writeFile(
    join(folder, 'ringfence.yaml'),
    'settings: { port: 1, drainMs: 0 }\noperators: [{ id: 404-45, name: AIRTEL }]\nchannels: { mail: { type: outbox, recipient: EMAIL } }\n',
  )
  const { stdout } = await serve(['--sandbox', '--data', 'another'])
  assert.match(stdout, /Configuration +ringfence\.yaml \(settings drainMs; channels mail; operators AIRTEL\)\n/)
  assert.equal((await pasteCurl(stdout)).swapped, true)
  assert.doesNotMatch(stdout, /npm run example/, 'no channel sends codes to phone numbers')
})

test('warns when the sandbox reaches configured operators, when others reach the sandbox, and when its credentials outlive it', async (t) => {
  const { serve, folder } = await commandLine(t)
  await writeFile(join(folder, 'ringfence.yaml'), 'operators: [{ id: 404-45, name: AIRTEL }]\n')
  const warningsOf = async (args: string[]) => {
    const service = await serve(args, { env: { LOG_LEVEL: 'warn', BASE_URL: 'https://ringfence.example' } })
    return (await service.stop('SIGTERM')).stderr
  }
  assert.match(await warningsOf(['--sandbox']), /AIRTEL.*also call the operators of the configuration/)
  assert.match(await warningsOf(['--sandbox', '--host', '0.0.0.0']), /other machines can reach this sandbox/)
  assert.match(
    await warningsOf([]),
    /credentials of the sandbox are still valid: run npx ringfence clients revoke rfc_/,
  )
  assert.doesNotMatch(await warningsOf(['--data', 'another']), /sandbox are still valid/)
})

test('warns of an identity provider that is authoritative for nothing, until the operator says so', async (t) => {
  const { serve, folder } = await commandLine(t)
  const warnings = async (more: object) => {
    const google = { type: 'oidc', issuer: 'https://accounts.example', clientId: 'c', method: 'GOOGLE', ...more }
    await writeFile(join(folder, 'ringfence.yaml'), JSON.stringify({ channels: { google } }))
    return (await (await serve([], { env: { LOG_LEVEL: 'warn' } })).stop('SIGTERM')).stderr
  }
  assert.match(await warnings({}), /google.*authoritative for no email address or phone number.*authoritativeFor: \{\}/)
  for (const authoritativeFor of [{}, { emailDomains: ['shop.example'] }])
    assert.doesNotMatch(await warnings({ authoritativeFor }), /authoritative/)
})

test('without --sandbox, serve prints one line, and adds neither a tenant nor operators; the log is JSON on stderr', async (t) => {
  const { folder, run, serve } = await commandLine(t)
  const service = await serve([], { env: { LOG_LEVEL: 'info' } })
  assert.equal(service.stdout, `Ringfence listens at ${service.url}\n`)
  const { stdout } = await run(['clients', 'list', '--json', '--data', join(folder, 'ringfence-data')])
  assert.deepEqual(JSON.parse(stdout), [])
  const { code, stderr } = await service.stop('SIGTERM')
  assert.equal(code, 0)
  const messages = stderr
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).msg)
  assert.deepEqual(messages.toSpliced(1, 2), ['listening', 'stopping', 'stopped'])
  assert.match(messages[1], /no operators are configured.*--config FILE.*--sandbox/)
  assert.match(messages[2], /ringfence people invite --role owner/)
})

test('a start with routes and without operators does not say that checks fail', async (t) => {
  const { folder, serve } = await commandLine(t)
  const text = JSON.stringify({
    connectors: { hub: { type: 'telnyx', baseUrl: 'https://vendor.example', apiKey: { env: 'SECRET' } } },
    routing: { otherwise: [{ connector: 'hub' }] },
  })
  await writeFile(join(folder, 'ringfence.yaml'), text)
  const service = await serve([], { env: { LOG_LEVEL: 'info', SECRET: 's' } })
  const { stderr } = await service.stop('SIGTERM')
  assert.match(stderr, /"stopped"/)
  assert.doesNotMatch(stderr, /no operators are configured/)
})

test('goes on when the disk of the audit log is full, says so, and still stops', async (t) => {
  const { serve } = await commandLine(t)
  const service = await serve([], { env: { AUDIT_LOG: '/dev/full' } })
  const headers = { clientId: 'nobody', clientSecret: 'wrong', 'content-type': 'application/json' }
  const guess = () => fetch(`${service.url}/auth/v1/tokens`, { method: 'POST', headers, body: '{}' })
  assert.equal((await guess()).status, 401)
  await until(
    async () => service.stderr,
    (log) => log.includes('cannot write audit lines'),
  )
  assert.equal((await guess()).status, 401)
  const { code, stderr } = await service.stop('SIGTERM')
  assert.equal(code, 0)
  assert.ok((stderr.match(/cannot write audit lines/g)?.length ?? 0) <= 2, 'once a minute')
})

test('warns when the service listens on all IP addresses and has no public URL', async (t) => {
  const { serve } = await commandLine(t)
  const log = async (env: Record<string, string>) => {
    const service = await serve(['--host', '0.0.0.0'], { env: { LOG_LEVEL: 'warn', ...env } })
    return (await service.stop('SIGTERM')).stderr
  }
  assert.match(await log({}), /Set BASE_URL, or AUTH_URL, to the public URL/)
  assert.doesNotMatch(await log({ BASE_URL: 'https://ringfence.example' }), /Set BASE_URL/)
})

test('--sandbox replaces credentials that were revoked', async (t) => {
  const { folder, run, serve } = await commandLine(t)
  const first = await serve(['--sandbox'])
  const clientId = exported(first.stdout, 'RINGFENCE_CLIENT_ID') ?? ''
  assert.equal((await run(['clients', 'revoke', clientId])).code, 0)
  await first.stop('SIGTERM')
  await serve(['--sandbox'])
  const stored = JSON.parse(await readFile(join(folder, 'ringfence-data', 'sandbox-credentials.json'), 'utf8'))
  assert.notEqual(stored.clientId, clientId)
  const clients = JSON.parse((await run(['clients', 'list', '--tenant', 'sandbox', '--json'])).stdout)
  assert.equal(clients.length, 2, 'both clients belong to the same tenant')
})

test('drains when a Ctrl-C arrives twice at once, and exits at once on a later signal', async (t) => {
  const { serve } = await commandLine(t)
  const service = await serve([], { env: { DRAIN_MS: '600000' } })
  // Two signals of the same kind could reach the process as one.
  service.signal('SIGINT')
  service.signal('SIGTERM')
  const ready = async () => (await fetch(`${service.url}/ready`)).status
  await until(ready, (status) => status === 503)
  const repeated = setInterval(() => service.signal('SIGTERM'), 50)
  t.after(() => clearInterval(repeated))
  const { code } = await service.stop('SIGTERM')
  assert.equal(code, 128 + 15)
})

test('says what to do when a port is taken', async (t) => {
  const { run } = await commandLine(t)
  const listener = createServer().listen(0, '127.0.0.1')
  t.after(() => listener.close())
  await once(listener, 'listening')
  const port = String((listener.address() as AddressInfo).port)
  const [service, sandbox] = await Promise.all([
    run(['serve', '--create'], { env: { PORT: port } }),
    run(['serve', '--data', 'other', '--port', '0', '--sandbox-port', port]),
  ])
  assertFailed(service, new RegExp(`port ${port} on 127.0.0.1 is taken: .* another port with --port N or PORT=N`))
  assertFailed(sandbox, new RegExp(`port ${port} on 127.0.0.1 is taken: .* --sandbox-port N`))
})

test('names the key and its source when the configuration is wrong', async (t) => {
  const { folder, run } = await commandLine(t)
  const serve = async (name: string, text: string, ...more: string[]) => {
    await writeFile(join(folder, name), text)
    return run(['serve', '--create', '--port', '0', '--data', `${name}-data`, '--config', name, ...more])
  }
  await writeFile(join(folder, 'good.yaml'), 'settings: { drainMs: 0 }')
  const [unknownKey, unknownKind, notYaml, clash, operatorClash, absent, variable, inFile] = await Promise.all([
    serve('a.yaml', 'settings: { prot: 8080 }'),
    serve('b.yaml', 'connectors: { acme: { type: pigeon } }'),
    serve('c.yaml', 'settings: {\n'),
    serve('d.yaml', 'connectors: { sandbox: { type: camara } }', '--sandbox'),
    serve('e.yaml', 'operators: [{ id: 001-02, name: MINE }]', '--sandbox'),
    run(['serve'], { env: { CONFIG_FILE: 'nowhere.yaml' } }),
    run(['serve', '--create', '--port', '0', '--config', 'good.yaml'], { env: { TRUSTED_PROXIES: '0.0.0.0/0' } }),
    serve('f.yaml', 'settings: { trustedProxies: 0.0.0.0/0 }'),
  ])
  assertFailed(unknownKey, /a\.yaml:1:13: settings\.prot is not a known key; did you mean port\?/)
  assertFailed(unknownKind, /^ringfence: b\.yaml:1:23: connectors\.acme\.type is pigeon; use one of camara/)
  assertFailed(notYaml, /c\.yaml is not valid YAML: .* at line \d+, column \d+/)
  assertFailed(clash, /d\.yaml:1:15: connectors\.sandbox has the name .* rename yours, or start without --sandbox/)
  assertFailed(
    operatorClash,
    /e\.yaml:1:1: operators: 001-02 MINE clashes with 001-02 SANDBOX_SOUTH.* without --sandbox/,
  )
  assertFailed(variable, /^ringfence: TRUSTED_PROXIES: /)
  assertFailed(inFile, /^ringfence: f\.yaml:1:13: settings\.trustedProxies: /)
  assertFailed(absent, /nowhere\.yaml cannot be read/)
})

test('says what to do when the store cannot be opened', async (t) => {
  const { folder, run } = await commandLine(t)
  await writeFile(join(folder, 'file'), '')
  const otherKey = Buffer.alloc(32, 7).toString('base64')
  await run(['init'])
  const [folderInFile, badKey, wrongKey, noServer] = await Promise.all([
    run(['serve', '--create', '--port', '0', '--data', 'file/data']),
    run(['serve', '--port', '0'], { env: { MASTER_KEY: 'short' } }),
    run(['serve', '--port', '0', '--log-level', 'silent'], { env: { MASTER_KEY: otherKey } }),
    run(['serve', '--port', '0'], { env: { DATABASE_URL: 'postgres://127.0.0.1:1/ringfence' } }),
  ])
  assertFailed(folderInFile, /Cannot open file\/data\/ringfence\.sqlite: .*; choose a folder .*--data DIR/)
  assertFailed(badKey, /^ringfence: MASTER_KEY must be 32 bytes in base64: Key that protects/)
  assertFailed(
    wrongKey,
    /the master key of this store is [0-9a-f]{16}, and this is another one \(MASTER_KEY: [0-9a-f]{16}\)/,
  )
  assertFailed(noServer, /PostgreSQL: .*ECONNREFUSED.*; check .*--database URL or DATABASE_URL/)
})

test('refuses to serve from a folder or database that init did not create, and creates nothing there', async (t) => {
  const { folder, run, serve } = await commandLine(t)
  const database = await postgresDatabases.place(t)
  const [typo, empty] = await Promise.all([
    run(['serve', '--port', '0', '--data', 'ringfense-data']),
    run(['serve', '--port', '0'], { env: { DATABASE_URL: database } }),
  ])
  assertFailed(
    typo,
    /ringfense-data has no data: .*--data DIR, or create one with npx ringfence init, or start with --create/,
  )
  assertFailed(empty, /the database has no tables of Ringfence: .*DATABASE_URL, or create them with npx ringfence init/)
  assert.deepEqual(await readdir(folder), [])
  const env = { DATABASE_URL: database }
  assert.equal((await run(['init'], { env })).code, 0)
  await (await serve([], { env, create: false })).stop('SIGTERM')
})

test('serve --sandbox with PostgreSQL and a master key from the environment needs no data folder', async (t) => {
  const { folder, serve } = await commandLine(t)
  const env = { DATABASE_URL: await postgresDatabases.place(t), MASTER_KEY: Buffer.alloc(32, 7).toString('base64') }
  const data = ['--data', 'none/yet']
  const service = await serve(['--sandbox', '--no-demo', ...data], { env, create: false })
  assert.equal((await stat(join(folder, 'none/yet/sandbox-credentials.json'))).mode & 0o777, 0o600)
  assert.match(service.stdout, /DATA_FOLDER=\/\S+\/none\/yet/, 'the commands in another terminal find it too')
  assert.equal((await service.stop('SIGTERM')).code, 0)
})

test('prefers options to environment variables, and those to the ringfence.yaml of the working folder', async (t) => {
  const { folder, serve } = await commandLine(t)
  await writeFile(join(folder, 'ringfence.yaml'), 'settings: { dataFolder: from-file, drainMs: 0, logLevel: fatal }\n')
  const service = await serve(['--log-level', 'info'], { env: { DATA_FOLDER: 'from-environment', LOG_LEVEL: 'error' } })
  assert.ok((await stat(join(folder, 'from-environment', 'ringfence.sqlite'))).isFile())
  await until(
    async () => service.stderr,
    (log) => log.includes('"listening"'),
  )
})

test('exits with 2 and names the option when the command line is wrong', async (t) => {
  const { run } = await commandLine(t)
  const [port, unknown, database] = await Promise.all([
    run(['serve', '--port', '99999']),
    run(['serv']),
    run(['serve', '--database', 'mysql://x']),
  ])
  assertFailed(port, /--port <number>.*whole number from 0 to 65535/, 2)
  assert.match(unknown.stderr, /unknown command 'serv'\n\(Did you mean serve\?\)/)
  assert.equal(unknown.code, 2)
  assertFailed(database, /--database <url>.*must begin with postgres/, 2)
})

test('refuses help for an unknown command, and suggests the nearest one', async (t) => {
  const { run } = await commandLine(t)
  const [help, option, group, groupOption, known] = await Promise.all([
    run(['help', 'chek']),
    run(['chek', '--help']),
    run(['rules', 'help', 'tset']),
    run(['rules', 'tset', '--help']),
    run(['help', 'rules', 'test']),
  ])
  for (const [{ code, stdout, stderr }, text] of [
    [help, "ringfence: unknown command 'chek'\n(Did you mean check?)\n"],
    [option, "ringfence: unknown command 'chek'\n(Did you mean check?)\n"],
    [group, "ringfence: unknown command 'tset'\n(Did you mean test?)\n"],
    [groupOption, "ringfence: unknown command 'tset'\n(Did you mean test?)\n"],
  ] as const) {
    assert.deepEqual([code, stdout, stderr], [2, '', text])
  }
  assert.equal(known.code, 0)
  assert.match(known.stdout, /^Usage: ringfence rules /)
})

test('names the help of the command when an argument or an option is missing', async (t) => {
  const { run } = await commandLine(t)
  const [argument, option, value] = await Promise.all([
    run(['check']),
    run(['apps', 'create', '--tenant', 'shop']),
    run(['serve', '--port']),
  ])
  assertFailed(argument, /^ringfence: missing required argument 'number'; see npx ringfence check --help\n$/, 2)
  assertFailed(option, /required option '--name <name>' not specified; see npx ringfence apps create --help\n$/, 2)
  assertFailed(value, /option '--port <number>' argument missing; see npx ringfence serve --help\n$/, 2)
})

test('prints help with examples and without colours, and the version of the package', async (t) => {
  const { run } = await commandLine(t)
  const commands = [[], ['serve'], ['clients'], ['check'], ['numbers']]
  const helps = await Promise.all(commands.map((command) => run([...command, '--help'])))
  for (const { code, stdout, stderr } of helps) {
    assert.equal(code, 0)
    assert.equal(stderr, '')
    assert.match(stdout, /^Usage: ringfence/)
    assert.match(stdout, /\nExamples:\n {2}ringfence /)
    assert.ok(!stdout.includes('\u001b'))
  }
  const { version } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'))
  assert.equal((await run(['--version'])).stdout, `${version}\n`)
})
