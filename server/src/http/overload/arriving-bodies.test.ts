import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { type TestContext, test } from 'node:test'
import fc from 'fast-check'
import { atEnd } from '../../testing/at-end.ts'
import { exchangeRaw } from '../../testing/raw-http.ts'
import { arrivingBodies } from './arriving-bodies.ts'

/** A server whose incomplete bodies may have 1,000 bytes in three chunks together, and each 800. It answers with the length of the body. */
async function bounded(t: TestContext) {
  const read = arrivingBodies(1000 + 3 * 600)
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
  atEnd(t, () => {
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

test('a body that arrives byte by byte counts for the memory that it takes', { timeout: 30_000 }, async (t) => {
  const open = await bounded(t)
  const slow = await open(0)
  for (let sent = 0; sent < 5; sent++) await slow.send(1)
  assert.equal((await slow.answer())?.[0], '503')
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

/** A server that answers with the bytes of the body, or 413. */
async function echoing(t: TestContext, limitBytes: number): Promise<string> {
  const read = arrivingBodies()
  const server = createServer((request, response) => {
    read(request, limitBytes, {
      done: (body) => response.writeHead(body ? 200 : 413, { 'content-length': body?.length ?? 0 }).end(body),
      refuse: () => response.writeHead(503).end(),
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(t, () => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const bodyOf = (bytes: number) => Buffer.from(Array.from({ length: bytes }, (_, at) => 97 + (at % 26)))

test('a body arrives as it was sent, whatever its length, in one write', async (t) => {
  const url = await echoing(t, 262_144)
  for (const length of [0, 1, 16_384, 65_400, 65_485, 65_500, 65_536, 66_000, 100_000, 131_000, 140_000, 262_144]) {
    const sent = bodyOf(length)
    const response = await fetch(url, { method: 'POST', body: sent })
    assert.equal(response.status, 200, String(length))
    assert.ok(sent.equals(Buffer.from(await response.arrayBuffer())), String(length))
  }
  for (const length of [262_145, 300_000])
    assert.equal((await fetch(url, { method: 'POST', body: bodyOf(length) })).status, 413, String(length))
})

test('a body in chunks arrives whole, or is too large as a whole', async (t) => {
  const limitBytes = 2000
  const url = await echoing(t, limitBytes)
  const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 900 }), { maxLength: 6 }), async (lengths) => {
      const texts = lengths.map((length, at) => String.fromCharCode(97 + at).repeat(length))
      const head = 'POST / HTTP/1.1\r\nhost: x\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n'
      const answer = await exchangeRaw(url, `${head}${texts.map(chunk).join('')}0\r\n\r\n`)
      const whole = texts.join('')
      const isLarge = whole.length > limitBytes
      assert.match(answer, isLarge ? /^HTTP\/1.1 413 / : /^HTTP\/1.1 200 /)
      assert.equal(answer.slice(answer.indexOf('\r\n\r\n') + 4), isLarge ? '' : whole)
    }),
    { numRuns: 60 },
  )
})
