// A tiny load balancer: round robin over the servers whose /ready answers 200. It never retries a request.

import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { setTimeout as after } from 'node:timers/promises'
import type { RunOptions } from '../promise.ts'
import { listening } from './local-server.ts'

export const pollEveryMs = 50

export interface Balancer {
  url: string
  /** Resolves when this many servers are ready. */
  untilReady(count: number): Promise<void>
}

/**
 * Balances between these URLs, which may come and go. What it knows of a server is at most `knownForMs` old, also when this process stood
 * still: a server that drains for longer gets no request after it has closed its port.
 */
export async function startBalancer(
  servers: readonly string[],
  knownForMs: number,
  run: Pick<RunOptions, 'after'>,
): Promise<Balancer> {
  const agent = new Agent({ keepAlive: true })
  const polling = new AbortController()
  const states = new Map<string, boolean>()
  /** When those were asked that answered 200. */
  const readyAt = new Map<string, number>()
  let ready: readonly string[] = []
  let turn = 0

  async function isReady(server: string): Promise<boolean> {
    const askedAt = performance.now()
    try {
      const response = await fetch(`${server}/ready`, { signal: AbortSignal.timeout(10_000) })
      await response.arrayBuffer()
      if (response.status === 200) readyAt.set(server, askedAt)
      return response.status === 200
    } catch {
      return false
    }
  }

  /** Of each server on its own: one that answers late must not hide that another one drains. */
  async function poll(server: string): Promise<void> {
    while (!polling.signal.aborted) {
      states.set(server, await isReady(server))
      const now = servers.filter((each) => states.get(each))
      // The last server stays, as with other balancers: on a busy machine its /ready may be late while it works.
      if (now.length > 0) ready = now
      await after(pollEveryMs)
    }
  }

  async function isStillReady(server: string): Promise<boolean> {
    while (performance.now() - (readyAt.get(server) ?? Number.NEGATIVE_INFINITY) > knownForMs) {
      if (!(await isReady(server))) return false
    }
    return true
  }

  async function next(): Promise<string | undefined> {
    for (let left = ready.length; left > 0; left--) {
      const server = ready[turn++ % ready.length]!
      if (await isStillReady(server)) return server
    }
    return ready[turn++ % ready.length]
  }

  async function forward(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const fail = (why: string) => {
      if (outgoing.headersSent) outgoing.destroy()
      else outgoing.writeHead(502).end(why)
    }
    const server = await next()
    if (server === undefined) {
      fail('no server is ready')
      return
    }
    const { method, url, headers } = incoming
    const inner = request(
      server + url,
      { method, headers: { ...headers, connection: 'keep-alive' }, agent },
      (answer) => {
        // How long a connection stays open is said by each hop for itself (RFC 9112, 9.3).
        const { connection: _, 'keep-alive': __, ...rest } = answer.headers
        outgoing.writeHead(answer.statusCode ?? 502, rest)
        answer.pipe(outgoing)
        answer.on('error', (error) => fail(error.message))
      },
    )
    inner.on('error', (error: NodeJS.ErrnoException) => fail(`${server}: ${error.code ?? error.message}`))
    incoming.pipe(inner)
  }

  run.after(() => agent.destroy())
  const url = await listening(createServer(forward), run)
  const polled = Promise.all(servers.map(poll))
  run.after(async () => {
    polling.abort()
    await polled
  })
  return {
    url,
    async untilReady(count) {
      while (ready.length < count) await after(pollEveryMs)
    },
  }
}
