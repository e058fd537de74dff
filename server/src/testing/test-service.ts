// How does a test get the whole service? It runs over HTTP on a given database, with a sandbox operator and a stopped clock.

import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { operatorCheckNames } from '@ringfence/contract'
import { type Sandbox, operators as sandboxOperators, startSandbox } from '@ringfence/sandbox'
import { type Logger, pino } from 'pino'
import type { IssuedCredentials } from '../clients/credentials.ts'
import type { Config } from '../core/config/config.ts'
import { readConfig } from '../core/config/config.ts'
import type { Settings } from '../core/config/settings.ts'
import type { Database } from '../core/storage/database.ts'
import { connectionBacklog } from '../http/connections/bounds.ts'
import { httpServer } from '../http/server.ts'
import { openParts, type Parts, surfaceOf } from '../parts.ts'
import { atEnd, type Ending } from './at-end.ts'
import { type TestClock, testClock } from './test-clock.ts'

export interface TestService {
  url: string
  clock: TestClock
  parts: Parts
  sandbox: Sandbox
  tenantId: string
  credentials: IssuedCredentials
  /** Sends a body as JSON (a string or bytes as they are) with the test client's credentials. */
  post(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<TestAnswer>
}

export interface TestAnswer {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any field that it expects
  body: any
}

export interface TestServiceOptions {
  settings?: Partial<Settings>
  /** Changes the parts of the configuration that use the sandbox. */
  edit?: (parts: Omit<Config, 'settings'>) => Omit<Config, 'settings'>
  log?: Logger
}

const secret = 'sandbox-client-secret'

/** Of each attempt at the sandbox operator. */
export const sandboxTimeoutMs = 8_000

/** Starts a service; everything is closed with the test. */
export async function startTestService(
  t: Ending,
  database: Database,
  { settings = {}, edit = (parts) => parts, log = pino({ level: 'silent' }) }: TestServiceOptions = {},
): Promise<TestService> {
  const clock = testClock()
  const dataFolder = await mkdtemp(join(tmpdir(), 'ringfence-test-'))
  const ends: (() => Promise<unknown>)[] = []
  atEnd(t, async () => {
    for (const end of ends) await end()
    await rm(dataFolder, { recursive: true }) // last: nobody writes into it any more
  })
  const sandbox = await startSandbox({ clock, clients: [{ clientId: 'ringfence', clientSecret: secret }] })
  ends.push(() => sandbox.close())
  const parts = await openParts({
    config: {
      ...edit(sandboxParts(sandbox)),
      settings: readConfig({
        options: {
          ...{ dataFolder, masterKeyFile: join(dataFolder, 'master.key') },
          // On a busy machine the usual times are too short for the operator, which shares it: these are enough for two attempts.
          ...{ deadlineMs: 30_000, decisionDeadlineMs: 20_000 },
          ...settings,
        },
      }).settings,
    },
    database,
    clock,
    log,
    environment: { SANDBOX_SECRET: secret },
  })
  const server = httpServer(parts, surfaceOf(parts))
  await server.listen({ host: '127.0.0.1', port: 0, backlog: connectionBacklog })
  ends.push(async () => {
    await server.close()
    await parts.close()
  })
  const url = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`
  parts.addresses.listensAt(url)
  const tenant = await parts.tenantKeyring.createTenant('test')
  const credentials = await parts.clients.createClient(tenant.id, 'test')
  return {
    url,
    clock,
    parts,
    sandbox,
    tenantId: tenant.id,
    credentials,
    async post(path, body, headers = {}) {
      const response = await fetch(url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...credentials, ...headers },
        body: typeof body === 'string' || body instanceof Uint8Array ? (body as string) : JSON.stringify(body),
      })
      return { status: response.status, headers: response.headers, body: await response.json() }
    },
  }
}

/** The parts of a configuration file that use the sandbox for every operator. */
export function sandboxParts({ url }: Pick<Sandbox, 'url'>): Omit<Config, 'settings'> {
  const token = {
    endpoint: `${url}/oauth2/token`,
    clientId: 'ringfence',
    authentication: 'client_secret_basic',
    clientSecret: { env: 'SANDBOX_SECRET' },
  }
  const offered = Object.fromEntries(operatorCheckNames.map((check) => [check, {}]))
  const numberVerification = { authorizationEndpoint: `${url}/oauth2/authorize`, issuer: url, loginHint: true }
  const upstream = { baseUrl: url, token, timeoutMs: sandboxTimeoutMs }
  const connector = { type: 'camara', sandbox: true, ...upstream, ...offered, numberVerification }
  return {
    connectors: { sandbox: connector },
    portabilitySources: { sandbox: { type: 'sandbox', ...upstream } as { type: string } },
    channels: {},
    operators: sandboxOperators.map(({ id, name, offersChecks }) => ({
      id,
      name,
      ...(offersChecks && { connector: 'sandbox' }),
    })),
  }
}
