// A backend that signs people in with Ringfence: it serves the page in ../browser-login, and verifies the token that the page sends.

import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { Ringfence, RingfenceError } from '@ringfence/node'

export interface LoginOptions {
  ringfenceUrl: string
  /** Public: the page contains it. */
  appId: string
  /** Credentials: keep them on this server. */
  clientId: string
  clientSecret: string
  /** Called with the verified user of each token. */
  log?: (verified: unknown) => void
}

const page = new URL('../browser-login/', import.meta.url)
const files: Readonly<Record<string, readonly [name: string, type: string]>> = {
  '/': ['index.html', 'text/html; charset=utf-8'],
  '/login.js': ['login.js', 'text/javascript; charset=utf-8'],
  '/style.css': ['style.css', 'text/css; charset=utf-8'],
}
const largestBody = 16_384

export function loginServer({ ringfenceUrl, appId, clientId, clientSecret, log = print }: LoginOptions): Server {
  const ringfence = new Ringfence({ baseUrl: ringfenceUrl, clientId, clientSecret })
  /** User id by session cookie. A real backend stores this in its database. */
  const userBySession = new Map<string, string>()

  async function login(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { token } = (await readJson(request)) as { token: string }
    const verified = await ringfence.validateToken({ token })
    log(verified)
    const session = randomUUID()
    userBySession.set(session, verified.userId)
    response.setHeader('set-cookie', `session=${session}; HttpOnly; SameSite=Lax; Path=/`)
    sendJson(response, 200, verified)
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    if (request.method === 'POST' && pathname === '/login') return login(request, response)
    const [name, type] = files[pathname] ?? []
    if (request.method !== 'GET' || !name || !type) return sendJson(response, 404, { message: 'Not Found' })
    const text = await readFile(new URL(name, page), 'utf8')
    response.setHeader('content-type', type)
    response.end(text.replaceAll('{{ringfenceUrl}}', ringfenceUrl).replaceAll('{{appId}}', appId))
  }

  return createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      if (error instanceof RingfenceError && (error.code === 'invalid_token' || error.code === 'expired_token')) {
        return sendJson(response, 401, { message: 'Please sign in again.' })
      }
      console.error(error)
      sendJson(response, 500, { message: 'Something went wrong; please try again.' })
    })
  })
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > largestBody) throw new Error('the body is too large')
    chunks.push(chunk)
  }
  return JSON.parse(Buffer.concat(chunks).toString())
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body))
}

const print = (verified: unknown) => console.log(JSON.stringify(verified, undefined, 2))
