import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { atEnd } from '../../testing/at-end.ts'
import { ConfigurationError, readConfig } from './config.ts'
import { secretsOf } from './secret-reference.ts'

async function fileOf(t: TestContext, text: string) {
  const folder = await mkdtemp(join(tmpdir(), 'ringfence-config-'))
  atEnd(t, () => rm(folder, { recursive: true }))
  const file = join(folder, 'ringfence.yaml')
  await writeFile(file, text)
  return file
}

const mistake = (message: RegExp) => (error: unknown) =>
  error instanceof ConfigurationError && message.test(error.message)

test('prefers options to the environment, the environment to the file, the file to the default', async (t) => {
  const file = await fileOf(t, 'settings: { port: 1, deadlineMs: 1000, logLevel: warn }')
  const environment = { PORT: '2', DEADLINE_MS: '2000', HOST: '' }
  const { settings } = readConfig({ options: { port: 3 }, environment, file })
  assert.equal(settings.port, 3)
  assert.equal(settings.deadlineMs, 2000)
  assert.equal(settings.logLevel, 'warn')
  assert.equal(settings.host, '127.0.0.1', 'an empty variable counts as absent')
  assert.equal(settings.simSwapMaxAgeHours, 240)
})

test('names the wrong key and what is expected, never the value', async (t) => {
  for (const [environment, message] of [
    [{ PORT: 'http' }, /^PORT must be an integer/],
    [{ PORT: '65536' }, /^PORT must be <= 65535/],
    [{ LOG_LEVEL: 'loud' }, /^LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent: /],
    [{ LOG_LEVEL: 'wran' }, /^LOG_LEVEL must be one of .*; did you mean warn\?/],
    [{ MASTER_KEY: 'hunter2' }, /^MASTER_KEY must be 32 bytes in base64: /],
    [{ DATABASE_URL: 'mysql://x' }, /^DATABASE_URL must be a URL such as postgres:/],
    [
      { BASE_URL: 'https://fraud.example/x' },
      /^BASE_URL must be a URL without a path, such as https:\/\/fraud\.example: /,
    ],
  ] as const) {
    assert.throws(() => readConfig({ environment }), mistake(message), JSON.stringify(environment))
    assert.throws(
      () => readConfig({ environment }),
      (error: Error) => !Object.values(environment).some((value) => value.length > 5 && error.message.includes(value)),
    )
  }
  for (const [text, message] of [
    ['settings: { prot: 1 }', /ringfence\.yaml:1:13: settings\.prot is not a known key; did you mean port\?$/],
    ['settings: { port: "80" }', /settings\.port must be an integer: Port to listen on/],
    ['operators: [{ id: "404-45" }]', /operators\.0\.name is missing/],
    ['operators: [{ id: "404-45", name: Airtel }]', /operators\.0\.name must match pattern .*upper-case token/],
    [
      'operators: [{ id: "404-45", name: AIRTEL, simSwap: { limitHours: 0 } }]',
      /operators\.0\.simSwap\.limitHours must be >= 1/,
    ],
    [
      'settings: { trustedProxies: [10.0.0.0/8] }',
      /settings\.trustedProxies must be one text with IP addresses and CIDR blocks, separated by commas, such as 10\.0/,
    ],
    ['connectors: { acme: {} }', /connectors\.acme\.type is missing/],
    ['nonsense: 1', /nonsense is not a known key; allowed: settings, connectors/],
    ['settings: [', /is not valid YAML: .* at line 1, column 12/],
    ['just text', /the value must be an object/],
  ] as const) {
    const file = await fileOf(t, text)
    assert.throws(() => readConfig({ file }), mistake(message), text)
  }
  const broken = await fileOf(t, 'settings:\n  metricsToken: "hunter2 hunter2 hunter2\n')
  assert.throws(() => readConfig({ file: broken }), mistake(/YAML: Missing closing "quote at line 3, column 1$/))
  assert.throws(() => readConfig({ file: '/nowhere/ringfence.yaml' }), mistake(/cannot be read: ENOENT/))
})

test('refuses published data that would be downloaded without TLS, except from this machine', async (t) => {
  const about = { name: 'Own', operator: 'Own', category: 'aiAgent', agent: 'https://agent.example' }
  const settings: Record<string, (url: string) => object> = {
    'ipLists.own': (url) => ({ ipLists: { own: { kind: 'tor', url } } }),
    'ipFiles.own': (url) => ({ ipFiles: { own: { kind: 'city', url } } }),
    'dataTables.numberingPlans': (url) => ({ dataTables: { numberingPlans: { url } } }),
    'signatureAgents.own': (url) => ({ signatureAgents: { own: { ...about, url } } }),
    'attestation.revocationLists.own': (url) => ({ attestation: { revocationLists: { own: { url } } } }),
  }
  const refused: Record<string, RegExp> = {
    'http://lists.example/a': /must begin with https:\/\/; http:\/\/ is for a server on this machine only$/,
    'http://localhost.evil.example/a': /must begin with https/,
    'https://': /is not a URL$/,
    'https://me:secret@lists.example/a': /must have no user name and no password$/,
    'file://lists.example/a': /must name a file of this machine/,
    'ftp://lists.example/a': /must be a URL that begins with https:\/\/, or file:\/\/\/ for a file of your own/,
  }
  for (const [name, withUrl] of Object.entries(settings)) {
    for (const [url, message] of Object.entries(refused)) {
      const file = await fileOf(t, JSON.stringify(withUrl(url)))
      const ofSetting = new RegExp(`ringfence\\.yaml:1:\\d+: ${name}\\.url ${message.source}`)
      assert.throws(() => readConfig({ file }), mistake(ofSetting), `${name} ${url}`)
    }
    for (const url of [
      'https://lists.example/a-{YYYY-MM}',
      'http://127.0.0.1:8080/a',
      'http://[::1]/a',
      'file:///srv/a',
    ])
      readConfig({ file: await fileOf(t, JSON.stringify(withUrl(url))) })
  }
})

test('refuses a file whose aliases would fill the memory', async (t) => {
  const line = (name: string, alias: string) => `${name}: &${name} [${Array(9).fill(alias).join(', ')}]`
  const bomb = 'abcdefghi'.split('').map((name, index, names) => line(name, index === 0 ? 'x' : `*${names[index - 1]}`))
  const file = await fileOf(t, bomb.join('\n'))
  assert.throws(() => readConfig({ file }), mistake(/ringfence\.yaml cannot be used: Excessive alias count/))
})

test('treats __proto__ as an unknown key', async (t) => {
  for (const text of ['settings: { __proto__: { port: 1 } }', '__proto__: { settings: { port: 1 } }']) {
    const file = await fileOf(t, text)
    assert.throws(() => readConfig({ file }), mistake(/__proto__ is not a known key/), text)
  }
  assert.equal(Reflect.get({}, 'port'), undefined)
})

test('accepts an empty configuration file', async (t) => {
  assert.deepEqual(readConfig({ file: await fileOf(t, '') }).operators, [])
})

test('reads a secret from the environment or from its file, and names a missing one', async (t) => {
  const readSecret = secretsOf({ ACME_SECRET: 'abc', EMPTY: '' })
  assert.equal(readSecret({ env: 'ACME_SECRET' }), 'abc')
  assert.equal(readSecret({ file: await fileOf(t, 'from a file\n') }), 'from a file')
  assert.throws(() => readSecret({ env: 'EMPTY' }), /the environment variable EMPTY is not set/)
  assert.throws(() => readSecret({ file: '/nowhere/secret' }), /the secret file \/nowhere\/secret cannot be read/)
  assert.throws(() => readSecret({ env: 'MISSING' }), /MISSING is not set/)
})
