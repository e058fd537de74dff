import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { assertFailed, commandLine, until } from '../testing.ts'

const curlLines = (stdout: string) => stdout.split('\n').filter((line) => line.trim().startsWith('curl '))

/** Runs a printed line as a shell does; where the machine has no curl, sends what the line says. */
async function runCurl(
  line: string,
): Promise<{ success: boolean; swapped: boolean; phoneDetail: { countryCode: string } }> {
  const hasCurl = spawnSync('curl', ['--version']).status === 0
  if (hasCurl) return JSON.parse((await promisify(execFile)('sh', ['-c', line])).stdout)
  const [, url = '', body = ''] = /^ *curl -s (\S+) .* -d '(.*)'$/.exec(line) ?? []
  const headers = [...line.matchAll(/-H '(.*?): (.*?)'/g)].map(([, name = '', value = '']): [string, string] => [
    name,
    value,
  ])
  return (await fetch(url, { method: 'POST', headers, body })).json() as ReturnType<typeof runCurl>
}

test('the first start prints addresses, credentials and curl lines that a shell takes as they are; the second reuses the credentials', async (t) => {
  const { folder, serve } = await commandLine(t)
  const first = await serve(['--try-out'])
  const [ordinary = '', swapped = ''] = curlLines(first.stdout)
  const [one, other] = await Promise.all([runCurl(ordinary), runCurl(swapped)])
  assert.deepEqual([one.success, one.swapped, one.phoneDetail.countryCode], [true, false, '91'])
  assert.deepEqual([other.success, other.swapped], [true, true])

  const [, docs = ''] = /Reference +(\S+)/.exec(first.stdout) ?? []
  assert.equal((await fetch(docs)).status, 200)
  const [, calls = ''] = /Sandbox +(\S+)/.exec(first.stdout) ?? []
  const asked = (await (await fetch(calls)).json()) as { calls: { path: string }[] }
  const paths = asked.calls.map(({ path }) => path)
  assert.ok(paths.includes('/oauth2/token') && paths.includes('/sim-swap/v2/check'), String(paths))

  const file = join(folder, 'ringfence-data', 'demo-credentials.json')
  const kept = JSON.parse(await readFile(file, 'utf8'))
  assert.equal((await stat(file)).mode & 0o777, 0o600)
  assert.ok(first.stdout.includes(kept.clientId) && first.stdout.includes(kept.clientSecret))

  assert.equal((await first.stop('SIGTERM')).code, 0)

  const second = await serve(['--sandbox', '--demo'])
  assert.ok(second.stdout.includes(kept.clientId) && second.stdout.includes(kept.clientSecret))
  const [again = ''] = curlLines(second.stdout)
  assert.equal((await runCurl(again)).success, true)
  const { code, stderr } = await second.stop('SIGINT')
  assert.equal(code, 0)
  assert.ok(
    !stderr.includes(kept.clientSecret) && !stderr.includes('917020141726'),
    'no secret and no number in the log',
  )
})

test('without --demo one line is printed, with neither tenant nor sandbox; the log is JSON on stderr', async (t) => {
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
  assert.deepEqual(messages.toSpliced(1, 1), ['listening', 'stopping'])
  assert.match(messages[1], /no operators are configured.*--config FILE.*--sandbox/)
})

test('on all addresses of a machine, without a public one, the log says which setting is missing', async (t) => {
  const { serve } = await commandLine(t)
  const log = async (env: Record<string, string>) => {
    const service = await serve(['--host', '0.0.0.0'], { env: { LOG_LEVEL: 'warn', ...env } })
    return (await service.stop('SIGTERM')).stderr
  }
  assert.match(await log({}), /set BASE_URL, or AUTH_URL, to the public address/)
  assert.doesNotMatch(await log({ BASE_URL: 'https://ringfence.example' }), /set BASE_URL/)
})

test('--try-out, as npm start has it, gives way to a configuration file with operators of its own', async (t) => {
  const { serve, folder } = await commandLine(t)
  await writeFile(join(folder, 'ringfence.yaml'), 'operators: [{ id: 404-45, name: AIRTEL }]')
  const { stdout } = await serve(['--try-out'])
  assert.match(stdout, /^Ringfence listens at \S+\n$/)
})

test('demo credentials that are no longer accepted are replaced', async (t) => {
  const { folder, run, serve } = await commandLine(t)
  const first = await serve(['--demo'])
  const [, clientId = ''] = /clientId +(\S+)/.exec(first.stdout) ?? []
  assert.equal((await run(['clients', 'revoke', clientId])).code, 0)
  await first.stop('SIGTERM')
  await serve(['--demo'])
  const kept = JSON.parse(await readFile(join(folder, 'ringfence-data', 'demo-credentials.json'), 'utf8'))
  assert.notEqual(kept.clientId, clientId)
  const clients = JSON.parse((await run(['clients', 'list', '--tenant', 'demo', '--json'])).stdout)
  assert.equal(clients.length, 2, 'both of the one demo tenant')
})

test('a Ctrl-C that comes twice at once drains; a later signal exits at once', async (t) => {
  const { serve } = await commandLine(t)
  const service = await serve([], { env: { DRAIN_MS: '600000' } })
  // Two of one kind could reach the process as one.
  service.signal('SIGINT')
  service.signal('SIGTERM')
  const ready = async () => (await fetch(`${service.url}/ready`)).status
  await until(ready, (status) => status === 503)
  const insisting = setInterval(() => service.signal('SIGTERM'), 50)
  t.after(() => clearInterval(insisting))
  const { code } = await service.stop('SIGTERM')
  assert.equal(code, 128 + 15)
})

test('a taken port is one line that says what to do', async (t) => {
  const { run } = await commandLine(t)
  const occupier = createServer().listen(0, '127.0.0.1')
  t.after(() => occupier.close())
  await once(occupier, 'listening')
  const port = String((occupier.address() as AddressInfo).port)
  const [service, sandbox] = await Promise.all([
    run(['serve'], { env: { PORT: port } }),
    run(['serve', '--data', 'other', '--port', '0', '--sandbox-port', port]),
  ])
  assertFailed(service, new RegExp(`port ${port} on 127.0.0.1 is taken: .* another one with --port N or PORT=N`))
  assertFailed(sandbox, new RegExp(`port ${port} on 127.0.0.1 is taken: .* --sandbox-port N`))
})

test('a configuration that cannot work names the key', async (t) => {
  const { folder, run } = await commandLine(t)
  const serve = async (name: string, text: string, ...more: string[]) => {
    await writeFile(join(folder, name), text)
    return run(['serve', '--port', '0', '--data', `${name}-data`, '--config', name, ...more])
  }
  const [unknownKey, unknownKind, notYaml, clash, operatorClash, absent] = await Promise.all([
    serve('a.yaml', 'settings: { prot: 8080 }'),
    serve('b.yaml', 'connectors: { acme: { type: pigeon } }'),
    serve('c.yaml', 'settings: {\n'),
    serve('d.yaml', 'connectors: { sandbox: { type: camara } }', '--sandbox'),
    serve('e.yaml', 'operators: [{ id: 001-02, name: MINE }]', '--sandbox'),
    run(['serve'], { env: { CONFIG_FILE: 'nowhere.yaml' } }),
  ])
  assertFailed(unknownKey, /a\.yaml: settings\.prot is no known key/)
  assertFailed(unknownKind, /^ringfence: b\.yaml: connectors\.acme\.type is pigeon; use one of camara/)
  assertFailed(notYaml, /c\.yaml is not valid YAML: .* at line \d+, column \d+/)
  assertFailed(clash, /connectors\.sandbox is there already.* give yours another name/)
  assertFailed(operatorClash, /operators: 001-02 SANDBOX_SOUTH is there already/)
  assertFailed(absent, /nowhere\.yaml cannot be read/)
})

test('data that cannot be used are one line that says what to do', async (t) => {
  const { folder, run } = await commandLine(t)
  await writeFile(join(folder, 'file'), '')
  const otherKey = Buffer.alloc(32, 7).toString('base64')
  await run(['init'])
  const [folderInFile, badKey, wrongKey, noServer] = await Promise.all([
    run(['serve', '--port', '0', '--data', 'file/data']),
    run(['serve', '--port', '0'], { env: { MASTER_KEY: 'short' } }),
    run(['serve', '--port', '0', '--log-level', 'silent'], { env: { MASTER_KEY: otherKey } }),
    run(['serve', '--port', '0'], { env: { DATABASE_URL: 'postgres://127.0.0.1:1/ringfence' } }),
  ])
  assertFailed(folderInFile, /Cannot open file\/data\/ringfence\.sqlite: .*; name a folder .*--data DIR/)
  assertFailed(badKey, /MASTER_KEY must .*32 bytes in base64/)
  assertFailed(wrongKey, /keys of tenant .* do not open: MASTER_KEY, or the file master\.key, is not the one/)
  assertFailed(noServer, /PostgreSQL: .*ECONNREFUSED.*; check .*--database URL or DATABASE_URL/)
})

test('options beat the environment, the environment beats ringfence.yaml in the working folder', async (t) => {
  const { folder, serve } = await commandLine(t)
  await writeFile(join(folder, 'ringfence.yaml'), 'settings: { dataFolder: from-file, drainMs: 0, logLevel: fatal }\n')
  const service = await serve(['--log-level', 'info'], { env: { DATA_FOLDER: 'from-environment', LOG_LEVEL: 'error' } })
  assert.ok((await stat(join(folder, 'from-environment', 'ringfence.sqlite'))).isFile())
  await until(
    async () => service.stderr,
    (log) => log.includes('"listening"'),
  )
})

test('a wrong command line is exit code 2 and names the option', async (t) => {
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

test('help has examples and no colours; --version is that of the package', async (t) => {
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
