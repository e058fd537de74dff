// How does a test script the responses of an upstream? A server on loopback that records the requests.

import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer, type ServerOptions } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { bodyOf } from '../../testing/body-of.ts'

export interface Received {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: string
  /** The client port, which identifies the connection. */
  port: number
}

/** `reset` breaks the connection, `silence` never answers. A string body is sent unchanged, everything else as JSON. */
export type Reply = { status?: number; headers?: Record<string, string>; body?: unknown } | 'reset' | 'silence'

export interface ScriptedUpstream {
  url: string
  received: Received[]
}

/** Closed with the test. */
export async function scriptedUpstream(
  t: TestContext,
  reply: (request: Received, count: number) => Reply | Promise<Reply>,
  tls?: ServerOptions,
): Promise<ScriptedUpstream> {
  const received: Received[] = []
  const handle = async (incoming: IncomingMessage, response: ServerResponse) => {
    const body = await bodyOf(incoming)
    const { method = '', url = '', headers, socket } = incoming
    const request = { method, path: url, headers, body, port: socket.remotePort ?? 0 }
    received.push(request)
    const answer = await reply(request, received.length)
    if (answer === 'silence') return
    if (answer === 'reset') {
      socket.resetAndDestroy()
      return
    }
    const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body ?? {})
    response.writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...answer.headers }).end(text)
  }
  const server = tls ? createTlsServer(tls, handle) : createServer(handle)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return { url: `${tls ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}`, received }
}

/** The usual response of a token endpoint. */
export const grant = (token = 'token-1', more: object = {}): Reply => ({
  body: { access_token: token, token_type: 'Bearer', expires_in: 3600, ...more },
})
