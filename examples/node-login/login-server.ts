// A backend that asks Ringfence for a decision at login and at a payment. It serves the page in ../browser-login.

import { createHash, randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type Decision, Ringfence, RingfenceError } from '@ringfence/node'
import { type Customer, openCustomers } from './customers.ts'

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
const tokenRefused: readonly string[] = ['invalid_token', 'expired_token', 'challenge_not_passed']
const refused = 'We cannot do this at the moment. Please contact support.'

type Proceed = (response: ServerResponse) => void | Promise<void>

/** What continues when the person has passed the challenge of a decision. */
interface Challenge {
  readonly decisionId: string
  readonly proceed: Proceed
}

export function loginServer({ ringfenceUrl, appId, clientId, clientSecret, log = print }: LoginOptions): Server {
  const ringfence = new Ringfence({ baseUrl: ringfenceUrl, clientId, clientSecret })
  // A real backend stores these in its database, and deletes them after a time.
  const customers = openCustomers()
  const customerBySession = new Map<string, Customer>()
  const challengeById = new Map<string, Challenge>()

  /** Does what the decision says. `proceed` starts the session, or takes the payment. */
  async function follow(decision: Decision, proceed: Proceed, response: ServerResponse): Promise<void> {
    const { action, message, challenge } = decision
    if (action === 'ALLOW' || action === 'WARN') return proceed(response)
    // The webhook event decision.review.resolved says later what the reviewer decided.
    if (action === 'REVIEW') return sendJson(response, 202, { message: message ?? 'We check this, and write to you.' })
    if (action === 'BLOCK' || !challenge) return sendJson(response, 403, { message: message ?? refused })
    const id = randomUUID()
    challengeById.set(id, { decisionId: decision.decisionId, proceed })
    response.setHeader('set-cookie', cookie('challenge', id))
    sendJson(response, 401, { message, challenge })
  }

  async function login(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { token, dfrId } = (await readJson(request)) as { token: string; dfrId?: string }
    const verified = await ringfence.validateToken({ token })
    log(verified)
    const { customer, isNew } = customers.whoProved(verified.identities)
    const decision = await ringfence.decide({
      action: isNew ? 'SIGNUP' : 'LOGIN',
      ...aboutOf(customer),
      token,
      dfrId: dfrId ?? null,
    })
    await follow(
      decision,
      (response) => {
        if (isNew) customers.add(customer)
        const session = randomUUID()
        customerBySession.set(session, customer)
        response.setHeader('set-cookie', cookie('session', session))
        sendJson(response, 200, { ...verified, userId: customer.id })
      },
      response,
    )
  }

  async function pay(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const customer = customerBySession.get(cookieIn(request, 'session'))
    if (!customer) return sendJson(response, 401, { message: 'Please sign in first.' })
    const { order, amount, dfrId } = (await readJson(request)) as { order: string; amount: number; dfrId?: string }
    const decision = await ringfence.decide(
      { action: 'PAYMENT', ...aboutOf(customer), params: { amount }, dfrId: dfrId ?? null },
      // A page that sends the order again gets the same decision. Loaded again, it has a new dfrId: another decision.
      {
        idempotencyKey: createHash('sha256')
          .update(JSON.stringify([customer.id, order, amount, dfrId]))
          .digest('hex'),
      },
    )
    await follow(decision, (response) => sendJson(response, 200, { order, paid: amount }), response)
  }

  /** The person has signed in once more, as the challenge of a login or payment asks. */
  async function answerChallenge(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const id = cookieIn(request, 'challenge')
    const asked = challengeById.get(id)
    if (!asked) return sendJson(response, 401, { message: 'Please start again.' })
    const { token } = (await readJson(request)) as { token: string }
    await ringfence.passChallenge({ decisionId: asked.decisionId, token })
    challengeById.delete(id)
    await asked.proceed(response)
  }

  const posts: Readonly<Record<string, typeof login>> = {
    '/login': login,
    '/payments': pay,
    '/challenge': answerChallenge,
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const post = request.method === 'POST' ? posts[pathname] : undefined
    if (post) return post(request, response)
    if (request.method !== 'GET') return sendJson(response, 404, { message: 'Not Found' })
    await sendFile(response, pathname, { ringfenceUrl, appId })
  }

  return createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      if (error instanceof RingfenceError && tokenRefused.includes(error.code)) {
        return sendJson(response, 401, { message: 'Please sign in again.' })
      }
      console.error(error)
      sendJson(response, 500, { message: 'Something went wrong; please try again.' })
    })
  })
}

/** A file of the page, with the values that it names. */
async function sendFile(response: ServerResponse, pathname: string, values: Readonly<Record<string, string>>) {
  const [name, type] = files[pathname] ?? []
  if (!name || !type) return sendJson(response, 404, { message: 'Not Found' })
  const text = await readFile(new URL(name, page), 'utf8')
  response.setHeader('content-type', type)
  response.end(text.replace(/\{\{(\w+)\}\}/g, (whole, key: string) => values[key] ?? whole))
}

const cookie = (name: string, value: string) => `${name}=${value}; HttpOnly; SameSite=Lax; Path=/`

const cookieIn = ({ headers }: IncomingMessage, name: string): string =>
  new RegExp(`(?:^|; )${name}=([^;]*)`).exec(headers.cookie ?? '')?.[1] ?? ''

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

/** What this backend knows of its customer: its own id, and where a challenge can be confirmed. */
const aboutOf = ({ id, ...contact }: Customer) => ({ userId: id, ...contact })

const print = (verified: unknown) => console.log(JSON.stringify(verified, undefined, 2))
