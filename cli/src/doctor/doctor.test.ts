import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import type { Finding } from '@ringfence/server/admin/doctor/finding.ts'
import { syslogServer } from '@ringfence/server/events/testing/syslog-server.ts'
import { encodeAddressLists } from '@ringfence/server/ip/lists/address-lists.ts'
import { addressListFile } from '@ringfence/server/ip/lists/update-lists.ts'
import { postgresDatabases } from '@ringfence/server/testing/databases.ts'
import { freePorts } from '@ringfence/server/testing/free-ports.ts'
import { pooledDatabase, whyWithoutPgbouncer } from '@ringfence/server/testing/pgbouncer.ts'
import { scriptedUpstream } from '@ringfence/server/upstream/testing/scripted-upstream.ts'
import { selfSignedCertificate } from '@ringfence/server/upstream/testing/self-signed-certificate.ts'
import { Client } from 'pg'
import { assertFailed, type CommandLine, commandLine, type RunOptions } from '../testing.ts'

const [unused] = await freePorts(1)

/** Exit code, and the findings by subject. Whatever has the usual port on this machine is not examined. */
async function examined({ run }: CommandLine, { env }: RunOptions = {}, args: string[] = []) {
  const { code, stdout, stderr } = await run(['doctor', '--json', ...args], { env: { PORT: String(unused), ...env } })
  assert.equal(stderr, '')
  const { findings } = JSON.parse(stdout) as { findings: Finding[] }
  return { code, of: Object.fromEntries(findings.map((finding) => [finding.subject, finding])) }
}

const sqlite = (folder: string) => new DatabaseSync(join(folder, 'ringfence-data', 'ringfence.sqlite'))

test('reports a healthy store, stopped or running, with what is missing for production, and changes nothing', async (t) => {
  const cli = await commandLine(t)
  const { folder, run, serve } = cli
  await run(['init'])
  const stopped = await examined(cli)
  assert.equal(stopped.code, 0)
  for (const subject of ['configuration', 'store', 'migrations', 'disk', 'master key', 'signing key', 'clock']) {
    assert.equal(stopped.of[subject]?.state, 'ok', subject)
  }
  assert.equal(stopped.of.service?.state, 'unknown')
  assert.match(stopped.of.operators?.todo ?? '', /docs\/guides\/connect-an-operator\.md/)
  assert.equal(stopped.of['IP lists']?.state, 'warning')
  const checks = stopped.of['telecom checks of main']
  assert.deepEqual([checks?.state, /PHONE_UNSUPPORTED/.test(checks?.text ?? '')], ['warning', true])
  const service = await serve([])
  const PORT = new URL(service.url).port
  const running = await examined(cli, { env: { PORT } })
  assert.deepEqual(running.of.service, { subject: 'service', state: 'ok', text: `runs at ${service.url} and is ready` })
  const exported = await examined(cli, { env: { RINGFENCE_URL: service.url } })
  assert.deepEqual(exported.of.service, running.of.service)
  assertFailed(await run(['doctor'], { env: { RINGFENCE_URL: 'here' } }), /RINGFENCE_URL\) must be a URL/, 2)
  const asText = await run(['doctor'], { env: { PORT } })
  const lines = asText.stdout.split('\n')
  assert.ok(lines.length <= 30 && lines.every((line) => line.length <= 140), 'it fits on one screen')
  assert.match(asText.stdout, /^ok {7}configuration +no file/)
  assert.match(asText.stdout, /\n0 broken, \d+ with a warning\.\n$/)
  const database = sqlite(folder)
  assert.equal(database.prepare('select count(*) as n from signing_key').get()?.n, 0)
  database.close()
})

test('says whether the configured workers can run, and have enough connections to PostgreSQL', async (t) => {
  const cli = await commandLine(t)
  await cli.run(['init'])
  const embedded = await examined(cli, { env: { WORKERS: '2' } })
  assert.deepEqual([embedded.code, embedded.of.workers?.state], [1, 'broken'])
  const env = { DATABASE_URL: await postgresDatabases.place(t), MASTER_KEY: Buffer.alloc(32, 5).toString('base64') }
  await cli.run(['init'], { env })
  const { workers: none } = (await examined(cli, { env })).of
  const { workers: few } = (await examined(cli, { env: { ...env, WORKERS: '2' } })).of
  const many = { ...env, WORKERS: '64', DATABASE_READ_CONNECTIONS: '500' }
  const { workers: all } = (await examined(cli, { env: many })).of
  assert.deepEqual([none, few?.state, all?.state], [undefined, 'ok', 'warning'])
  assert.match(few!.text, /^2 workers need 32 of \d+ connections$/)
})

test('warns of a list that is two days old, as the alert does, and of one that is dated in the future', async (t) => {
  const cli = await commandLine(t)
  await cli.run(['init'])
  const path = addressListFile(join(cli.folder, 'ringfence-data'))
  await mkdir(dirname(path), { recursive: true })
  const ranges = [{ family: 4, first: 1n, last: 1n }] as const
  for (const [hours, state] of [
    [47, 'ok'],
    [49, 'warning'],
    [-1, 'warning'],
  ] as const) {
    const datedMs = Date.now() - hours * 3_600_000
    await writeFile(path, encodeAddressLists([{ name: 'relays', kind: 'relay', datedMs, entries: 1, ranges }]))
    assert.equal((await examined(cli)).of['IP lists']?.state, state, `${hours} hours`)
  }
})

test('says what is broken: configuration, store, migrations, master key and clock', async (t) => {
  const cli = await commandLine(t)
  const { folder, run } = cli
  const none = await examined(cli)
  assert.equal(none.code, 1)
  assert.match(none.of.store?.todo ?? '', /--data DIR or DATABASE_URL, or create it with ringfence init/)
  const wrong = await examined(cli, { env: { PORT: 'eighty' } })
  assert.equal(wrong.code, 1)
  assert.match(wrong.of.configuration?.text ?? '', /^PORT must be/)

  await run(['init'])
  const database = sqlite(folder)
  database.exec(`update schema_migration set applied_at = ${Date.now() + 3_600_000} where name = '0001-baseline'`)
  const early = await examined(cli)
  assert.match(early.of.clock?.text ?? '', /differs from the last migration of the store by 3[56]\d\d s/)
  const otherKey = Buffer.alloc(32, 5).toString('base64')
  const key = await examined(cli, { env: { MASTER_KEY: otherKey } })
  assert.deepEqual([key.code, key.of['master key']?.state], [1, 'broken'])
  const last = database.prepare('select name, checksum from schema_migration order by name desc limit 1').get()!
  database.prepare('delete from schema_migration where name = ?').run(last.name!)
  assert.match((await examined(cli)).of.migrations?.text ?? '', /^1 of \d+ are not applied yet/)
  database.prepare('insert into schema_migration values (?, ?, 1)').run(last.name!, last.checksum!)
  const known = Number(database.prepare('select count(*) as n from schema_migration').get()?.n)
  const [next, second] = [known + 1, known + 2].map((number) => `${String(number).padStart(4, '0')}-later`)
  database.exec(`insert into schema_migration values ('${next}', 'x', 1)`)
  const newer = await examined(cli)
  assert.deepEqual([newer.of.migrations?.state, newer.of['master key']?.state], ['warning', 'ok'])
  assert.match(newer.of.migrations?.text ?? '', /has 0\d+-later of a newer version, with which this version works/)
  database.exec(`insert into schema_index values ('later_by_time', null, 0)`)
  assert.match((await examined(cli)).of.migrations?.text ?? '', /^not built yet: index later_by_time/)
  database.exec(`insert into schema_migration values ('${second}', 'x', 1)`)
  database.exec(`insert into schema_contract values ('${second}', ${next!.slice(0, 4)})`)
  const later = await examined(cli)
  assert.equal(later.code, 1)
  assert.match(later.of.migrations?.text ?? '', /-later, which this version does not know, .* servers need migration/)
  assert.match(later.of.migrations?.todo ?? '', /^Start that version or a later one/)
  database.close()
})

test('says of each setting what a start says, which refuses it', async (t) => {
  const cli = await commandLine(t)
  await cli.run(['init'])
  const key = { decryptionKey: { env: 'PLAY_KEY' }, verificationKey: 'A'.repeat(64) }
  const rows: [env: Record<string, string>, file: object, said: RegExp][] = [
    [{ KEY_ATTESTATION_ROOTS: '/nonexistent.pem' }, {}, /^KEY_ATTESTATION_ROOTS: \/nonexistent\.pem cannot be used/],
    [
      {},
      { settings: { keyAttestationRoots: '/nonexistent.pem' } },
      /^ringfence\.yaml:1:\d+: settings\.keyAttestationRoots: \/nonexistent\.pem cannot be used/,
    ],
    [{ TRUSTED_PROXIES: '0.0.0.0/0' }, {}, /^TRUSTED_PROXIES: a block of \/0 trusts everyone/],
    [{ NAT64_PREFIXES: 'x' }, {}, /^NAT64_PREFIXES/],
    [{ DNS_SERVERS: 'x' }, {}, /^DNS_SERVERS/],
    [{}, { attestation: { playIntegrity: { 'com.example.shop': key } } }, /PLAY_KEY is not set/],
    [{}, { portability: { otherwise: ['nobody'] } }, /nobody/],
  ]
  for (const [env, file, said] of rows) {
    await writeFile(join(cli.folder, 'ringfence.yaml'), JSON.stringify(file))
    const { code, of } = await examined(cli, { env })
    assert.deepEqual([code, of.configuration?.state], [1, 'broken'], String(said))
    assert.match(of.configuration?.text ?? '', said)
    const { stderr } = await cli.run(['serve', '--port', '0'], { env })
    assert.equal(stderr, `ringfence: ${of.configuration?.text}\n`)
  }
})

test('warns of an app that has Android phones attested and does not say who signs it', async (t) => {
  const cli = await commandLine(t)
  const { run } = cli
  await run(['init'])
  const name = ['--tenant', 'main', '--name', 'shop', '--package-name', 'com.example.shop']
  const { stdout } = await run(['apps', 'create', ...name, '--json'])
  const { appId } = JSON.parse(stdout)
  const found = async (...settings: string[]) => {
    const set = settings.flatMap((each) => ['--set', each])
    assert.equal((await run(['apps', 'update', appId, ...set])).code, 0)
    return (await examined(cli)).of['attestation of main']
  }
  assert.equal((await examined(cli)).of['attestation of main'], undefined, 'attestation is off')
  const open = await found('attestation={"ANDROID":"report"}')
  assert.deepEqual(
    [open?.state, open?.text],
    ['warning', 'without androidCertificates no Android phone is attested: shop'],
  )
  assert.equal((await found(`androidCertificates=["${'AB'.repeat(32)}"]`))?.state, 'ok')
})

type Cli = Awaited<ReturnType<typeof commandLine>>

async function draftRules({ folder, run }: Cli, rules: readonly object[]): Promise<void> {
  await writeFile(join(folder, 'rules.yaml'), JSON.stringify({ rules }))
  assert.equal((await run(['rules', 'draft', 'rules.yaml'])).code, 0)
}

/** Without what a publication checks. */
function makeDraftLive({ folder }: Cli): void {
  const database = sqlite(folder)
  database.exec("delete from rule_stage where stage = 'live'")
  database.exec("update rule_stage set stage = 'live'")
  database.close()
}

test('warns of a required attestation that iPhones cannot have, or that a browser gets around', async (t) => {
  const cli = await commandLine(t)
  const { run } = cli
  await run(['init'])
  const ids = ['--bundle-id', 'com.example.shop', '--package-name', 'com.example.shop']
  const { stdout } = await run(['apps', 'create', '--tenant', 'main', '--name', 'shop', ...ids, '--json'])
  const { appId } = JSON.parse(stdout)
  const found = async (...changes: string[]) => {
    if (changes.length > 0) assert.equal((await run(['apps', 'update', appId, ...changes])).code, 0)
    const { state, text } = (await examined(cli)).of['attestation of main'] ?? {}
    return [state, text]
  }
  assert.deepEqual(await found(), [undefined, undefined], 'nothing is required')
  assert.deepEqual(
    await found('--set', 'attestation={"ANDROID":"required"}', '--set', `androidCertificates=["${'AB'.repeat(32)}"]`),
    ['warning', 'without appleTeamId no iPhone is attested: shop'],
  )
  assert.equal((await found('--set', 'appleTeamId=A1B2C3D4E5'))[0], 'ok')
  const gap = 'whoever claims to be a browser proves nothing, and no live rule is about browsers alone: shop'
  assert.deepEqual(await found('--origin', 'https://shop.example'), ['warning', gap])
  const when = 'params.channel == "app" and not platform in ("IOS", "ANDROID")'
  const rules = [{ id: 'no-app', name: 'Not from the app', when, action: 'CHALLENGE', score: 40 }]
  await draftRules(cli, rules)
  assert.deepEqual(await found(), ['warning', gap], 'a draft decides nothing')
  makeDraftLive(cli)
  assert.equal((await found())[0], 'ok')
})

test('warns of versions of a system on which an app collects no id of the phone', async (t) => {
  const cli = await commandLine(t)
  const { run } = cli
  await run(['init'])
  const name = ['--tenant', 'main', '--name', 'shop', '--package-name', 'com.example.shop']
  const { stdout } = await run(['apps', 'create', ...name, '--json'])
  const { appId } = JSON.parse(stdout)
  const found = async (collect: object) => {
    assert.equal((await run(['apps', 'update', appId, '--set', `collect=${JSON.stringify(collect)}`])).code, 0)
    const { state, text } = (await examined(cli)).of['facts of main'] ?? {}
    return [state, text]
  }
  const none = [undefined, undefined]
  assert.deepEqual(await found({ drmId: ['ANDROID 8.1'], androidId: ['ANDROID 9'], vendorId: ['IOS 17'] }), none)
  assert.deepEqual(await found({ drmId: false, androidId: false }), none, 'the app wants no ids')
  const text = 'collect leaves no id of the phone, so that its reports are incomplete: shop (ANDROID 8.1)'
  for (const drmId of [['ANDROID 8'], ['ANDROID 8.1'], false]) {
    assert.deepEqual(await found({ drmId, androidId: ['ANDROID 8.1', 'IOS 8.1'] }), ['warning', text])
  }
})

test('warns of another app whose phones need not be attested, until a rule is about its id', async (t) => {
  const cli = await commandLine(t)
  const { run } = cli
  await run(['init'])
  const create = async (name: string, ...more: string[]) => {
    const ids = ['--tenant', 'main', '--name', name, '--package-name', `com.example.${name}`]
    const { stdout } = await run(['apps', 'create', ...ids, ...more, '--json'])
    return JSON.parse(stdout).appId as string
  }
  const certificates = `androidCertificates=["${'AB'.repeat(32)}"]`
  const shop = await create('shop', '--set', 'attestation={"ANDROID":"required"}', '--set', certificates)
  const found = async () => {
    const { state, text } = (await examined(cli)).of['attestation of main'] ?? {}
    return [state, text]
  }
  assert.equal((await found())[0], 'ok')
  const staging = await create('staging')
  const gap = 'a phone proves nothing in another app, and no live rule is about the appId of: staging'
  assert.deepEqual(await found(), ['warning', gap])
  const live = async (when: string, action = 'CHALLENGE') => {
    const rules = [{ id: 'no-app', name: 'Not from the app', when, action, score: 40 }]
    await draftRules(cli, rules)
    makeDraftLive(cli)
    return found()
  }
  const inApp = `appId == "${shop}" and platform in ("IOS", "ANDROID")`
  assert.deepEqual(await live(`appId == "${shop}"`), ['warning', gap], 'it fires for the app itself')
  assert.equal((await live(`params.channel == "app" and not (${inApp})`))[0], 'ok')
  assert.equal((await live(`appId == "${staging}"`))[0], 'ok')
  assert.deepEqual(await live(`appId == "${staging}"`, 'WARN'), ['warning', gap], 'it stops nobody')
})

test('warns of live rules above the budget of a decision, and names their tenant', async (t) => {
  const cli = await commandLine(t)
  const { folder, run } = cli
  await run(['init'])
  assert.equal((await examined(cli)).of.rules?.state, 'ok')
  const when = Array.from({ length: 900 }, (_, at) => `params.x == params.p${at}`).join(' or ')
  const rules = Array.from({ length: 11 }, (_, at) => ({ id: `r${at}`, name: 'r', when, action: 'WARN', score: 1 }))
  await draftRules(cli, rules)
  assert.equal((await examined(cli)).of.rules?.state, 'ok', 'a draft decides nothing')
  // As a version that was live before there was a budget.
  makeDraftLive(cli)
  const database = sqlite(folder)
  const name = String(database.prepare('select name from tenant').get()?.name)
  database.close()
  const { of, code } = await examined(cli)
  assert.deepEqual([code, of.rules, of[`rules of ${name}`]?.state], [0, undefined, 'warning'])
  assert.match(
    of[`rules of ${name}`]?.text ?? '',
    /^version 1: the rules may take 2\d\d\d µs of CPU time .* is 2000 µs/,
  )
})

test('checks PostgreSQL, its clock and its replication', async (t) => {
  const cli = await commandLine(t)
  const env = { DATABASE_URL: await postgresDatabases.place(t), MASTER_KEY: Buffer.alloc(32, 5).toString('base64') }
  assert.equal((await examined(cli, { env })).of.store?.state, 'broken', 'it has no tables')
  await cli.run(['init'], { env })
  const { of } = await examined(cli, { env })
  assert.deepEqual([of.store?.state, of.clock?.state], ['ok', 'ok'])
  assert.equal(of.clock?.text, "agrees with the store's clock")
  assert.equal(of.replication?.state, 'warning', 'the server of the tests does not wait for the disk')
  assert.deepEqual(
    [of['write-ahead log']?.state, of['write-ahead log']?.todo],
    [
      'warning',
      'set full_page_writes = on, wal_compression = on, checkpoint_timeout = 15min, max_wal_size = 4GB, and reload PostgreSQL',
    ],
  )
  const down = await examined(cli, { env: { ...env, DATABASE_URL: 'postgres://127.0.0.1:1/x' } })
  assert.deepEqual([down.code, down.of.store?.state], [1, 'broken'])
})

test('says which time limits apply behind PgBouncer, and that they end the build of an index', {
  skip: whyWithoutPgbouncer,
}, async (t) => {
  const cli = await commandLine(t)
  const { url, direct } = await pooledDatabase(t, 'transaction')
  const env = { DATABASE_URL: direct, MASTER_KEY: Buffer.alloc(32, 5).toString('base64') }
  await cli.run(['init'], { env })
  assert.equal((await examined(cli, { env })).of['time limits'], undefined, "Ringfence's own limits apply")
  const pooled = { env: { ...env, DATABASE_URL: url } }
  const without = (await examined(cli, pooled)).of['time limits']
  assert.equal(without?.state, 'warning')
  assert.match(without?.text ?? '', /may not end \(statement_timeout 0 s, lock_timeout 0 s; 0: no limit\)/)
  const administrator = new Client({ connectionString: direct })
  await administrator.connect()
  const name = new URL(url).pathname.slice(1)
  for (const limit of ["statement_timeout = '10s'", "lock_timeout = '2s'"]) {
    await administrator.query(`alter database ${name} set ${limit}`)
  }
  // PgBouncer keeps connections that were opened before.
  const opened = `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`
  await administrator.query(opened)
  await administrator.end()
  const set = (await examined(cli, pooled)).of['time limits']
  assert.equal(set?.state, 'ok')
  assert.match(set?.text ?? '', /^statement_timeout 10 s, lock_timeout 2 s, also for the build of an index: start the/)
})

test('gets a token from each operator, and checks no number', async (t) => {
  const cli = await commandLine(t)
  await cli.run(['init'])
  const { url, paths } = await operator(t)
  const connector = (clientId: string) => ({
    type: 'camara',
    baseUrl: url,
    token: {
      endpoint: `${url}/token`,
      clientId,
      authentication: 'client_secret_basic',
      clientSecret: { env: 'SECRET' },
    },
    simSwap: {},
  })
  const connectors = {
    good: connector('good'),
    refused: connector('refused'),
    away: { ...connector('x'), token: { ...connector('x').token, endpoint: 'http://127.0.0.1:1/token' } },
    phones: {
      ...{ type: 'camara', baseUrl: url, token: connector('x').token },
      numberVerification: { authorizationEndpoint: `${url}/authorize` },
    },
    vendor: { type: 'telesign', customerId: 'c', apiKey: { env: 'SECRET' }, baseUrl: url },
  }
  const channels = {
    mail: { type: 'smtp', host: '127.0.0.1', port: 1, from: 'a@b.example', tls: 'none' },
    sms: { type: 'http-gateway', recipient: 'MOBILE' },
    shown: { type: 'outbox', recipient: 'MOBILE' },
    google: { type: 'oidc', issuer: url, clientId: 'c', method: 'GOOGLE' },
    decided: { type: 'oidc', issuer: url, clientId: 'c', method: 'DECIDED', authoritativeFor: {} },
  }
  const portabilitySources = {
    asked: { type: 'sandbox', baseUrl: url, token: connector('x').token },
    mistyped: { type: 'sandbax' },
  }
  const operators = [{ id: '001-09', name: 'NORTH', connector: 'goood' }]
  const text = JSON.stringify({ connectors, channels, portabilitySources, operators })
  await writeFile(join(cli.folder, 'ringfence.yaml'), text)
  const { code, of } = await examined(cli, { env: { SECRET: 's', BASE_URL: 'http://shop.example' } })
  assert.equal(code, 1)
  assert.deepEqual(of['connectors.good'], { subject: 'connectors.good', state: 'ok', text: 'gives a token' })
  assert.equal(of['connectors.refused']?.state, 'broken')
  assert.equal(of['connectors.away']?.state, 'broken')
  for (const name of ['connectors.phones', 'connectors.vendor']) {
    const text = 'configured, and not called, since that needs a phone number'
    assert.deepEqual(of[name], { subject: name, state: 'unknown', text })
  }
  assert.ok(paths.length > 0 && paths.every((path) => path === '/token'), String(paths))
  assert.match(of.operators?.text ?? '', /operator 001-09 uses connector goood, which is not defined/)
  assert.match(of['portabilitySources.mistyped']?.text ?? '', /sandbax; use one of enum, connector, sandbox/)
  assert.deepEqual(
    [of.operators?.state, of['portabilitySources.mistyped']?.state, of['portabilitySources.asked']?.state],
    ['broken', 'broken', 'unknown'],
  )
  assert.match(of['channels.mail']?.text ?? '', /127\.0\.0\.1:1 cannot be reached \(ECONNREFUSED\)/)
  assert.equal(of['channels.sms']?.state, 'broken')
  assert.equal(of['channels.shown']?.state, 'warning')
  assert.match(of['channels.google']?.text ?? '', /is authoritative for no email address or phone number/)
  assert.deepEqual([of['channels.google']?.state, of['channels.decided']?.state], ['warning', 'ok'])
  assert.match(of['public URL']?.text ?? '', /http:\/\/shop\.example has no TLS/)
  assert.match(of.proxies?.text ?? '', /TRUSTED_PROXIES is not set/)
  const withoutSecret = await examined(cli)
  assert.match(withoutSecret.of['connectors.good']?.text ?? '', /SECRET is not set/)
  await rm(join(cli.folder, 'ringfence.yaml'))
})

test('a source that asks a connector is examined with it, and a connector without a token is not said to give one', async (t) => {
  const cli = await commandLine(t)
  await cli.run(['init'])
  const vendor = (name: string) => ({ type: 'telnyx', baseUrl: 'https://vendor.example', apiKey: { env: name } })
  const source = (connector: string) => ({ type: 'connector', connector })
  const text = JSON.stringify({
    connectors: { hub: vendor('SECRET'), keyless: vendor('MISSING') },
    portabilitySources: { hub: source('hub'), keyless: source('keyless'), lost: source('hubb') },
    routing: { otherwise: [{ connector: 'hub' }] },
  })
  await writeFile(join(cli.folder, 'ringfence.yaml'), text)
  const { of } = await examined(cli, { env: { SECRET: 's' } })
  const shown = (subject: string) => [of[subject]?.state, of[subject]?.text]
  assert.deepEqual(shown('portabilitySources.hub'), [
    'unknown',
    'configured, and not called, since that needs a phone number',
  ])
  assert.deepEqual(shown('portabilitySources.keyless'), ['unknown', 'not examined: its connector keyless is broken'])
  assert.deepEqual(shown('portabilitySources.lost'), ['broken', 'connector is hubb, which connectors does not have'])
  assert.deepEqual(shown('connectors.hub'), ['unknown', 'configured, and not called, since that needs a phone number'])
  assert.match(of['connectors.keyless']?.text ?? '', /MISSING is not set/)
  assert.deepEqual(shown('operators'), ['ok', 'none configured; routing sends checks to connectors'])
})

test('says which stream cannot be written or is behind, and how many webhooks fail; it writes nothing', async (t) => {
  const cli = await commandLine(t)
  const { folder, run } = cli
  await run(['init'])
  const certified = selfSignedCertificate('127.0.0.1')
  await writeFile(join(folder, 'ca.pem'), certified.certificate)
  const { port, messages } = await syslogServer(t, certified)
  const ca = { file: join(folder, 'ca.pem') }
  const path = join(folder, 'events.ndjson')
  const eventStreams = {
    siem: { type: 'file', path },
    nowhere: { type: 'file', path: join(folder, 'missing', 'events.ndjson') },
    syslog: { type: 'syslog', host: '127.0.0.1', port, ca },
    untrusted: { type: 'syslog', host: '127.0.0.1', port },
    away: { type: 'syslog', host: '127.0.0.1', port: 1, ca },
  }
  await writeFile(join(folder, 'ringfence.yaml'), JSON.stringify({ eventStreams }))
  const first = await examined(cli)
  assert.equal(first.code, 1)
  const states = Object.keys(eventStreams).map((name) => first.of[`eventStreams.${name}`]?.state)
  assert.deepEqual(states, ['ok', 'broken', 'ok', 'broken', 'broken'])
  assert.match(first.of['eventStreams.away']?.text ?? '', /ECONNREFUSED/)
  assert.match(first.of['eventStreams.untrusted']?.text ?? '', /certificate/)
  assert.match(first.of['eventStreams.nowhere']?.text ?? '', /ENOENT/)
  assert.deepEqual([messages, existsSync(path)], [[], false])
  assert.equal(first.of.webhooks, undefined)

  await run(['lists', 'create', 'cards', '--kind', 'text', '--purpose', 'block'])
  await run(['webhooks', 'add', 'https://shop.example/hooks'])
  const database = sqlite(folder)
  database.exec('update event_delivery set position = position - 120000000')
  database.exec("update event_receiver set state = 'disabled'")
  database.close()
  const later = await examined(cli)
  assert.equal(later.of['eventStreams.siem']?.state, 'warning')
  assert.match(later.of['eventStreams.siem']?.text ?? '', /1 event waits for it, the oldest since /)
  assert.match(later.of['eventStreams.away']?.text ?? '', /ECONNREFUSED.*1 event waits for it/)
  assert.match(later.of.webhooks?.text ?? '', /of 1 of all tenants, 0 fail and 1 is disabled/)
  await rm(join(folder, 'ringfence.yaml'))
})

test('examines the targets of streams also when there is no store, or it cannot be opened', async (t) => {
  const cli = await commandLine(t)
  const { folder, run } = cli
  const eventStreams = {
    siem: { type: 'file', path: join(folder, 'events.ndjson') },
    nowhere: { type: 'file', path: join(folder, 'missing', 'events.ndjson') },
  }
  await writeFile(join(folder, 'ringfence.yaml'), JSON.stringify({ eventStreams }))
  const states = async () => {
    const { of } = await examined(cli)
    return [of.store, of['eventStreams.siem'], of['eventStreams.nowhere']].map((finding) => finding?.state)
  }
  assert.deepEqual(await states(), ['broken', 'ok', 'broken'])
  await run(['init'])
  await writeFile(join(folder, 'ringfence-data', 'ringfence.sqlite'), 'this is no database '.repeat(100))
  assert.deepEqual(await states(), ['broken', 'ok', 'broken'])
})

test('judges the public URL by its answer over TLS, and only while the service runs', async (t) => {
  const cli = await commandLine(t)
  const { folder, serve } = cli
  const { certificate: cert, key } = selfSignedCertificate('127.0.0.1')
  await writeFile(join(folder, 'ca.pem'), cert)
  let status = 200
  const { url } = await scriptedUpstream(t, () => ({ status }), { cert, key })
  const NODE_EXTRA_CA_CERTS = join(folder, 'ca.pem')
  const publicUrl = async (env: Record<string, string>) => {
    const { state, text } = (await examined(cli, { env: { BASE_URL: url, ...env } })).of['public URL']!
    return `${state}: ${text.replace(url, 'URL')}`
  }
  const service = await serve()
  const PORT = new URL(service.url).port
  assert.equal(await publicUrl({ PORT, NODE_EXTRA_CA_CERTS }), 'ok: URL answers over TLS')
  assert.match(await publicUrl({ PORT }), /^broken: URL cannot be reached \(DEPTH_ZERO_SELF_SIGNED_CERT\)$/)
  status = 502
  assert.equal(await publicUrl({ PORT, NODE_EXTRA_CA_CERTS }), 'broken: URL answers 502')
  assert.match(await publicUrl({ NODE_EXTRA_CA_CERTS }), /^unknown: URL was not judged/)
})

/** An operator's token endpoint, which refuses the client `refused`. */
async function operator(t: TestContext) {
  const paths: string[] = []
  const server = createServer((request, response) => {
    paths.push(request.url ?? '')
    const [id] = Buffer.from(request.headers.authorization?.split(' ')[1] ?? '', 'base64')
      .toString()
      .split(':')
    const [status, body] =
      id === 'refused'
        ? [401, { error: 'invalid_client' }]
        : [200, { access_token: 'a', token_type: 'Bearer', expires_in: 300 }]
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, paths }
}
