// Puts load on a server: keep-alive connections with one request in flight each, on raw sockets to save CPU.

import { connect, type Socket } from 'node:net'
import { quantile } from '../../quantiles.ts'
import { answerParent } from './processes.ts'

export interface Load {
  /** "http://127.0.0.1:8080" */
  readonly url: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** Sent by POST in turn; the next run continues where the last one ended. */
  readonly bodies: readonly string[]
  readonly connections: number
  /** Requests arrive at random, so many a second on average; each is timed from the moment at which it was due. */
  readonly perSecond?: number
  /** The load ends after this many requests or after this time. */
  readonly requests: number
  readonly limitMs: number
}

export interface LoadResult {
  answered: number
  elapsedMs: number
  p50Ms: number
  p99Ms: number
  /** The first answer that was not 200, or the first error. */
  unexpected?: string
}

let nextBody = 0

async function run({
  url,
  path,
  headers,
  bodies,
  connections,
  perSecond,
  requests,
  limitMs,
}: Load): Promise<LoadResult> {
  const { host, hostname, port } = new URL(url)
  const head = Object.entries({ host, 'content-type': 'application/json', ...headers })
  const messages = bodies.map((body) =>
    Buffer.from(
      [
        `POST ${path} HTTP/1.1`,
        ...head.map(([name, value]) => `${name}: ${value}`),
        `content-length: ${Buffer.byteLength(body)}`,
        '',
        body,
      ].join('\r\n'),
    ),
  )
  const latenciesMs = new Float64Array(requests)
  let sent = 0
  let answered = 0
  let unexpected: string | undefined
  let dueMs = 0
  const startedAt = performance.now()
  const endAt = startedAt + limitMs

  /** Sends requests on one connection until the load is done. */
  const ask = (socket: Socket) =>
    new Promise<void>((resolve) => {
      let sentAt = 0
      let received: Buffer | undefined
      const send = () => {
        sentAt = performance.now()
        if (sent >= requests || sentAt >= endAt || unexpected !== undefined) return resolve()
        sent++
        const message = messages[nextBody++ % messages.length]!
        if (perSecond === undefined) return void socket.write(message)
        dueMs += (-Math.log(1 - Math.random()) * 1000) / perSecond
        const waitMs = startedAt + dueMs - sentAt
        sentAt += waitMs
        setTimeout(() => socket.write(message), Math.max(0, waitMs))
      }
      const fail = (what: string) => {
        unexpected ??= what
        resolve()
      }
      socket.on('data', (chunk: Buffer) => {
        received = received ? Buffer.concat([received, chunk]) : chunk
        const headEnd = received.indexOf('\r\n\r\n')
        if (headEnd < 0) return
        const answerHead = received.toString('latin1', 0, headEnd)
        const length = /\r\ncontent-length: (\d+)/i.exec(answerHead)?.[1]
        if (length === undefined) return fail(`no content-length: ${answerHead}`)
        if (received.length < headEnd + 4 + Number(length)) return
        if (!answerHead.startsWith('HTTP/1.1 200 ')) return fail(received.toString())
        received = undefined
        latenciesMs[answered++] = performance.now() - sentAt
        send()
      })
      socket.on('error', (error) => fail(error.message))
      socket.on('close', () => fail('the server closed a connection'))
      send()
    })

  const sockets = Array.from({ length: connections }, () =>
    connect({ host: hostname, port: Number(port), noDelay: true }),
  )
  await Promise.all(sockets.map(ask))
  const elapsedMs = performance.now() - startedAt
  for (const socket of sockets) socket.destroy()
  const latencies = latenciesMs.subarray(0, answered)
  return {
    answered,
    elapsedMs,
    p50Ms: quantile(latencies, 0.5),
    p99Ms: quantile(latencies, 0.99),
    ...(unexpected !== undefined && { unexpected }),
  }
}

answerParent(run)
