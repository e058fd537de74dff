// Does a refusal reach a client that is still sending?

import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { endpoints } from '@ringfence/contract'
import { sqliteDatabases } from '../../testing/databases.ts'
import { fill } from '../../testing/fill-overload.ts'
import { startTestService, type TestService } from '../../testing/test-service.ts'

const { open } = sqliteDatabases
const check = endpoints.simSwapCheck.path

/** Sends a body in pieces, each when the one before has left, and reads nothing before all of it was sent: as a simple client does. */
async function sendFirst(url: string, head: string, bytes: number) {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  let failure: string | undefined
  socket.pause().on('error', ({ message }) => {
    failure = message
  })
  const piece = Buffer.alloc(16_384, 'x')
  socket.write(head)
  for (let sent = 0; sent < bytes && failure === undefined; sent += piece.length)
    await new Promise((resolve) => socket.write(piece.subarray(0, Math.min(piece.length, bytes - sent)), resolve))
  const closed = Promise.withResolvers<void>()
  let received = ''
  socket.setEncoding('utf8').on('close', closed.resolve)
  socket.on('data', (text) => {
    received += text
    if (/\r\n\r\n.*\}$/s.test(received)) socket.destroy()
  })
  socket.resume()
  await closed.promise
  return { status: Number(received.split(' ')[1]), failure }
}

const headOf = (method: string, path: string, bytes: number, service?: TestService) =>
  [
    `${method} ${path} HTTP/1.1`,
    'host: x',
    'content-type: application/json',
    `content-length: ${bytes}`,
    ...(service ? Object.entries(service.credentials).map(([name, value]) => `${name}: ${value}`) : []),
    '',
    '',
  ].join('\r\n')

test('a refusal reaches a client that sends a large body before it reads', { timeout: 60_000 }, async (t) => {
  const service = await startTestService(t, await open(t))
  const bytes = 3_000_000
  for (const [what, status, head] of [
    ['too large', 413, headOf('POST', check, bytes, service)],
    ['too large, from a stranger', 401, headOf('POST', check, bytes)],
    ['for no endpoint', 404, headOf('POST', '/nothing', bytes)],
    ['with a GET', 401, headOf('GET', '/admin/v1/me', bytes)],
    ['of a preflight', 404, headOf('OPTIONS', '/nothing', bytes)],
    ['of lines, of another type', 415, headOf('POST', `${endpoints.createBatch.path}?checks=simSwap`, bytes, service)],
    ['of lines, from a stranger', 401, headOf('POST', `${endpoints.createBatch.path}?checks=simSwap`, bytes)],
  ] as const)
    assert.deepEqual(await sendFirst(service.url, head, bytes), { status, failure: undefined }, what)
})

test('a refusal because of overload reaches a client that sends a large body before it reads', async (t) => {
  const service = await startTestService(t, await open(t), { settings: { overloadDelayMs: 5 } })
  await fill(service.parts.heavyWork.overload)
  const bytes = 3_000_000
  assert.deepEqual(await sendFirst(service.url, headOf('POST', check, bytes, service), bytes), {
    status: 503,
    failure: undefined,
  })
})

test('closes the connection of a client that goes on sending after its refusal', { timeout: 60_000 }, async (t) => {
  const service = await startTestService(t, await open(t))
  const { failure } = await sendFirst(service.url, headOf('POST', check, 2 ** 31, service), 2 ** 31)
  assert.match(failure ?? '', /EPIPE|ECONNRESET/)
})

test('closes the connection of a client that does not send the rest', { timeout: 60_000 }, async (t) => {
  const { url } = await startTestService(t, await open(t), { settings: { requestTimeoutMs: 200 } })
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname).setEncoding('utf8')
  let received = ''
  socket.on('data', (text) => {
    received += text
  })
  socket.on('error', () => undefined)
  socket.write(headOf('POST', check, 1_000_000))
  await new Promise((resolve) => socket.on('close', resolve))
  assert.deepEqual(received.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 401'])
})

test('an answered request whose rest cannot be read gets no second answer', { timeout: 60_000 }, async (t) => {
  const { url } = await startTestService(t, await open(t))
  const { hostname, port } = new URL(url)
  for (const [rest, statuses] of [
    ['no chunk\r\n', ['401']],
    ['0\r\n\r\nno request\r\n\r\n', ['401', '405']],
    ['0\r\n\r\nGET /health HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n', ['401', '200']],
  ] as const) {
    const socket = connect(Number(port), hostname).setEncoding('utf8')
    let received = ''
    socket.on('error', () => undefined)
    socket.on('data', (text) => {
      if (received === '') socket.write(rest)
      received += text
    })
    socket.write(headOf('POST', check, 0).replace('content-length: 0', 'transfer-encoding: chunked'))
    socket.write(`f4240\r\n${'x'.repeat(1_000_000)}\r\n`)
    await new Promise((resolve) => socket.on('close', resolve))
    assert.deepEqual(
      [...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status),
      statuses,
    )
  }
})
