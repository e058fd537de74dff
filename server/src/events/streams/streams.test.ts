// Does a SIEM get every event, in order, whatever happens to the file, the server or the connection?

import assert from 'node:assert/strict'
import { appendFile, mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { maintain } from '../../maintenance.ts'
import { atEnd, type Ending } from '../../testing/at-end.ts'
import { eachDatabase, postgresDatabases, sqliteDatabases } from '../../testing/databases.ts'
import { startTestService } from '../../testing/test-service.ts'
import { until } from '../../testing/until.ts'
import { selfSignedCertificate } from '../../upstream/testing/self-signed-certificate.ts'
import { Dispatcher } from '../delivery/dispatcher.ts'
import { syslogServer } from '../testing/syslog-server.ts'
import { scriptedReceiver, startWebhookService, type WebhookService } from '../testing/webhook-service.ts'
import { resolveLocally } from '../webhooks/target.ts'

type Streams = Record<string, { type: string } & Record<string, unknown>>

const withStreams = (eventStreams: Streams) => ({
  edit: <Parts>(parts: Parts) => ({ ...parts, eventStreams }),
})

async function folderOf(t: Ending): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'ringfence-stream-'))
  atEnd(t, () => rm(folder, { recursive: true }))
  return folder
}

/** Whole ones: the last may still be written. */
const linesOf = async (path: string) => {
  const text = await readFile(path, 'utf8').catch(() => '')
  return text.split('\n').slice(0, -1)
}
// biome-ignore lint/suspicious/noExplicitAny: a test reads any field that it expects
const recordsOf = async (path: string): Promise<any[]> => (await linesOf(path)).map((line) => JSON.parse(line))
const versions = (records: readonly { ringfence: { version: number } }[]) =>
  records.map(({ ringfence }) => ringfence.version)
const upTo = (count: number) => Array.from({ length: count }, (_, i) => i)
/** A duplicate is fine, so what counts is when each arrived first. */
const firsts = (all: readonly number[]) => [...new Set(all)]

const waiting = async ({ parts: needs }: WebhookService) =>
  (await needs.database.query('select event_id from event_delivery')).length

async function trusted(t: Ending) {
  const self = selfSignedCertificate('siem')
  const ca = join(await folderOf(t), 'ca.pem')
  await writeFile(ca, self.certificate)
  return { self, ca: { file: ca } }
}

const jsonOf = (message: string) => JSON.parse(message.slice(message.indexOf('{')))

eachDatabase(({ engine, open }) => {
  test(`writes events as ECS lines into a file, in order, also when it is rotated or a line was cut off (${engine})`, async (t) => {
    const path = join(await folderOf(t), 'siem.ndjson')
    const service = await startWebhookService(t, await open(t), withStreams({ siem: { type: 'file', path } }))
    await service.happen(0)
    await until(async () => (await linesOf(path)).length === 1)
    const [first] = await recordsOf(path)
    assert.deepEqual(
      [first.event.action, first.event.category, first.event.type, first.organization.id, first.user.name],
      ['rules.changed', ['configuration'], ['change'], service.tenantId, 'maya'],
    )
    assert.equal(first['@timestamp'], new Date(service.clock.now()).toISOString())
    assert.equal((await stat(path)).mode & 0o777, 0o600)
    await rename(path, `${path}.1`)
    await service.happen(1)
    await until(async () => (await linesOf(path)).length === 1)
    await appendFile(path, '{"event":{"id":"cut o')
    await service.happen(2)
    await until(async () => (await linesOf(path)).length === 3)
    const [one, cut, two] = await linesOf(path)
    assert.deepEqual(
      [jsonOf(one!).ringfence.version, cut, jsonOf(two!).ringfence.version],
      [1, '{"event":{"id":"cut o', 2],
    )
    await until(async () => (await waiting(service)) === 0)
  })

  test(`events wait while the file cannot be written, for a restart too, and then arrive in order (${engine})`, async (t) => {
    const database = await open(t)
    const folder = await folderOf(t)
    const path = join(folder, 'missing', 'siem.ndjson')
    const service = await startWebhookService(t, database, withStreams({ siem: { type: 'file', path } }))
    for (const i of upTo(30)) await service.happen(i, `key ${i % 3}`)
    await pause(700)
    assert.equal(await waiting(service), 30)
    await service.dispatcher.close()
    await mkdir(join(folder, 'missing'))
    const second = new Dispatcher({ ...service.parts, resolve: resolveLocally })
    atEnd(t, () => second.close())
    for (const i of upTo(30)) await service.happen(30 + i, `key ${i % 3}`)
    await until(async () => (await waiting(service)) === 0)
    assert.deepEqual(firsts(versions(await recordsOf(path))), upTo(60))
  })

  test(`sends events to a syslog server over TLS, with octet counting and RFC 5424 headers (${engine})`, async (t) => {
    const { self, ca } = await trusted(t)
    const siem = await syslogServer(t, self)
    const stream = { type: 'syslog', host: '127.0.0.1', port: siem.port, ca, types: ['rules.*'] }
    const service = await startWebhookService(t, await open(t), withStreams({ siem: stream }))
    for (const i of upTo(20)) await service.happen(i)
    await until(async () => siem.messages.length >= 20 && (await waiting(service)) === 0)
    assert.deepEqual(versions(siem.messages.map(jsonOf)), upTo(20))
    const time = new Date(service.clock.now()).toISOString()
    const header = new RegExp(`^<109>1 ${time} [!-~]+ ringfence \\d+ rules\\.changed - \\{"@timestamp"`)
    for (const message of siem.messages) assert.match(message, header)
  })

  test(`a syslog server that hangs, dies or closes early costs nobody anything, and gets everything later (${engine})`, async (t) => {
    const { self, ca } = await trusted(t)
    const behaviours = ['hang', 'die', 'close'] as const
    const siem = await syslogServer(t, self, (socket, { connections: { count } }) => {
      const behaviour = behaviours[count - 1]
      if (behaviour === 'hang') socket.pause()
      else if (behaviour === 'die') socket.destroy()
      else if (behaviour === 'close') socket.end()
    })
    const stream = { type: 'syslog', host: '127.0.0.1', port: siem.port, ca }
    const service = await startWebhookService(t, await open(t), withStreams({ siem: stream }))
    const { url, received } = await scriptedReceiver(t)
    await service.webhooks.add(service.tenantId, { url, types: ['*'] })
    service.clock.advance({ seconds: 1 })
    for (const i of upTo(10)) await service.happen(i)
    await until(() => received.length === 10)
    assert.equal(siem.messages.length, 0, 'the webhook received all while the stream hung')
    await until(async () => (await waiting(service)) === 0)
    assert.ok(siem.connections.count > behaviours.length)
    assert.deepEqual(firsts(versions(siem.messages.map(jsonOf))), upTo(10))
  })

  test(`sends nothing to a server whose certificate is not of this name or authority (${engine})`, async (t) => {
    const { self, ca } = await trusted(t)
    const siem = await syslogServer(t, self)
    const other = await trusted(t)
    const to = { type: 'syslog', port: siem.port }
    const streams = {
      name: { ...to, host: 'localhost', ca },
      authority: { ...to, host: '127.0.0.1', ca: other.ca },
      public: { ...to, host: '127.0.0.1' },
    }
    const service = await startWebhookService(t, await open(t), withStreams(streams))
    await service.happen(1)
    await pause(1500)
    assert.deepEqual([siem.messages.length, await waiting(service)], [0, 3])
  })

  test(`deletes what a stream did not take within EVENT_DAYS, and not before (${engine})`, async (t) => {
    const path = join(await folderOf(t), 'missing', 'siem.ndjson')
    const service = await startTestService(t, await open(t), {
      ...withStreams({ siem: { type: 'file', path } }),
      settings: { eventDays: 4 },
    })
    const { parts: needs, tenantId, clock } = service
    clock.advance({ ms: Date.now() - clock.now() })
    const data = { change: 'live', version: 1, by: 'maya' } as const
    await needs.database.batch(
      await needs.events.statements(tenantId, [{ type: 'rules.changed', data, orderedBy: 'rules' }]),
    )
    const left = async () => {
      await maintain({ ...needs, measureClock: async () => undefined })
      return (await needs.database.query('select event_id from event_delivery')).length
    }
    clock.advance({ hours: 4 * 24 - 1 })
    assert.equal(await left(), 1)
    clock.advance({ hours: 2 })
    assert.equal(await left(), 0)
  })
})

test('two servers write each event once, in order for each key', async (t) => {
  const path = join(await folderOf(t), 'siem.ndjson')
  const service = await startWebhookService(
    t,
    await postgresDatabases.open(t),
    withStreams({ siem: { type: 'file', path } }),
  )
  const second = new Dispatcher({ ...service.parts, resolve: resolveLocally })
  atEnd(t, () => second.close())
  for (const i of upTo(60)) await service.happen(i, `key ${i % 7}`)
  await until(async () => (await waiting(service)) === 0)
  assert.deepEqual(versions(await recordsOf(path)), upTo(60))
})

test('a stream of some types gets these only, also those on request; personal data are masked unless the stream says clear', async (t) => {
  const folder = await folderOf(t)
  const paths = { masked: join(folder, 'masked'), clear: join(folder, 'clear') }
  const streams = {
    masked: { type: 'file', path: paths.masked, types: ['telecom.*'] },
    clear: { type: 'file', path: paths.clear, types: ['telecom.*'], personalData: 'clear' },
  }
  const service = await startWebhookService(t, await sqliteDatabases.open(t), withStreams(streams))
  await service.happen(1)
  await service.post('/v1/telecom/sim-swap-check', { phoneNumber: '917020141726' })
  await until(async () => (await linesOf(paths.masked)).length === 1 && (await linesOf(paths.clear)).length === 1)
  const [masked] = await recordsOf(paths.masked)
  const [clear] = await recordsOf(paths.clear)
  assert.deepEqual([masked.ringfence.phoneNumber, clear.ringfence.phoneNumber], ['********1726', '917020141726'])
  assert.deepEqual([masked.event.action, masked.event.outcome], ['telecom.check.completed', 'success'])
})

test('an event whose content cannot be read does not hold up those behind it', async (t) => {
  const path = join(await folderOf(t), 'siem.ndjson')
  const service = await startWebhookService(
    t,
    await sqliteDatabases.open(t),
    withStreams({ siem: { type: 'file', path } }),
  )
  await service.dispatcher.close()
  await service.happen(1)
  const { database } = service.parts
  const [row] = await database.query<{ sealed: Buffer }>('select sealed from event')
  const damaged = Buffer.from(row!.sealed)
  damaged[damaged.length - 1]! ^= 1
  await database.query('update event set sealed = $1', [damaged])
  await service.happen(2)
  const second = new Dispatcher({ ...service.parts, resolve: resolveLocally })
  atEnd(t, () => second.close())
  await until(async () => (await waiting(service)) === 0)
  const [broken, whole] = await recordsOf(path)
  assert.deepEqual(
    [broken.error, broken.ringfence, whole.ringfence.version],
    [{ message: 'the content of this event cannot be read' }, undefined, 2],
  )
})

test('an event under a key that another server has just made waits for that key, at most a minute', async (t) => {
  const path = join(await folderOf(t), 'siem.ndjson')
  const service = await startWebhookService(
    t,
    await sqliteDatabases.open(t),
    withStreams({ siem: { type: 'file', path } }),
  )
  const { database } = service.parts
  await service.dispatcher.close()
  await service.happen(1)
  const [row] = await database.query<{ sealed: Buffer }>('select sealed from event')
  const { sealed } = row!
  const underAnother = Buffer.from(sealed)
  underAnother[0]! += 1
  await database.query('update event set sealed = $1', [underAnother])
  const second = new Dispatcher({ ...service.parts, resolve: resolveLocally })
  atEnd(t, () => second.close())
  await pause(300)
  assert.deepEqual([await linesOf(path), await waiting(service)], [[], 1])
  await database.query('update event set sealed = $1', [sealed])
  await until(async () => (await waiting(service)) === 0)
  assert.equal((await recordsOf(path))[0].ringfence.version, 1)

  await second.close()
  await service.happen(2)
  await database.query('update event set sealed = $1', [underAnother])
  service.clock.advance({ seconds: 60 })
  const third = new Dispatcher({ ...service.parts, resolve: resolveLocally })
  atEnd(t, () => third.close())
  await until(async () => (await waiting(service)) === 0)
  assert.equal((await recordsOf(path)).at(-1).error.message, 'the content of this event cannot be read')
})

test('says what is wrong with a stream of the configuration', async (t) => {
  const refused = async (stream: object, message: RegExp) => {
    const starting = startTestService(
      t,
      await sqliteDatabases.open(t),
      withStreams({ siem: stream as Streams[string] }),
    )
    await assert.rejects(starting, message)
  }
  await refused({ type: 'kafka' }, /eventStreams\.siem\.type is kafka; use one of file, syslog/)
  await refused({ type: 'file' }, /eventStreams\.siem\.path is missing/)
  await refused(
    { type: 'file', path: 'x', types: ['sign_in.finished'] },
    /eventStreams\.siem\.types: sign_in\.finished is no type of event: use one of \*, /,
  )
  await refused(
    { type: 'syslog', host: 'a', ca: { file: '/nowhere' } },
    /eventStreams\.siem: the secret file \/nowhere cannot be read/,
  )
  await refused(
    { type: 'syslog', host: 'a', certificate: { file: '/nowhere' } },
    /must be set together: one is missing/,
  )
})
