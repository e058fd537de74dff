// Do phone numbers, secrets or tokens leak into files, dumps, logs or metrics? Searches everything after real traffic.

import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { clientEndpoints, endpoints } from '@ringfence/contract'
import type { AimedFault } from '@ringfence/sandbox'
import pg from 'pg'
import { copySqlite } from '../../cli/src/backup/sqlite-copy.ts'
import type { IssuedCredentials } from '../../server/src/clients/credentials.ts'
import { startPostgres } from '../../server/src/testing/postgres-server.ts'
import { ordinaryFacts, sdkClientOf } from '../../server/src/testing/sdk-client.ts'
import type { Judge, PromiseProgram, RunOptions } from './promise.ts'
import type { AppCallers } from './testbed/device-ledger.ts'
import { post } from './testbed/ledger.ts'
import { masterKey, operatorSecret, startOperator } from './testbed/operator.ts'
import { scratchFolder } from './testbed/scratch-folder.ts'
import { startServiceProcess } from './testbed/service-process.ts'

export const clearText: PromiseProgram = {
  name: 'clear-text',
  promise:
    'no secret, token, phone number or personal data from an app is in clear in data, database dump, logs or metrics; after an erasure, files, log and backups have no hash of it either',
  async run(run) {
    const figures = { ...(await embedded(run)), ...(await shared(run)) }
    return { figures }
  },
}

/** The texts that must not appear, by what they are. */
type Needles = Record<string, string>

/** Where to search. `control`: a text that is present in clear, so that an empty search cannot pass. */
interface Haystack {
  name: string
  content: Buffer
  control?: string
}

async function embedded(run: RunOptions) {
  const dataFolder = await scratchFolder(run)
  const traffic = await serve({ dataFolder }, run)
  const key = (await readFile(join(dataFolder, 'master.key'), 'utf8')).trim()
  const needles = { ...traffic.needles, 'master key': key }
  const files = async () => (await filesBelow(dataFolder)).filter(({ name }) => !name.endsWith('/master.key'))
  // While the service runs, the newest rows are in the write-ahead log.
  const whileRunning = await files()
  const erased = await erasedFrom(traffic, whileRunning, run, 'embedded')
  const afterErasure = await files()
  const copy = join(await scratchFolder(run), 'copy.sqlite')
  copySqlite(join(dataFolder, 'ringfence.sqlite'), copy)
  const backup = { name: 'backup', content: await readFile(copy), control: traffic.client.clientId }
  const left = searchBytes([...afterErasure, backup], erased, run, 'embedded, after an erasure')
  await traffic.stop()
  const afterwards = await files()
  const control = traffic.client.clientId
  run.unless(
    afterwards.some(({ content }) => content.includes(control)),
    () => 'the data folder was not searched: it does not contain even the client id',
  )
  const found = search([...whileRunning, ...afterwards, ...(await traffic.left())], needles, run, 'embedded')
  return { ...found, ...left }
}

async function shared(run: RunOptions) {
  const server = await startPostgres()
  run.after(() => server.stop())
  const traffic = await serve({ databaseUrl: server.url(), masterKey, dataFolder: await scratchFolder(run) }, run)
  const admin = new pg.Client(server.url())
  await admin.connect()
  const dump = { name: 'dump', content: Buffer.from(await dumpOf(admin), 'latin1'), control: traffic.client.clientId }
  const erased = await erasedFrom(traffic, [dump], run, 'PostgreSQL')
  // Its files and log have deleted rows until it reuses their space, which nobody can force: only what a query and a backup read is searched.
  const without = {
    name: 'dump',
    content: Buffer.from(await dumpOf(admin), 'latin1'),
    control: traffic.client.clientId,
  }
  const left = searchBytes([without], erased, run, 'PostgreSQL, after an erasure')
  await admin.query('checkpoint')
  const { rows } = await admin.query<{ folder: string }>("select current_setting('data_directory') as folder")
  await admin.end()
  const cluster = await filesBelow(rows[0]!.folder)
  await traffic.stop()
  const haystacks = [dump, ...cluster, ...(await traffic.left())]
  return { ...search(haystacks, { ...traffic.needles, 'master key': masterKey }, run, 'PostgreSQL'), ...left }
}

/** Starts the service with full logging, then sends valid and invalid requests. */
async function serve(settings: Record<string, string>, run: RunOptions) {
  const { sandbox, parts, environment } = await startOperator(run)
  const logFile = join(await scratchFolder(run), 'log')
  const reuse = {
    simSwapReuseSeconds: 3600,
    callForwardingReuseSeconds: 3600,
    deadlineMs: 3_000,
    overloadDelayMs: 60_000,
  }
  const service = await startServiceProcess({ settings: { ...settings, ...reuse }, parts, environment, logFile }, run)
  const tenantId = await service.command('createTenant', 'clear text')
  const client = await service.command('createClient', tenantId, 'clear text')
  const rotated = await service.command('rotate', client.clientId)
  const numbers = Array.from({ length: run.full ? 40 : 4 }, (_, index) => `9170201${58_000 + 7 * index}`)

  for (const phoneNumber of numbers) await ask(service.url, client, phoneNumber)
  for (const kind of [{ kind: 'garbage' }, { kind: 'status', status: 500 }, { kind: 'reset' }, { kind: 'half-open' }]) {
    sandbox.faults.switchOn(kind as AimedFault)
    await ask(service.url, rotated, numbers[0]!)
    sandbox.faults.switchAllOff()
  }
  const userId = `user-${randomUUID()}`
  const tokens = await Promise.all(numbers.map((phoneNumber) => useToken(service.url, client, userId, phoneNumber)))
  const callers = { app: await service.command('createApp', tenantId), backend: client }
  const device = await tellOfDevice(service.url, callers, userId, numbers[0]!)
  const metrics = await (await fetch(`${service.url}/metrics`)).text()
  await service.command('revokeOlder', client.clientId)
  const needles: Needles = {
    'client secret': client.clientSecret,
    'second client secret': rotated.clientSecret,
    'secret of the operator': operatorSecret,
  }
  needles['user id'] = userId
  Object.assign(needles, device)
  // Without prefix and checksum: those are the same for every token.
  for (const [index, token] of tokens.entries()) needles[`token ${index}`] = token.slice(7, -6)
  // Without the country code, so that any prefix matches.
  for (const number of numbers) needles[`phone number ${number}`] = number.slice(2)
  return {
    client,
    needles,
    subjects: [
      ['userId', userId],
      ['phoneNumber', numbers[0]!],
    ] as const,
    command: service.command,
    tenantId,
    stop: () => service.stop(),
    left: async (): Promise<Haystack[]> => [
      { name: 'log', content: await readFile(logFile), control: client.clientId },
      { name: 'metrics', content: Buffer.from(metrics), control: endpoints.simSwapCheck.path },
    ],
  }
}

/** Every endpoint, with the number where it belongs and in every place where a caller may put it by mistake. */
async function ask(url: string, client: IssuedCredentials, phoneNumber: string): Promise<void> {
  const { clientId, clientSecret } = client
  const credentials = { clientId, clientSecret }
  const json = { 'content-type': 'application/json' }
  const send = async (path: string, headers: Record<string, string>, body: string, method = 'POST') => {
    const response = await fetch(url + path, { method, headers, ...(method === 'POST' && { body }) })
    await response.arrayBuffer()
  }
  const right = JSON.stringify({ phoneNumber })
  for (const { path } of Object.values(clientEndpoints)) {
    const headers = { ...json, ...credentials }
    await Promise.all([
      send(path, headers, right),
      // Twice: the second answer comes from the store.
      send(path, headers, right).then(() => send(path, headers, right)),
      ...[`+${phoneNumber}`, ` ${phoneNumber}`, Number(phoneNumber), [phoneNumber]].map((wrong) =>
        send(path, headers, JSON.stringify({ phoneNumber: wrong })),
      ),
      send(path, headers, JSON.stringify({ phoneNumber, maxAge: phoneNumber, [phoneNumber]: phoneNumber })),
      send(path, headers, `{"phoneNumber":"${phoneNumber}"`),
      send(path, { ...headers, 'content-type': `text/${phoneNumber}` }, phoneNumber),
      send(path, { ...headers, 'x-ringfence-deadline-ms': phoneNumber }, right),
      send(`${path}/${phoneNumber}?phoneNumber=${phoneNumber}&clientSecret=${clientSecret}`, headers, right),
      send(`${path}?phoneNumber=${phoneNumber}`, headers, '', 'GET'),
      // The secret in place of the id, and a secret that is nearly right.
      send(path, { ...json, clientId: clientSecret, clientSecret: clientId }, right),
      send(path, { ...json, clientId, clientSecret: `${clientSecret}x` }, right),
      send(path, { ...headers, authorization: `Bearer ${clientSecret}` }, right),
    ])
  }
}

/** Issues a token, uses it at every endpoint, and leaves it live. */
async function useToken(url: string, client: IssuedCredentials, userId: string, phoneNumber: string): Promise<string> {
  const identity = { identityType: 'MOBILE', identityValue: phoneNumber, channel: 'OTP', methods: ['SMS'] }
  const body = { userId, identities: [{ ...identity, verified: false }] }
  const { token } = JSON.parse((await post(url, endpoints.issueToken.path, client, body)).text)
  for (const { path } of [endpoints.validateToken, endpoints.secureInfo]) {
    const { status } = await post(url, path, client, { token })
    if (status !== 200) throw new Error(`${path} answers ${status}`)
  }
  return token
}

/** Analyses and pushes a device; returns the personal data that must not appear. */
async function tellOfDevice(
  url: string,
  { app, backend }: AppCallers,
  userId: string,
  phoneNumber: string,
): Promise<Needles> {
  const client = await sdkClientOf(app, { url })
  const vendor = `vendor-${randomUUID()}`
  const orderId = `order-${randomUUID()}`
  const [email, payee] = [`asha-${randomUUID()}@mail.example`, `payee-${randomUUID()}@mail.example`]
  const merchantId = `merchant-${randomUUID()}`
  const updateInfo = { userId, phoneNumber, userEventType: 'LOGIN', merchantId, additionalInput: { email } }
  const {
    requestId,
    nextChallenge,
    deviceToken = '',
  } = await client.analyse({ ...ordinaryFacts, vendor }, { updateInfo })
  const params = { orderId, phoneNumber, payee, [payee]: payee }
  const pushed = await client.post(endpoints.pushFingerprint.path, client.pushBody(requestId, params))
  const secure = await client.post(endpoints.secure.path, client.engineBody())
  const { dfrId } = pushed.body
  const read = { dfrId, deviceType: 'WEB', userId, include: ['identification'] }
  const report = await post(url, endpoints.deviceFingerprint.path, backend, read)
  const { deviceId } = JSON.parse(report.text)
  const deviceName = `laptop-${randomUUID()}`
  const named = await post(url, endpoints.updateAccountDevice.path, backend, { userId, deviceId, name: deviceName })
  const labelled = await post(url, endpoints.labelReports.path, backend, { labels: [{ dfrId, outcome: 'fraud' }] })
  for (const { status } of [pushed, secure, report, named, labelled]) {
    if (status !== 200) throw new Error(`a device call is answered ${status}`)
  }
  // The same values in the wrong places: the service refuses them and keeps them out of the log.
  for (const wrong of [{ requestId: payee }, { tsId: email }, { platform: email }, { updateInfo: phoneNumber }]) {
    await client.post(endpoints.intelligence.path, client.engineBody(undefined, wrong), {
      'x-request-id': randomUUID(),
    })
    await client.post(endpoints.pushFingerprint.path, { ...client.pushBody(requestId, params), ...wrong })
  }
  await post(url, endpoints.deviceFingerprint.path, backend, { dfrId: email, deviceType: payee, [email]: email })
  await post(url, endpoints.labelReports.path, backend, { labels: [{ requestId: email, outcome: 'fraud' }] })
  return {
    'session token': client.sessionToken.slice(4, -6),
    challenge: nextChallenge,
    'device id': deviceToken.split('.')[0]!,
    'name of a device': deviceName,
    'fact of a device': vendor,
    'param of a push': orderId,
    'e-mail address of a param': payee,
    'e-mail address of additionalInput': email,
    merchant: merchantId,
    'token of secure': secure.body.token.slice(7, -6),
  }
}

type Traffic = Awaited<ReturnType<typeof serve>>

/**
 * Erases user and number of the traffic. Their hashes were in what was stored before, or the search would find nothing in any case.
 * @returns the hashes
 */
async function erasedFrom(
  { command, tenantId, subjects }: Traffic,
  before: readonly Haystack[],
  run: Judge,
  engine: string,
): Promise<Buffer[]> {
  const hashes: Buffer[] = []
  for (const [kind, value] of subjects) {
    const found = (await command('hashesOf', tenantId, kind, value)).map((hex) => Buffer.from(hex, 'hex'))
    const isStored = found.some((hash) => before.some(({ content }) => content.includes(hash)))
    run.unless(isStored, () => `${engine}: no hash of the ${kind} was stored before it was erased`)
    hashes.push(...found)
    const erased = await command('erase', tenantId, kind, value)
    run.unless(Object.keys(erased).length > 0, () => `${engine}: nothing of the ${kind} was erased`)
  }
  return hashes
}

/** Bytes as they are, and as hex. */
function searchBytes(haystacks: readonly Haystack[], hashes: readonly Buffer[], run: Judge, engine: string) {
  for (const { name, content, control } of haystacks) {
    run.unless(control === undefined || content.includes(control), () => `${engine}: ${name} was not searched`)
    for (const hash of hashes) {
      const isThere = content.includes(hash) || content.includes(hash.toString('hex'))
      run.unless(!isThere, () => `${engine}: a hash of what was erased is in ${name}`)
    }
  }
  return { [`hashes searched for (${engine})`]: hashes.length * haystacks.length }
}

async function filesBelow(folder: string): Promise<Haystack[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  return Promise.all(
    files.map(async (name) => ({
      name,
      // A file that was deleted meanwhile needs no search.
      content: await readFile(name).catch(() => Buffer.alloc(0)),
    })),
  )
}

/** Every row of every table, with bytes both as text and raw. */
async function dumpOf(admin: pg.Client): Promise<string> {
  const { rows: tables } = await admin.query<{ name: string }>(
    "select table_name as name from information_schema.tables where table_schema = 'public'",
  )
  const parts: string[] = []
  for (const { name } of tables) {
    const { rows } = await admin.query<Record<string, unknown>>(`select * from "${name}"`)
    for (const row of rows) {
      const values = Object.values(row).map((value) =>
        Buffer.isBuffer(value) ? value.toString('latin1') : String(value),
      )
      parts.push(JSON.stringify(row), ...values)
    }
  }
  return parts.join('\n')
}

/** The encodings in which a text may be stored by accident. */
function formsOf(text: string): Buffer[] {
  const bytes = Buffer.from(text)
  // Base64 encodes a text differently at each of three offsets; characters shared with its neighbours are left out.
  const base64 = [0, 1, 2].map((before) => {
    const whole = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '')
    return whole.slice(before === 0 ? 0 : before + 1, -1)
  })
  const texts = [...base64, ...base64.map((form) => form.replaceAll('+', '-').replaceAll('/', '_'))]
  texts.push(bytes.toString('hex'), bytes.toString('hex').toUpperCase(), [...text].reverse().join(''))
  return [...new Set([text, ...texts])].map((form) => Buffer.from(form)).concat(Buffer.from(text, 'utf16le'))
}

function search(haystacks: Haystack[], needles: Needles, run: Judge, engine: string) {
  const forms = Object.entries(needles).map(([what, text]) => [what, formsOf(text)] as const)
  for (const { name, content, control } of haystacks) {
    run.unless(control === undefined || content.includes(control), () => `${engine}: ${name} was not searched`)
    for (const [what, texts] of forms) {
      const found = texts.find((text) => content.includes(text))
      run.unless(found === undefined, () => `${engine}: ${what} is in ${name} as ${found}`)
    }
  }
  const bytes = haystacks.reduce((sum, { content }) => sum + content.length, 0)
  return {
    [`files, dumps and logs searched (${engine})`]: haystacks.length,
    [`MB searched (${engine})`]: (bytes / 1e6).toFixed(1),
    [`texts searched for, in all their forms (${engine})`]: forms.reduce((sum, [, texts]) => sum + texts.length, 0),
  }
}
