// How does the service behave under load? Requests at a fixed rate (an open loop) or as fast as answers come (a closed loop),
// from a separate process on raw keep-alive sockets, so that the load generator costs little CPU.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'

export interface Load {
  /** "http://127.0.0.1:8080" */
  url: string
  /** Complete HTTP/1.1 requests, sent in turn. */
  requests: string[]
  /** Each connection has at most one request in flight. */
  connections: number
  durationMs: number
  /** Nothing is measured for this long, until the load has settled. */
  settlesInMs?: number
  /** Requests per second, evenly spread; without it each connection sends its next request after each answer. */
  perSecond?: number
  /** A connection that got 503 rests for Retry-After, as a good client does. */
  honoursRetryAfter?: boolean
}

export interface LoadResult {
  /** How long the measurement lasted, and how long the load ran. */
  elapsedMs: number
  runMs: number
  sent: number
  /** All answers of the run, those before the measurement included. */
  answered: { succeeded: number; refused: number }
  /** Answers with a result, by latency since the moment at which the request was due. */
  succeeded: Latencies
  /** Answers of 200 with success false, and other answers by status. */
  failed: Latencies
  refused: Record<number, Latencies>
  /** Requests that found no free connection, so the client gave them up. */
  notSent: number
  /** Connections that were closed or reset before their answer. */
  dropped: number
  /** The 503 answers without Retry-After. */
  withoutRetryAfter: number
  cpuSeconds: number
}

export interface Latencies {
  count: number
  p50Ms: number
  p99Ms: number
  maxMs: number
}

/** The HTTP/1.1 request, as text. */
export function requestText(path: string, headers: Readonly<Record<string, string>>, body: unknown): string {
  const text = JSON.stringify(body)
  const lines = Object.entries({ host: 'localhost', 'content-type': 'application/json', ...headers })
  return [
    `POST ${path} HTTP/1.1`,
    ...lines.map(([name, value]) => `${name}: ${value}`),
    `content-length: ${Buffer.byteLength(text)}`,
    '',
    text,
  ].join('\r\n')
}

/** Sends the load from a separate process, and returns the result. `opened` runs when all connections are open, before any request. */
export async function offerLoad(load: Load, opened: () => unknown = () => undefined): Promise<LoadResult> {
  const child = fork(fileURLToPath(import.meta.url), { execArgv: [], serialization: 'advanced' })
  const next = async () => (await Promise.race([once(child, 'message'), once(child, 'exit')])) as unknown[]
  try {
    child.send(load)
    const [isOpen] = await next()
    if (isOpen !== 'open') throw new Error(`the load ended early (${isOpen})`)
    await opened()
    child.send('go')
    const [result] = (await next()) as [LoadResult | number]
    if (typeof result !== 'object' || result === null) throw new Error(`the load ended early (${result})`)
    return result
  } finally {
    child.kill('SIGKILL')
  }
}

async function generate({
  url,
  requests,
  connections,
  durationMs,
  settlesInMs = 0,
  perSecond,
  honoursRetryAfter = false,
}: Load): Promise<LoadResult> {
  const { hostname, port } = new URL(url)
  const messages = requests.map((text) => Buffer.from(text))
  const latencies = new Map<string, number[]>()
  const free: Connection[] = []
  let sent = 0
  let notSent = 0
  let dropped = 0
  let withoutRetryAfter = 0
  let underWay = 0
  const answered = { succeeded: 0, refused: 0 }

  interface Connection {
    socket: Socket
    dueAt: number
    busy: boolean
    received: string
  }

  function send(connection: Connection, dueAt: number): void {
    connection.dueAt = dueAt
    connection.busy = true
    underWay++
    connection.socket.write(messages[sent++ % messages.length]!)
  }

  function next(connection: Connection): void {
    const now = performance.now()
    if (perSecond === undefined && now < endAt) send(connection, now)
    else free.push(connection)
  }

  function read(connection: Connection, text: string): void {
    connection.received += text
    const headEnd = connection.received.indexOf('\r\n\r\n')
    if (headEnd < 0) return
    const length = /\r\ncontent-length: (\d+)/i.exec(connection.received)?.[1]
    if (connection.received.length < headEnd + 4 + Number(length)) return
    let outcome = connection.received.slice(9, 12)
    if (outcome === '200' && connection.received.includes('"success":false')) outcome = 'failed'
    const seconds = outcome === '503' ? /\r\nretry-after: (\d+)/i.exec(connection.received)?.[1] : '0'
    if (seconds === undefined) withoutRetryAfter++
    connection.received = ''
    connection.busy = false
    underWay--
    if (outcome === '200') answered.succeeded++
    else if (outcome === '503') answered.refused++
    if (connection.dueAt >= measureFrom) {
      const list = latencies.get(outcome) ?? []
      list.push(performance.now() - connection.dueAt)
      latencies.set(outcome, list)
    }
    if (honoursRetryAfter && Number(seconds) > 0) setTimeout(() => next(connection), Number(seconds) * 1000).unref()
    else next(connection)
  }

  async function open(): Promise<Connection> {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true })
    const connection: Connection = { socket, dueAt: 0, busy: false, received: '' }
    await once(socket, 'connect')
    // Headers are ASCII. The length of a body in characters does not matter, as long as no answer is truncated.
    socket.setEncoding('latin1')
    socket.on('data', (text) => read(connection, String(text)))
    socket.on('error', () => undefined)
    socket.on('close', () => {
      const at = free.indexOf(connection)
      if (at >= 0) free.splice(at, 1)
      if (!connection.busy) return
      connection.busy = false
      underWay--
      dropped++
    })
    return connection
  }

  const opened: Connection[] = []
  while (opened.length < connections) {
    opened.push(...(await Promise.all(Array.from({ length: Math.min(100, connections - opened.length) }, open))))
  }
  process.send?.('open')
  await once(process, 'message')
  const startedAt = performance.now()
  const startCpu = process.cpuUsage()
  const measureFrom = startedAt + settlesInMs
  const endAt = startedAt + settlesInMs + durationMs
  if (perSecond === undefined) for (const connection of opened) next(connection)
  else {
    free.push(...opened)
    for (let due = 0; performance.now() < endAt; ) {
      const dueNow = Math.floor(((performance.now() - startedAt) / 1000) * perSecond)
      for (; due < dueNow; due++) {
        const dueAt = startedAt + (due / perSecond) * 1000
        const connection = free.pop()
        if (connection) send(connection, dueAt)
        else notSent++
      }
      // Not in every turn of the event loop: a busy generator would take CPU from the service.
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
  }
  const giveUpAt = endAt + 5000
  while ((underWay > 0 || performance.now() < endAt) && performance.now() < giveUpAt) {
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  for (const { socket } of opened) socket.destroy()
  const { user, system } = process.cpuUsage(startCpu)
  return {
    elapsedMs: durationMs,
    runMs: settlesInMs + durationMs,
    sent,
    answered,
    succeeded: latenciesOf(latencies.get('200') ?? []),
    failed: latenciesOf(latencies.get('failed') ?? []),
    refused: Object.fromEntries(
      [...latencies].filter(([outcome]) => Number(outcome) > 200).map(([status, list]) => [status, latenciesOf(list)]),
    ),
    notSent,
    dropped: dropped + underWay,
    withoutRetryAfter,
    cpuSeconds: (user + system) / 1e6,
  }
}

/** Percentiles in milliseconds. */
export function latenciesOf(list: number[]): Latencies {
  const sorted = Float64Array.from(list).sort()
  const quantile = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  return { count: list.length, p50Ms: quantile(0.5), p99Ms: quantile(0.99), maxMs: quantile(1) }
}

if (import.meta.main && process.send) {
  process.once('message', async (load: Load) => {
    process.send?.(await generate(load))
  })
  process.on('disconnect', () => process.exit())
}
