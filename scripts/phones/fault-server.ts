// Which service do the phone SDKs call in fault tests? One that enforces sessions and challenges, and fails on request.

import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { bodyDigest, signedText } from '@ringfence/server/device/identity/signed-text.ts'
import { bodyOf } from '@ringfence/server/testing/body-of.ts'

/** An HTTP status, one of these faults, or fields that replace those of the usual answer. */
type Fault =
  | number
  | Readonly<Record<string, unknown>>
  | 'usual'
  | 'held'
  | 'held 503'
  | 'slow'
  | 'hangs'
  | 'breaks'
  | 'html'
  | 'list'
  | 'redirect'
  | 'huge'
  | 'deep'
  | 'no dfrId'
  | 'without analysis'
  | 'empty dfrId'

/** A test's plan: for each call by name (after `/sdk/v1/`) the next answers; after them the usual ones. */
type Plan = Record<string, Fault[]>

interface Run {
  readonly plan: Plan
  readonly calls: {
    name: string
    atMs: number
    body: unknown
    headers: IncomingMessage['headers']
    /** The text that the service expects a key to have signed for an engine call. */
    signedText?: string
  }[]
  /** How many calls got no answer, by their names. */
  readonly hung: Record<string, number>
  /** What is `held` is answered then. */
  readonly released: PromiseWithResolvers<void>
  session?: { id: string; token: string; challenge: string }
}

/** What happens outside the app, for example at a person's mailbox or at a backend. */
export type Outside = (query: Readonly<Record<string, string>>) => Promise<object> | object

export interface FaultServer {
  url: string
  close(): void
}

/**
 * `POST /runs` with a plan returns `{url}`, the base URL of a service that follows it; `GET <url>/calls` lists the calls it got,
 * `<url>/hung` counts those that it leaves without an answer, and `<url>/release` answers those that it held.
 * Any other path is the name of one of `outside`, whose answer it returns.
 */
export async function startFaultServer(outside: Readonly<Record<string, Outside>>): Promise<FaultServer> {
  const runs = new Map<string, Run>()
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)))
  })
  // When this process was stopped for a while, a server that ends idle connections also ends one with a call that has just arrived.
  server.keepAliveTimeout = 0
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', url)
    const body = request.method === 'POST' ? JSON.parse(await bodyOf(request)) : Object.fromEntries(searchParams)
    const happens = outside[pathname.slice(1)]
    if (happens) return json(response, 200, await happens(Object.fromEntries(searchParams)))
    if (pathname === '/runs') {
      const id = randomUUID()
      runs.set(id, { plan: body as Plan, calls: [], hung: {}, released: Promise.withResolvers() })
      return json(response, 200, { url: `${url}/${id}` })
    }
    const [, id = '', name = ''] = /^\/([^/]+)\/(?:sdk\/v1\/)?(.+)$/.exec(pathname) ?? []
    const run = runs.get(id)
    if (!run) return json(response, 404, {})
    if (name === 'calls') return json(response, 200, { calls: run.calls })
    if (name === 'hung') return json(response, 200, run.hung)
    if (name === 'release') {
      run.released.resolve()
      return json(response, 200, {})
    }
    const signed = name === 'intelligence' && { signedText: signedText({ ...body, bodyDigest: bodyDigest(body) }) }
    run.calls.push({ name, atMs: Date.now(), body, headers: request.headers, ...signed })
    await follow(run.plan[name]?.shift() ?? 'usual', name, body, run, request, response)
  }

  return {
    url,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

async function follow(
  fault: Fault,
  name: string,
  body: Record<string, unknown>,
  run: Run,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  switch (fault) {
    case 'hangs':
      run.hung[name] = (run.hung[name] ?? 0) + 1
      return
    case 'held':
      await run.released.promise
      break
    case 'held 503':
      await run.released.promise
      return follow(503, name, body, run, request, response)
    case 'breaks':
      response.writeHead(200, { 'content-length': '100' }).write('{', () => request.socket.destroy())
      return
    case 'html':
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Wi-Fi</title>')
      return
    case 'list':
      return json(response, 200, [])
    case 'redirect':
      // A client that follows it calls `elsewhere/…` of the same run.
      response.writeHead(307, { location: `${request.url?.replace('/sdk/v1/', '/elsewhere/')}` }).end()
      return
    case 'huge':
      response.writeHead(200, { 'content-type': 'application/json' }).end(`{"dfrId":"${'0'.repeat(4 << 20)}"}`)
      return
    case 'deep':
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(`{"dfrId":"d","nextChallenge":"c","deep":${'['.repeat(500)}${']'.repeat(500)}}`)
      return
    case 'no dfrId':
      return json(response, 200, { requestId: body.requestId })
    case 'empty dfrId':
      return json(response, 200, { dfrId: '' })
    case 'slow':
      await new Promise((resolve) => setTimeout(resolve, 300))
      break
    case 'usual':
    case 'without analysis':
      break
    default:
      if (typeof fault !== 'number') break
      if (fault === 401) delete run.session
      return json(response, fault, { requestId: 'request-of-fault', errorMessage: `The test asked for ${fault}` })
  }
  const [status, usually] = usual(name, body, run, request)
  const { analysis, ...older } = usually as { analysis?: string }
  const answer = fault === 'without analysis' ? older : usually
  json(response, status, typeof fault === 'object' ? { ...answer, ...fault } : answer)
}

function usual(
  name: string,
  body: Record<string, unknown>,
  run: Run,
  { headers }: IncomingMessage,
): readonly [status: number, body: object] {
  if (name === 'device-fingerprint/config') {
    const { id, token, challenge } = {
      id: `${randomUUID()}-1772366400`,
      token: `rfb_${randomUUID()}`,
      challenge: randomUUID(),
    }
    run.session = { id, token, challenge }
    const collect = { volumeDates: false, appAttest: true }
    return [200, { sessionId: id, sessionToken: token, expiresAt: '2026-03-01T12:15:00.000Z', challenge, collect }]
  }
  const { session } = run
  if (!session || headers.authorization !== `Bearer ${session.token}`) return refused('The session is unknown')
  switch (name) {
    case 'intelligence':
      if (body.challenge !== session.challenge || body.tsId !== session.id) return refused('The challenge is used')
      session.challenge = randomUUID()
      return [
        200,
        {
          requestId: body.requestId,
          sessionId: session.id,
          nextChallenge: session.challenge,
          ...(body.carry === true && { analysis: 'sealed' }),
        },
      ]
    case 'device-fingerprint':
      return [200, { dfrId: `dfr-of-${body.requestId}`, intelligenceResponse: { deviceRiskScore: 12.5, vpn: false } }]
    case 'auth/start':
      return [
        200,
        { transactionId: randomUUID(), channel: 'OTP', method: 'SMS', expiresAt: '2026-03-01T12:05:00.000Z' },
      ]
    case 'auth/verify':
      if (body.otp !== '123456') {
        return [400, { message: 'Invalid Request', errorCode: '7203', description: 'Request error: Wrong OTP' }]
      }
      return [200, { token: 'user-token', status: 'SUCCESS', userId: 'u1', timestamp: '2026-03-01T12:00:00.000Z' }]
    case 'auth/status':
      return [200, { status: 'PENDING' }]
    default:
      return [200, { transactionId: body.transactionId, channel: 'OTP', method: 'SMS', expiresAt: 'soon' }]
  }
}

const refused = (errorMessage: string) => [401, { requestId: 'r', errorMessage }] as const

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'request-of-http' })
  response.end(JSON.stringify(body))
}
