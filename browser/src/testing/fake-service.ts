// Which service do the SDK's tests call? It checks sessions and challenges, and fails on request.

import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { bodyOf } from '@ringfence/server/testing/body-of.ts'
import type { Ending } from '../../../scripts/browsers.ts'
import { serve } from './browser-tests.ts'

export interface ServiceCall {
  /** The path after `/sdk/v1/`. */
  readonly name: string
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever fields it expects
  readonly body: any
  /** The body as it was sent. */
  readonly text: string
}

export interface FakeService {
  readonly url: string
  /** All calls in order, including refused ones. */
  readonly calls: readonly ServiceCall[]
  /** The calls to one endpoint. */
  callsTo(name: string): ServiceCall[]
  /**
   * Sets the responses to the next calls of an endpoint, in order. A promise delays its response.
   */
  respondNext(name: string, ...answers: (Scripted | Promise<Scripted>)[]): void
  /** Ends all sessions. */
  forgetSessions(): void
}

export type Scripted = readonly [status: number, body: unknown] | 'breaks' | 'as usual'

export const appId = 'rfa_test'

const page = (scripts: readonly string[]) =>
  `<!doctype html><link rel="icon" href="data:,"><title>Shop</title>${scripts.map((path) => `<script src="${path}"></script>`).join('')}`

/**
 * Serves the SDK's endpoints, and two pages on the same origin: `/` runs `script`; `/provider`
 * signs in everybody.
 */
export async function startFakeService(t: Ending, script: string): Promise<FakeService> {
  const calls: ServiceCall[] = []
  const scripted = new Map<string, (Scripted | Promise<Scripted>)[]>()
  const sessions = new Map<string, { id: string; challenge: string }>()

  function usual(name: string, body: ServiceCall['body'], request: IncomingMessage): Exclude<Scripted, string> {
    if (name === 'device-fingerprint/config') {
      if (request.headers.appid !== appId) return [404, { requestId: 'r', errorMessage: 'No app has this id' }]
      const session = { id: `${randomUUID()}-1772366400`, challenge: randomUUID() }
      const sessionToken = `rfb_${randomUUID()}`
      sessions.set(sessionToken, session)
      const expiresAt = '2026-03-01T12:15:00.000Z'
      return [200, { sessionId: session.id, sessionToken, expiresAt, challenge: session.challenge, collect: slowFacts }]
    }
    const session = sessions.get((request.headers.authorization ?? '').replace('Bearer ', ''))
    if (!session) return [401, { requestId: 'r', errorMessage: 'The session is unknown or has expired' }]
    switch (name) {
      case 'intelligence':
      case 'secure': {
        if (body.challenge !== session.challenge || body.tsId !== session.id) {
          return [401, { requestId: body.requestId, errorMessage: 'The challenge is used or unknown' }]
        }
        session.challenge = randomUUID()
        const known = { nextChallenge: session.challenge, deviceToken: 'device-token' }
        return [
          200,
          name === 'secure'
            ? { token: 'secure-token', ...known }
            : {
                requestId: body.requestId,
                sessionId: session.id,
                ...known,
                ...(body.carry && { analysis: `sealed-of-${body.requestId}` }),
              },
        ]
      }
      case 'device-fingerprint':
        return [200, { dfrId: `dfr-of-${body.requestId}` }]
      case 'auth/start': {
        const transactionId = randomUUID()
        const authorizationUrl = `/provider?${new URLSearchParams({ back: body.redirectUrl ?? '', id: transactionId })}`
        const transaction = { transactionId, method: 'SMS', expiresAt: '2026-03-01T12:05:00.000Z' }
        return [200, { ...transaction, channel: body.channel, ...(body.channel === 'OAUTH' && { authorizationUrl }) }]
      }
      case 'auth/verify': {
        const isRight = body.otp === '123456' || body.code === 'code-of-provider'
        return isRight
          ? [200, { token: 'user-token', status: 'SUCCESS', userId: 'u1', dfrId: body.dfrId }]
          : [400, wrongOtp]
      }
      case 'auth/status':
        return [200, { status: 'SUCCESS', user: { token: 'user-token', status: 'SUCCESS', userId: 'u1' } }]
      default:
        return [200, { transactionId: body.transactionId, channel: 'OTP', method: 'SMS' }]
    }
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://service')
    if (pathname === '/script.js') return void response.setHeader('content-type', 'text/javascript').end(script)
    if (pathname === '/provider') {
      const back = new URL(searchParams.get('back') as string)
      back.searchParams.set('ringfence_transaction', searchParams.get('id') as string)
      back.searchParams.set('ringfence_code', 'code-of-provider')
      return void response.writeHead(302, { location: back.href }).end()
    }
    const name = /^\/sdk\/v1\/(.+)$/.exec(pathname)?.[1]
    response.setHeader('content-type', 'text/html; charset=utf-8')
    if (!name) return void response.end(page(['/script.js']))
    const sent = await bodyOf(request)
    const body = request.method === 'POST' ? JSON.parse(sent) : Object.fromEntries(searchParams)
    calls.push({ name, body, text: sent })
    const wanted = (await scripted.get(name)?.shift()) ?? 'as usual'
    if (wanted === 'breaks') {
      // Breaks within the response: browsers retry on their own when they got no response at all.
      response.writeHead(200, { 'content-length': '100' }).write('{', () => request.socket.destroy())
      return
    }
    const [status, content] = wanted === 'as usual' ? usual(name, body, request) : wanted
    response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'request-of-http' })
    response.end(JSON.stringify(content))
  }

  const url = await serve(t, (request, response) => void answer(request, response))
  return {
    url,
    calls,
    callsTo: (name) => calls.filter((call) => call.name === name),
    respondNext: (name, ...answers) => scripted.set(name, [...(scripted.get(name) ?? []), ...answers]),
    forgetSessions: () => sessions.clear(),
  }
}

/** Switched off in the app's settings, so that the tests are fast. */
const slowFacts = Object.fromEntries(
  ['audio', 'canvas', 'fontWidths', 'fonts', 'math', 'voices', 'webgl'].map((name) => [name, false]),
)

const wrongOtp = { message: 'Invalid Request', errorCode: '7203', description: 'Request error: Wrong OTP' }
