import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { eraseSubject } from '../../admin/privacy/erase.ts'
import { exportSubject } from '../../admin/privacy/export.ts'
import { eachDatabase, sqliteDatabases } from '../../testing/databases.ts'
import { startTestService, type TestService } from '../../testing/test-service.ts'
import type { Connector } from '../connectors/connector.ts'
import { batchRunner } from './batch-runner.ts'
import { batchCalls, csvOf, ordinaryNumbers } from './testing.ts'

const { open } = sqliteDatabases
type SimSwap = Required<Connector['checks']>['simSwap']

/** So many parts of a hundred numbers are checked at the same time. */
const partsAtOnce = 4

/** The operator answers no number from this place in the batch on, before `goOn`. It is asked about it when a part of a hundred is done. */
function held(t: TestContext, { parts: { telecom } }: TestService, from: string) {
  const [asked, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const { checks } = telecom.connectors.get('sandbox')! as { checks: { simSwap: SimSwap } }
  const { simSwap } = checks
  t.mock.method(checks, 'simSwap', async (...args: Parameters<SimSwap>) => {
    if (args[0].digits >= from) {
      asked.resolve()
      await goOn.promise
    }
    return simSwap(...args)
  })
  return { asked: asked.promise, goOn: goOn.resolve }
}

eachDatabase(({ engine, open }) => {
  test(`two servers share the batches, and one goes on with what the other left (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const { send, read, results } = batchCalls(service)
    const { parts: needs } = service
    const numbers = ordinaryNumbers(600)
    const { asked, goOn } = held(t, service, numbers[partsAtOnce * 100]!)
    const { body } = await send(csvOf(numbers))
    const first = batchRunner(needs)
    const running = first.round()
    await asked
    assert.ok((await read(body.batchId)).counts.done >= 100)
    const second = batchRunner(needs)
    t.after(() => second.close())
    await second.round()
    assert.equal((await read(body.batchId)).status, 'running', 'it has a server')
    const closing = first.close()
    goOn()
    await closing
    await running
    assert.ok((await read(body.batchId)).counts.done < 600, 'the first one stopped before the end')
    await second.round()
    const batch = await read(body.batchId)
    // None was interrupted: a server that closes finishes the numbers that it asks about.
    assert.deepEqual([batch.status, batch.counts.answered], ['completed', 600])
    assert.equal((await results(body.batchId)).length, 600)
  })

  test(`a canceled batch finishes what is in flight, and says of each other number that it was not checked (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t), { settings: { batchConcurrency: 1 } })
    const { send, read, results } = batchCalls(service)
    const runner = batchRunner(service.parts)
    t.after(() => runner.close())
    const numbers = ordinaryNumbers(2000)
    const { asked, goOn } = held(t, service, numbers[partsAtOnce * 100]!)
    const { body } = await send(csvOf(numbers))
    const running = runner.round()
    await asked
    const canceling = await service.post('/v1/telecom/batches/cancel', { batchId: body.batchId })
    goOn()
    assert.equal(canceling.body.status, 'canceling')
    await running
    const batch = await read(body.batchId)
    assert.equal(batch.status, 'canceled')
    assert.equal(batch.counts.done, 2000)
    assert.equal(batch.errors.P7352, batch.counts.failed)
    const last = (await results(body.batchId)).at(-1)!
    const simSwap = last.checks?.simSwap
    assert.equal(last.error?.errorCode ?? (simSwap?.success === false && simSwap.error.errorCode), 'P7352')
    const again = await service.post('/v1/telecom/batches/cancel', { batchId: body.batchId })
    assert.equal(again.body.status, 'canceled')
  })

  test(`an erased number is in no part of a batch, and the others keep their results (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const { parts: needs, tenantId } = service
    const { send, results } = batchCalls(service)
    const runner = batchRunner(needs)
    t.after(() => runner.close())
    const [erased, other] = ['917020141726', '917020141727']
    const before = await send(`phoneNumber,email\n${erased},a@shop.example\n+${erased},x\n${other},b@shop.example`)
    await runner.round()
    const waiting = await send(csvOf([erased, other]))
    const subject = { kind: 'phoneNumber', value: erased } as const
    const exported = await Array.fromAsync(exportSubject(tenantId, subject, needs))
    assert.equal(exported.filter(({ kind }) => kind === 'batchLine').length, 3)
    const receipt = await eraseSubject(
      { tenantId, subject, by: 'test', reason: 'asked for it', keepListEntries: false },
      needs,
    )
    assert.equal(receipt.erased.batchLine, 3)
    await runner.round()
    for (const { body } of [before, waiting]) {
      const all = await results(body.batchId)
      assert.ok(!JSON.stringify(all).includes(erased))
      assert.equal(all[0]!.error?.errorCode, 'P7354')
      const { checks, phoneNumber } = all.at(-1)!
      assert.deepEqual([phoneNumber, checks?.simSwap?.success], [other, true])
    }
  })
})

test('a small batch of a fifth tenant does not wait for whole batches of four others', async (t) => {
  const service = await startTestService(t, await open(t), { settings: { batchConcurrency: 4 } })
  const { parts: needs } = service
  const sent: { batchId: string; calls: ReturnType<typeof batchCalls> }[] = []
  const tenantIds: string[] = []
  for (const [place, lines] of [3000, 3000, 3000, 3000, 1].entries()) {
    const tenant = await needs.tenantKeyring.createTenant(`tenant ${place}`)
    tenantIds.push(tenant.id)
    const credentials = await needs.clients.createClient(tenant.id, 'test')
    const calls = batchCalls({ url: service.url, credentials })
    const numbers = Array(lines).fill(ordinaryNumbers(1)[0]!)
    sent.push({ calls, batchId: (await calls.send(csvOf(numbers))).body.batchId })
    service.clock.advance({ seconds: 1 })
  }
  const ending = t.mock.method(needs.events, 'statements')
  const runner = batchRunner(needs)
  t.after(() => runner.close())
  await runner.round()
  assert.equal(ending.mock.calls.length, 5)
  assert.equal(ending.mock.calls[0]!.arguments[0], tenantIds[4], 'the fifth tenant is done first')
  for (const { calls, batchId } of sent) {
    const { counts } = await calls.read(batchId)
    assert.equal(counts.answered, counts.total)
  }
})

test('another tenant finds no batch of this one, whatever it calls', async (t) => {
  const service = await startTestService(t, await open(t))
  const { parts: needs } = service
  const { send, results } = batchCalls(service)
  const runner = batchRunner(needs)
  t.after(() => runner.close())
  const { body } = await send(csvOf(ordinaryNumbers(3)), { key: 'k' })
  await runner.round()
  const other = await needs.tenantKeyring.createTenant('other')
  const credentials = await needs.clients.createClient(other.id, 'other')
  const theirs = batchCalls({ url: service.url, credentials })
  assert.equal((await theirs.text(body.batchId)).status, 404)
  assert.equal(((await theirs.read(body.batchId)) as unknown as { errorCode: string }).errorCode, 'P7355')
  const cancel = await service.post('/v1/telecom/batches/cancel', { batchId: body.batchId }, { ...credentials })
  assert.deepEqual([cancel.status, cancel.body.errorCode], [404, 'P7355'])
  const list = await service.post('/v1/telecom/batches/list', {}, { ...credentials })
  assert.deepEqual(list.body, { batches: [] })
  const sameKey = await theirs.send(csvOf(ordinaryNumbers(3)), { key: 'k' })
  assert.notEqual(sameKey.body.batchId, body.batchId)
  assert.equal((await results(body.batchId)).length, 3)
})

test('lists batches, newest first, in pages', async (t) => {
  const service = await startTestService(t, await open(t))
  const { send } = batchCalls(service)
  const ids: string[] = []
  for (let n = 0; n < 3; n++) {
    ids.unshift((await send(csvOf(ordinaryNumbers(1)))).body.batchId)
    service.clock.advance({ seconds: 1 })
  }
  const page = async (body: object) => (await service.post('/v1/telecom/batches/list', body)).body
  const first = await page({ limit: 2 })
  const second = await page({ limit: 2, cursor: first.nextCursor })
  const listed = [...first.batches, ...second.batches].map(({ batchId }: { batchId: string }) => batchId)
  assert.deepEqual([listed, second.nextCursor], [ids, undefined])
})

test('a hundred times the same number is one question, and each line has its answer', async (t) => {
  const service = await startTestService(t, await open(t))
  const { send, read, results } = batchCalls(service)
  const runner = batchRunner(service.parts)
  t.after(() => runner.close())
  const [number] = ordinaryNumbers(1)
  const { body } = await send(csvOf(Array(1000).fill(number)))
  await runner.round()
  const { counts } = await read(body.batchId)
  assert.deepEqual([counts.answered, counts.duplicates], [1000, 999])
  assert.ok((await results(body.batchId)).every(({ checks }) => checks?.simSwap?.success))
  const asked = service.sandbox.calls.last(1000).filter(({ path }) => path.includes('sim-swap'))
  assert.equal(asked.length, 1)
})
