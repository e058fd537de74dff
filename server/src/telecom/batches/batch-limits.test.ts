import assert from 'node:assert/strict'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { pino } from 'pino'
import { eachDatabase, sqliteDatabases } from '../../testing/databases.ts'
import { startTestService, type TestService } from '../../testing/test-service.ts'
import { until } from '../../testing/until.ts'
import { batchRunner } from './batch-runner.ts'
import { batchCalls, csvOf, ordinaryNumbers } from './testing.ts'

/** A body that stalls ends with the test, not before. */
const settings = { requestTimeoutMs: 300_000 }

eachDatabase(({ engine, open }) => {
  test(`of many batches sent together, at most two arrive at a time (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t), { settings })
    const sent = await Promise.all(Array.from({ length: 8 }, () => stalled(t, service)))
    const refused: (number | undefined)[] = []
    for (const { answer } of sent) void answer.then(({ statusCode }) => refused.push(statusCode))
    while (refused.length + (await receiving(service)) < 8) await wait(10)
    assert.deepEqual(refused, Array(6).fill(409))
    for (const { sending } of sent) sending.destroy()
  })

  test(`a batch that arrives reserves its lines (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t), {
      settings: { ...settings, batchLinesPerTenant: 5000 },
    })
    const { send } = batchCalls(service)
    const first = await stalled(t, service)
    while ((await receiving(service)) === 0) await wait(10)
    const refused = await send(csvOf(ordinaryNumbers(1)))
    assert.deepEqual([refused.status, refused.body.errorCode], [409, 'P7356'])
    first.sending.end()
    assert.equal((await first.answer).statusCode, 200)
    assert.equal((await send(csvOf(ordinaryNumbers(1)))).status, 200, 'it had two lines')
  })

  test(`batches that a killed server left do not count once their bodies cannot arrive any more (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t), { settings })
    const { database } = service.parts
    const { send } = batchCalls(service)
    const left = [await stalled(t, service), await stalled(t, service)]
    while ((await receiving(service)) < 2) await wait(10)
    const rows = await database.query<Record<string, never>>('select id, expires_at, sealed from telecom_batch')
    for (const { sending } of left) sending.destroy()
    while ((await receiving(service)) > 0) await wait(10)
    for (const { id, expires_at, sealed } of rows)
      await database.query(
        `insert into telecom_batch (tenant_id, id, body_hash, state, created_at, expires_at, lines, parts, due_at, progress, sealed)
         values ($1, $2, $3, 'receiving', 0, $4, 0, 0, 9007199254740991, '{}', $5)`,
        [service.tenantId, id!, new Uint8Array(0), expires_at!, sealed!],
      )
    assert.equal((await send(csvOf(ordinaryNumbers(1)))).status, 409)
    service.clock.advance({ seconds: 360 })
    assert.equal((await send(csvOf(ordinaryNumbers(1)))).status, 200)
  })
})

test('a client that goes away while its batch arrives is no fault of the service in the log', async (t) => {
  const log: { level: number; status?: number; msg: string }[] = []
  const write = (line: string) => void log.push(JSON.parse(line))
  const service = await startTestService(t, await sqliteDatabases.open(t), {
    settings,
    log: pino({ level: 'info' }, { write }),
  })
  const { sending } = await stalled(t, service)
  while ((await receiving(service)) === 0) await wait(10)
  sending.destroy()
  while ((await receiving(service)) > 0 || !log.some(({ status }) => status === 499)) await wait(10)
  await wait(50)
  assert.deepEqual(
    log.filter(({ level }) => level >= 50),
    [],
  )
})

test('bodies that stop arriving hold up neither live traffic nor other tenants, also with a known Idempotency-Key', async (t) => {
  const service = await startTestService(t, await sqliteDatabases.open(t), { settings })
  const { parts: needs } = service
  const { send } = batchCalls(service)
  const key = { 'idempotency-key': 'known' }
  assert.equal((await send(csvOf(ordinaryNumbers(2)), { key: 'known' })).status, 200)
  const sent = await Promise.all(Array.from({ length: 10 }, () => stalled(t, service, key)))
  let refused = 0
  for (const { answer } of sent)
    void answer.then(({ statusCode }) => {
      if (statusCode === 409) refused++
    })
  while (refused < 6 || needs.heavyWork.overload.inFlight() > 0) await wait(10)
  assert.equal((await send(csvOf(ordinaryNumbers(1)))).body.errorCode, 'P7356')
  const other = await needs.tenantKeyring.createTenant('other')
  const credentials = await needs.clients.createClient(other.id, 'other')
  assert.equal((await batchCalls({ url: service.url, credentials }).send(csvOf(ordinaryNumbers(1)))).status, 200)
  for (const { sending } of sent) sending.destroy()
  while ((await send(csvOf(ordinaryNumbers(1)))).status !== 200) await wait(10)
})

test('readers that stop reading hold up neither live traffic nor other tenants', async (t) => {
  const service = await startTestService(t, await sqliteDatabases.open(t))
  const { parts: needs } = service
  const { send } = batchCalls(service)
  const runner = batchRunner(needs)
  t.after(() => runner.close())
  // More than the buffers of two sockets hold.
  const pad = 'x'.repeat(1900)
  const sent = await send(['phoneNumber,pad', ...Array(12_000).fill(`917020141726,${pad}`)].join('\n'))
  assert.equal(sent.status, 200)
  await runner.round()
  const read = () =>
    new Promise<IncomingMessage>((resolve) => {
      const reading = request(`${service.url}/v1/telecom/batches/${sent.body.batchId}/results`, {
        headers: { ...service.credentials },
      })
      t.after(() => reading.destroy())
      reading
        .once('response', resolve)
        .on('error', () => undefined)
        .end()
    })
  const answers = await Promise.all(Array.from({ length: 8 }, read))
  const refused = answers.filter(({ statusCode }) => statusCode === 429)
  assert.equal(refused.length, 4)
  assert.ok(Number(refused[0]!.headers['retry-after']) > 0)
  await until(() => needs.heavyWork.overload.inFlight() === 0)
  for (const answer of answers) answer.destroy()
  for (let status = 429; status !== 200; ) {
    const again = await read()
    status = again.statusCode!
    again.destroy()
    await wait(10)
  }
})

interface Stalled {
  readonly sending: ClientRequest
  readonly answer: Promise<IncomingMessage>
}

/** Sends a line of a batch, and then nothing until it is ended. */
async function stalled(t: TestContext, service: TestService, headers: Record<string, string> = {}): Promise<Stalled> {
  const sending = request(`${service.url}/v1/telecom/batches?checks=simSwap`, {
    method: 'POST',
    headers: { ...service.credentials, 'content-type': 'text/csv', ...headers },
  })
  t.after(() => sending.destroy())
  const answer = new Promise<IncomingMessage>((resolve) => sending.once('response', resolve))
  sending.on('error', () => undefined)
  await new Promise<void>((resolve) => sending.write(`${csvOf(ordinaryNumbers(2))}\n`, () => resolve()))
  return { sending, answer }
}

async function receiving({ parts: { database } }: TestService): Promise<number> {
  return (await database.query(`select 1 as one from telecom_batch where state = 'receiving'`)).length
}
