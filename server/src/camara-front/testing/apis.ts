// How does a test speak to our own CAMARA API and to the sandbox operator as one and the same client?

import type { Database } from '../../core/storage/database.ts'
import type { Ending } from '../../testing/at-end.ts'
import { startTestService, type TestService, type TestServiceOptions } from '../../testing/test-service.ts'

export interface Api {
  /** A two-legged access token. */
  token(scope: string): Promise<string>
  post(
    path: string,
    body: unknown,
    headers: Readonly<Record<string, string>>,
    // biome-ignore lint/suspicious/noExplicitAny: a test reads the fields that it expects
  ): Promise<{ status: number; headers: Headers; body: any }>
  /** Lets every token that was issued expire. */
  expire(): void
  nowMs(): number
}

/** The client of the sandbox that the service has; see testing/test-service.ts. */
export const sandboxClient = ['ringfence', 'sandbox-client-secret'] as const

/** Every call that the sandbox has is configured, beside the preferred ones. */
const everyCall = {
  simSwap: { calls: ['check', 'retrieve-date'] },
  deviceSwap: { calls: ['check', 'retrieve-date'] },
  callForwarding: { calls: ['unconditional-call-forwardings', 'call-forwardings'] },
  // Only this version has bank accounts.
  kycMatch: { path: '/kyc-match/v0.5' },
}

export async function frontService(
  t: Ending,
  database: Database,
  options: TestServiceOptions = {},
): Promise<TestService> {
  return startTestService(t, database, {
    ...options,
    edit(parts) {
      const sandbox = { ...parts.connectors.sandbox!, ...everyCall }
      const edited = { ...parts, connectors: { sandbox } }
      return options.edit?.(edited) ?? edited
    },
  })
}

export const basic = (id: string, secret: string) => `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`

/** One service, reached in both ways. */
export async function frontAndSandbox(
  t: Ending,
  database: Database,
): Promise<Record<'our own API' | 'the sandbox operator', Api>> {
  const service = await frontService(t, database)
  return {
    'our own API': frontOf(service),
    'the sandbox operator': apiAt(service, service.sandbox.url, '/oauth2/token', basic(...sandboxClient)),
  }
}

/** Our own API of a service. */
export const frontApi = async (...service: Parameters<typeof frontService>): Promise<Api> =>
  frontOf(await frontService(...service))

function frontOf(service: TestService): Api {
  const { clientId, clientSecret } = service.credentials
  return apiAt(service, service.url, '/camara/oauth2/token', basic(clientId, clientSecret))
}

const apiAt = ({ clock }: Pick<TestService, 'clock'>, base: string, tokenPath: string, authorization: string): Api => ({
  async token(scope) {
    const response = await fetch(base + tokenPath, {
      method: 'POST',
      headers: { authorization },
      body: new URLSearchParams({ grant_type: 'client_credentials', scope }),
    })
    const body = (await response.json()) as { access_token?: string }
    if (body.access_token === undefined) throw new Error(JSON.stringify(body))
    return body.access_token
  },
  async post(path, body, headers) {
    const response = await fetch(base + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
    return { status: response.status, headers: response.headers, body: await response.json() }
  },
  expire: () => clock.advance({ hours: 2 }),
  nowMs: () => clock.now(),
})
