// How does a test get a sandbox, and call it over HTTP as a client does?

import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { type Sandbox, type SandboxOptions, startSandbox } from './start-sandbox.ts'

export const testNowMs = Date.UTC(2026, 2, 3, 12, 34, 56, 789)

/** Every scope at once. */
export const allScopes =
  'dpv:FraudPreventionAndDetection sim-swap call-forwarding-signal:unconditional-call-forwardings:read ' +
  'call-forwarding-signal:call-forwardings:read portability:read'

export interface TestSandbox extends AsyncDisposable {
  readonly sandbox: Sandbox
  /** Advances the base clock, which stands still otherwise. */
  passMs(ms: number): void
  /** Requests a token with this form and Authorization header. */
  requestToken(form: Record<string, string>, authorization?: string): Promise<Answer>
  /** A two-legged token for this scope. */
  token(scope?: string): Promise<string>
  /** A JWT signed with the key of the client "keyed". */
  signed(claims: JWTPayload & { [claim: string]: unknown }, alg?: string): Promise<string>
  get(path: string, token?: string): Promise<Answer>
  post(path: string, body: unknown, token?: string, headers?: Record<string, string>): Promise<Answer>
  send(method: string, path: string, body?: unknown): Promise<Answer>
}

export interface Answer {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: a test reads the fields that it expects, and fails when they are missing
  body: any
}

export const basicAuthorization = (id: string, secret: string) =>
  `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`

/** Starts a sandbox on a free port, with a stopped base clock and the clients "plain" (Basic) and "keyed" (keys). */
export async function testSandbox(options: Partial<SandboxOptions> = {}): Promise<TestSandbox> {
  let nowMs = testNowMs
  const keys = await generateKeyPair('ES256')
  const sandbox = await startSandbox({
    clock: { now: () => nowMs },
    clients: [
      { clientId: 'plain', clientSecret: 'a secret: 100 % + more' },
      { clientId: 'keyed', jwks: { keys: [await exportJWK(keys.publicKey)] } },
    ],
    ...options,
  })

  async function call(method: string, path: string, headers: Record<string, string>, body?: string): Promise<Answer> {
    const response = await fetch(`${sandbox.url}${path}`, {
      method,
      headers,
      redirect: 'manual',
      ...(body !== undefined && { body }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json') && text !== ''
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text }
  }

  const bearer = (token?: string): Record<string, string> => (token ? { authorization: `Bearer ${token}` } : {})
  const json = { 'content-type': 'application/json' }

  const client: TestSandbox = {
    sandbox,
    passMs: (ms) => {
      nowMs += ms
    },
    requestToken: (form, authorization) =>
      call(
        'POST',
        '/oauth2/token',
        { 'content-type': 'application/x-www-form-urlencoded', ...(authorization && { authorization }) },
        new URLSearchParams(form).toString(),
      ),
    async token(scope = allScopes) {
      const form = { grant_type: 'client_credentials', scope }
      const answer = await client.requestToken(form, basicAuthorization('plain', 'a secret: 100 % + more'))
      return answer.body.access_token
    },
    signed: (claims, alg = 'ES256') => new SignJWT(claims).setProtectedHeader({ alg }).sign(keys.privateKey),
    get: (path, token) => call('GET', path, bearer(token)),
    post: (path, body, token, headers = {}) =>
      call('POST', path, { ...json, ...bearer(token), ...headers }, JSON.stringify(body)),
    send: (method, path, body) =>
      call(method, path, body === undefined ? {} : json, body === undefined ? undefined : JSON.stringify(body)),
    [Symbol.asyncDispose]: () => sandbox.close(),
  }
  return client
}
