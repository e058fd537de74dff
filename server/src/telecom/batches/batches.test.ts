import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eachDatabase } from '../../testing/databases.ts'
import { startTestService } from '../../testing/test-service.ts'
import { batchRunner } from './batch-runner.ts'
import { batchCalls, csvOf, ordinaryNumbers } from './testing.ts'

eachDatabase(({ engine, open }) => {
  const it = (promise: string) => `${promise} (${engine})`

  test(it('checks every line of a CSV file in the background, and returns its columns with the results'), async (t) => {
    const service = await startTestService(t, await open(t))
    const { send, read, results } = batchCalls(service)
    const runner = batchRunner(service.parts)
    t.after(() => runner.close())
    const file = [
      'customer,phoneNumber,note',
      '1001,917020140111,"a, ""b"""',
      '1002,917020141726,',
      '1003,12,short',
      '1004,917020141726',
      '1005,917020141726,again',
    ].join('\r\n')
    const sent = await send(`\ufeff${file}\r\n`, { checks: 'simSwap:maxAge=240,portability' })
    assert.equal(sent.status, 200, JSON.stringify(sent.body))
    const { batchId } = sent.body
    assert.equal(sent.body.status, 'queued')
    assert.deepEqual(sent.body.columns, ['customer', 'note'])
    assert.deepEqual(await results(batchId), [])
    await runner.round()
    const batch = await read(batchId)
    assert.equal(batch.status, 'completed')
    assert.deepEqual(batch.counts, { total: 5, done: 5, answered: 3, failed: 0, invalid: 2, duplicates: 1 })
    const [swapped, ordinary, short, broken, again] = await results(batchId)
    assert.deepEqual([swapped!.line, swapped!.data], [2, { customer: '1001', note: 'a, "b"' }])
    assert.equal(swapped!.checks?.simSwap?.success && swapped!.checks.simSwap.swapped, true)
    assert.equal(ordinary!.checks?.simSwap?.success && ordinary!.checks.simSwap.swapped, false)
    assert.deepEqual([short!.error?.errorCode, short!.line], ['P7102', 4])
    assert.deepEqual([broken!.error?.errorCode, broken!.line], ['P7351', 5])
    assert.deepEqual([again!.duplicateOf, again!.checks], [3, ordinary!.checks])
  })

  test(it('answers a thousand numbers, each from the operator once'), async (t) => {
    const service = await startTestService(t, await open(t))
    const { send, read, results } = batchCalls(service)
    const runner = batchRunner(service.parts)
    t.after(() => runner.close())
    const { body } = await send(csvOf(ordinaryNumbers(1000)))
    await runner.round()
    const batch = await read(body.batchId)
    assert.deepEqual([batch.status, batch.counts.answered, batch.sandbox], ['completed', 1000, true])
    // CAMARA's older versions take at most 55 letters, digits and hyphens.
    const correlators = service.sandbox.calls.last(1000).flatMap(({ correlator }) => correlator ?? [])
    assert.equal(correlators.filter((each) => /^[a-zA-Z0-9-]{0,55}$/.test(each)).length, correlators.length)
    assert.ok(correlators.includes(`${body.batchId}-1001`))
    const all = await results(body.batchId)
    assert.deepEqual(
      all.map(({ line }) => line),
      Array.from({ length: 1000 }, (_, index) => index + 2),
    )
  })
})
