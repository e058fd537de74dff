import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { endpoints } from '@ringfence/contract'
import { sqliteDatabases } from '../../testing/databases.ts'
import { exchangeRaw } from '../../testing/raw-http.ts'
import { startTestService, type TestService } from '../../testing/test-service.ts'
import { until } from '../../testing/until.ts'

const health = 'GET /health HTTP/1.1\r\nhost: x\r\n\r\n'
const last = 'GET /health HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n'
const statusesOf = (answer: string) => [...answer.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status))

const started = async (t: Parameters<typeof startTestService>[0]) => startTestService(t, await sqliteDatabases.open(t))

/** The request that creates a list, and whether somebody created it. */
function creation({ credentials, post }: TestService, name: string) {
  const body = JSON.stringify({ name, kind: 'email', purpose: 'block' })
  const headers = `clientId: ${credentials.clientId}\r\nclientSecret: ${credentials.clientSecret}\r\ncontent-type: application/json`
  return {
    request: `POST ${endpoints.createList.path} HTTP/1.1\r\nhost: x\r\n${headers}\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    async isDone() {
      const { lists } = (await post(endpoints.describeLists.path, {})).body as { lists: { name: string }[] }
      return lists.some((list) => list.name === name)
    },
  }
}

test('requests that are sent before their answers are answered in their order', async (t) => {
  const { url } = await started(t)
  const unknown = 'GET /unknown HTTP/1.1\r\nhost: x\r\n\r\n'
  assert.deepEqual(statusesOf(await exchangeRaw(url, health + unknown + health + last)), [200, 404, 200, 200])
})

test('a connection that sends many requests and reads no answer is closed, and holds nothing', async (t) => {
  const { url, parts } = await started(t)
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname).pause()
  socket.on('error', () => undefined)
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.write('GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(5))
  socket.write('GET /unknown HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(2_600))
  await wait(100)
  await until(() => parts.heavyWork.overload.waiting() === 0)
  assert.equal((await fetch(`${url}/health`)).status, 200)
  socket.resume()
  await closed
  assert.ok(socket.bytesRead < 30_000_000)
})

test('a request behind an answer that closes the connection is not executed', async (t) => {
  const service = await started(t)
  for (const [name, before] of [
    ['two-hosts', 'GET /health HTTP/1.1\r\nhost: x\r\nhost: y\r\n\r\n'],
    ['no-host', 'GET /health HTTP/1.1\r\n\r\n'],
    ['other-host', 'GET http://evil.example/health HTTP/1.1\r\nhost: x\r\n\r\n'],
    [
      'chunks-in-http10',
      'POST /v1/x HTTP/1.0\r\nconnection: keep-alive\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['other-coding', 'POST /v1/x HTTP/1.1\r\nhost: x\r\ntransfer-encoding: gzip, chunked\r\n\r\n0\r\n\r\n'],
    ['asked-to-close', last],
  ] as const) {
    const behind = creation(service, name)
    const statuses = statusesOf(await exchangeRaw(service.url, before + behind.request))
    assert.deepEqual([statuses, await behind.isDone()], [[name === 'asked-to-close' ? 200 : 400], false], name)
  }
})

test('bytes that are no request are never read as the answer of the request before them', async (t) => {
  const service = await started(t)
  for (const [name, behind] of Object.entries({
    garbage: 'GARBAGE\r\n\r\n',
    'bad-header': 'GET /health HTTP/1.1\r\nHost : x\r\n\r\n',
  })) {
    const { request, isDone } = creation(service, name)
    assert.deepEqual([statusesOf(await exchangeRaw(service.url, request + behind)), await isDone()], [[200], true])
  }
  assert.deepEqual(statusesOf(await exchangeRaw(service.url, 'GARBAGE\r\n\r\n')), [405])
})
