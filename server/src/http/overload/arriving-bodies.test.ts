import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { type TestContext, test } from 'node:test'
import { arrivingBodies } from './arriving-bodies.ts'

/** A server whose incomplete bodies may take 1,000 bytes together, and each body 800. It answers with the length of the body. */
async function bounded(t: TestContext) {
  const read = arrivingBodies(1000)
  const server = createServer((request, response) => {
    const answer = (status: number, text: string) => {
      response.statusCode = status
      response.setHeader('connection', 'close').end(text)
    }
    read(request, 800, {
      done: (body) => (body ? answer(200, String(body.length)) : answer(413, '')),
      refuse: () => answer(503, ''),
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return async (sent: number, headers = 'content-length: 700') => {
    const requested = once(server, 'request')
    const socket = connect(port, '127.0.0.1').setEncoding('utf8')
    const ended = Promise.withResolvers<string>()
    let answer = ''
    socket.on('data', (text) => {
      answer += text
    })
    socket.on('error', () => undefined)
    socket.on('close', () => ended.resolve(answer))
    socket.write(`POST / HTTP/1.1\r\nhost: x\r\n${headers}\r\n\r\n`)
    const [request] = await requested
    const seen = (bytes: number) =>
      new Promise<void>((resolve) => {
        let length = 0
        request.on('data', (chunk: Buffer) => {
          length += chunk.length
          if (length >= bytes) resolve()
        })
      })
    const send = async (bytes: number) => {
      const arrived = seen(bytes)
      socket.write('x'.repeat(bytes))
      await arrived
    }
    if (sent > 0) await send(sent)
    const answerOf = async () => /^HTTP\/1\.1 (\d+)[\s\S]*\r\n\r\n([\s\S]*)$/.exec(await ended.promise)?.slice(1)
    return { send, answer: answerOf, socket }
  }
}

test('refuses the body that began first when the incomplete ones take too much, and reads the others', {
  timeout: 30_000,
}, async (t) => {
  const open = await bounded(t)
  const first = await open(600)
  const second = await open(300)
  const third = await open(200)
  assert.equal((await first.answer())?.[0], '503')
  for (const [body, rest] of [
    [second, 400],
    [third, 500],
  ] as const) {
    await body.send(rest)
    assert.deepEqual(await body.answer(), ['200', '700'])
  }
})

test('counts no body any more that is complete, too large, or whose caller is gone', async (t) => {
  const open = await bounded(t)
  for (let round = 0; round < 3; round++) {
    const complete = await open(600)
    await complete.send(100)
    assert.deepEqual(await complete.answer(), ['200', '700'])
    const tooLarge = await open(0, 'transfer-encoding: chunked')
    tooLarge.socket.write(`384\r\n${'x'.repeat(900)}\r\n`)
    assert.equal((await tooLarge.answer())?.[0], '413')
    const gone = await open(600)
    gone.socket.destroy()
    await gone.answer()
  }
  const last = await open(650)
  const small = await open(300)
  await last.send(50)
  assert.deepEqual(await last.answer(), ['200', '700'])
  await small.send(400)
  assert.deepEqual(await small.answer(), ['200', '700'])
})
