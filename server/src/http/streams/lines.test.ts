import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sqliteDatabases } from '../../testing/databases.ts'
import { startTestService } from '../../testing/test-service.ts'
import { whileRead } from './lines.ts'

test('an answer of lines is ended when its reader stops, and not while it reads or waits for the next text', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let stops = 0
  async function* texts() {
    yield 'first\n'
    t.mock.timers.tick(5000) // a slow store is not a slow reader
    yield 'second\n'
    yield 'third\n'
  }
  const reading = whileRead(texts(), () => stops++, 1000)
  await reading.next()
  t.mock.timers.tick(999)
  await reading.next()
  assert.equal(stops, 0)
  t.mock.timers.tick(1000)
  assert.equal(stops, 1)
  await reading.return(undefined)
  t.mock.timers.tick(5000)
  assert.equal(stops, 1)
})

test('lines in another charset than UTF-8 are refused, as they would be read wrong', async (t) => {
  const { url, credentials } = await startTestService(t, await sqliteDatabases.open(t))
  const send = async (type: string) => {
    const headers = { ...credentials, 'content-type': type }
    const body = 'phoneNumber\n917020141726\n'
    const response = await fetch(`${url}/v1/telecom/batches?checks=simSwap`, { method: 'POST', headers, body })
    return { status: response.status, body: (await response.json()) as { description?: string } }
  }
  for (const charset of ['iso-8859-1', '"windows-1252"', 'UTF-16', '']) {
    const { status, body } = await send(`text/csv; header=present; charset=${charset}`)
    assert.equal(status, 400, charset)
    assert.match(body.description ?? '', /its charset is another than UTF-8: convert it/)
  }
  for (const type of ['text/csv', 'text/csv; charset=utf-8', 'text/csv;CHARSET="UTF8"', 'text/csv; charset=us-ascii']) {
    const { status, body } = await send(type)
    assert.ok(status < 300, `${type}: ${JSON.stringify(body)}`)
  }
})
