import assert from 'node:assert/strict'
import { request } from 'node:http'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { eachDatabase, sqliteDatabases } from '../../testing/databases.ts'
import { startTestService } from '../../testing/test-service.ts'
import { batchRunner } from './batch-runner.ts'
import { dropBatches } from './retention.ts'
import { batchCalls, csvOf, ordinaryNumbers } from './testing.ts'

const { open } = sqliteDatabases
const ndjson = 'application/x-ndjson'

eachDatabase(({ engine, open }) => {
  test(`the same key returns the same batch, and is refused with another body, other checks or another type (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const { send } = batchCalls(service)
    const body = csvOf(ordinaryNumbers(250))
    const [first, together] = await Promise.all([send(body, { key: 'k' }), send(body, { key: 'k' })])
    const again = await send(body, { key: 'k' })
    assert.deepEqual([first.status, together.status, again.status], [200, 200, 200])
    assert.equal(new Set([first, together, again].map((answer) => answer.body.batchId)).size, 1)
    const rows = await service.parts.database.query('select batch_id, part from telecom_batch_part')
    assert.equal(rows.length, 3, 'the parts of the other body are gone')
    for (const [other, options] of [
      [`${body}0`, {}],
      [body, { checks: 'deviceSwap' }],
      [body, { type: ndjson }],
    ] as const) {
      const refused = await send(other, { key: 'k', ...options })
      assert.deepEqual([refused.status, refused.body.errorCode], [409, '70409'])
    }
    assert.notEqual((await send(body, { key: 'l' })).body.batchId, first.body.batchId)
    assert.notEqual((await send(body)).body.batchId, first.body.batchId)
  })

  test(`a batch whose client goes away leaves nothing (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const { database } = service.parts
    const stored = () => database.query('select 1 as one from telecom_batch union all select 1 from telecom_batch_part')
    const sending = request(`${service.url}/v1/telecom/batches?checks=simSwap`, {
      method: 'POST',
      headers: { ...service.credentials, 'content-type': 'text/csv' },
    })
    sending.on('error', () => undefined)
    sending.write(csvOf(ordinaryNumbers(3000)))
    while ((await stored()).length < 20) await wait(10)
    sending.destroy()
    while ((await stored()).length > 0) await wait(10)
  })

  test(`a batch expires with its numbers and results (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t), { settings: { batchRetentionSeconds: 3600 } })
    const { send, read, text } = batchCalls(service)
    const runner = batchRunner(service.parts)
    t.after(() => runner.close())
    const { body } = await send(csvOf(ordinaryNumbers(10)), { key: 'k' })
    await runner.round()
    service.clock.advance({ seconds: 3599 })
    assert.equal((await read(body.batchId)).status, 'completed')
    service.clock.advance({ seconds: 1 })
    assert.equal((await text(body.batchId)).status, 404)
    const anew = await send(csvOf(ordinaryNumbers(10)), { key: 'k' })
    assert.notEqual(anew.body.batchId, body.batchId)
    service.clock.advance({ seconds: 3600 })
    await dropBatches(service.parts)
    for (const table of ['telecom_batch', 'telecom_batch_part'])
      assert.deepEqual(await service.parts.database.query(`select 1 as one from ${table}`), [])
  })
})

test('broken lines have an error each, with their number, and the others are checked', async (t) => {
  const service = await startTestService(t, await open(t))
  const { send, results, read } = batchCalls(service)
  const runner = batchRunner(service.parts)
  t.after(() => runner.close())
  const lines = [
    '{"phoneNumber":"917020141726","ref":1,"ok":true,"none":null}',
    '',
    '{"phoneNumber":"917020141726"',
    '[]',
    '{"phoneNumber":917020141726}',
    '{"phoneNumber":"917020141727","deep":{}}',
    '{"phoneNumber":"917020141727","big":12345678901234567890}',
    `{"phoneNumber":"917020141727","pad":"${'x'.repeat(3000)}"}`,
    '{"phoneNumber":"917020141727","line":"1"}',
    '{"phoneNumber":"917020141727","__proto__":"1"}',
    '{"phoneNumber":"917020141728"}',
  ]
  const bytes = Buffer.concat([Buffer.from(`${lines.join('\n')}\n`), Buffer.from([0xff, 0xfe, 0x0a])])
  const sent = await send(bytes, { type: `${ndjson}; charset=utf-8` })
  assert.equal(sent.status, 200, JSON.stringify(sent.body))
  await runner.round()
  const all = await results(sent.body.batchId)
  assert.deepEqual(
    all.map(({ line, error }) => [line, error?.errorCode]),
    [[1, undefined], ...[3, 4, 5, 6, 7, 8, 9, 10].map((line) => [line, 'P7351']), [11, undefined], [12, 'P7351']],
  )
  assert.deepEqual(all[0]!.data, { ref: '1', ok: 'true' })
  const { counts, errors } = await read(sent.body.batchId)
  assert.deepEqual([counts.total, counts.answered, counts.invalid, errors], [11, 2, 9, { P7351: 9 }])
})

test('results are read in parts, as NDJSON or CSV, from any line on', async (t) => {
  const service = await startTestService(t, await open(t))
  const { send, results, text } = batchCalls(service)
  const runner = batchRunner(service.parts)
  t.after(() => runner.close())
  // Empty lines have numbers too.
  const numbers = ordinaryNumbers(250)
  const { body } = await send(['phoneNumber', ...Array(500).fill(''), ...numbers].join('\n'))
  await runner.round()
  const lineOf = (index: number) => 502 + index
  for (const after of [0, 1, 501, 502, 601, 602, 603, 700, 751]) {
    const expected = numbers.map((_, index) => lineOf(index)).filter((line) => line > after)
    assert.deepEqual(
      (await results(body.batchId, after)).map(({ line }) => line),
      expected,
      `after ${after}`,
    )
  }
  const csv = await text(body.batchId, '', { accept: 'text/csv' })
  assert.match(csv.type, /^text\/csv/)
  assert.match(csv.text, /^phoneNumber,line,operator,/)
  assert.equal(csv.text.trimEnd().split('\n').length, 251)
  assert.equal((await text(body.batchId, '?format=csv&after=751')).text, '')
  assert.equal((await text(body.batchId, '?after=x')).status, 400)
})

test('no cell of a CSV of results is a formula of a spreadsheet', async (t) => {
  const service = await startTestService(t, await open(t))
  const { send, text, results } = batchCalls(service)
  const runner = batchRunner(service.parts)
  t.after(() => runner.close())
  const attack = '=HYPERLINK("http://attacker.example")'
  const { body } = await send(
    [`phoneNumber,${attack.replaceAll('"', "'")}`, `917020141726,"${attack.replaceAll('"', '""')}"`, '@SUM(1),x'].join(
      '\n',
    ),
  )
  await runner.round()
  const { text: csv } = await text(body.batchId, '?format=csv')
  for (const cell of csv.split(/[\n,]/)) assert.doesNotMatch(cell, /^"?\s*[=+\-@]/, cell)
  assert.equal(Object.values((await results(body.batchId))[0]!.data!)[0], attack, 'NDJSON has it as it was sent')
})

test('an empty cell stays empty when its column has the name of a member of each object', async (t) => {
  const service = await startTestService(t, await open(t))
  const { send, text } = batchCalls(service)
  const runner = batchRunner(service.parts)
  t.after(() => runner.close())
  const lines = ['{"phoneNumber":"917020141726","constructor":"a"}', '{"phoneNumber":"917020141727"}']
  const { body } = await send(lines.join('\n'), { type: ndjson })
  await runner.round()
  const [head, first, second] = (await text(body.batchId, '?format=csv')).text.split('\n')
  assert.match(head!, /^phoneNumber,constructor,line,/)
  assert.match(first!, /^917020141726,a,1,/)
  assert.match(second!, /^917020141727,,2,/)
})

test('refuses what cannot be a batch, and says what to do', async (t) => {
  const service = await startTestService(t, await open(t), { settings: { batchLinesPerTenant: 600 } })
  const { send } = batchCalls(service)
  const refusals: [string | Uint8Array, Parameters<typeof send>[1], number, RegExp][] = [
    ['917020141726\n', {}, 400, /first line of CSV must name its columns/],
    ['phoneNumber\n', {}, 400, /has no lines/],
    ['', {}, 400, /has no lines/],
    ['phoneNumber,line\n917020141726,1', {}, 400, /must not be named line/],
    ['phoneNumber,a,a\n917020141726,1,2', {}, 400, /two columns are named a/],
    [Buffer.from('\ufeffphoneNumber\n917020141726', 'utf16le'), {}, 400, /UTF-16/],
    [csvOf(ordinaryNumbers(1)), { type: 'application/json' }, 415, /text\/csv or application\/x-ndjson/],
    [csvOf(ordinaryNumbers(1)), { headers: { 'content-encoding': 'gzip' } }, 415, /not compressed/],
    [csvOf(ordinaryNumbers(1)), { checks: 'simSwap:maxAge=0' }, 400, /maxAge/],
    [csvOf(ordinaryNumbers(1)), { checks: 'tenure' }, 400, /since/],
    [csvOf(ordinaryNumbers(1)), { key: 'with space' }, 400, /Idempotency-Key/],
  ]
  for (const [body, options, status, reason] of refusals) {
    const response = await fetch(
      `${service.url}/v1/telecom/batches?${new URLSearchParams({ checks: options?.checks ?? 'simSwap' })}`,
      {
        method: 'POST',
        headers: {
          ...service.credentials,
          'content-type': options?.type ?? 'text/csv',
          ...(options?.key !== undefined && { 'idempotency-key': options.key }),
          ...options?.headers,
        },
        body: body as string,
      },
    )
    const text = `${await response.text()} ${response.headers.get('x-ringfence-notice')}`
    assert.equal(response.status, status, text)
    assert.match(text, reason)
  }
  assert.deepEqual(await service.parts.database.query('select 1 as one from telecom_batch'), [])
  const many = Array.from({ length: 100_001 }, () => '1').join('\n')
  const tooMany = await send(`phoneNumber\n${many}`)
  assert.deepEqual([tooMany.status, tooMany.body.errorCode], [400, 'P7357'])
  const huge = await send(`phoneNumber\n${'x'.repeat(33 * 2 ** 20)}`)
  assert.deepEqual([huge.status, huge.body.errorCode], [413, '70413'])
  assert.equal((await send(csvOf(ordinaryNumbers(500)))).status, 200)
  const limited = await send(csvOf(ordinaryNumbers(1)))
  assert.deepEqual([limited.status, limited.body.errorCode], [409, 'P7356'])
})

test('a line that never ends takes no more memory than a line may', async (t) => {
  const service = await startTestService(t, await open(t))
  const { send, results } = batchCalls(service)
  const runner = batchRunner(service.parts)
  t.after(() => runner.close())
  const { body } = await send(`phoneNumber\n${'9'.repeat(20 * 2 ** 20)}\n917020141726\n`)
  await runner.round()
  const [broken, fine] = await results(body.batchId)
  assert.match(broken!.error!.description, /more than 2048 bytes/)
  assert.equal(fine!.line, 3)
})
