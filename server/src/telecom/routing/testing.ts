// How does a test get a service with several upstreams? Sandboxes named acme, hub and spare, for any routes between them.

import { type Sandbox, startSandbox } from '@ringfence/sandbox'
import type { Config } from '../../core/config/config.ts'
import type { Database } from '../../core/storage/database.ts'
import { atEnd, type Ending } from '../../testing/at-end.ts'
import { testClock } from '../../testing/test-clock.ts'
import { startTestService, type TestService, type TestServiceOptions } from '../../testing/test-service.ts'

/** An ordinary number of the operator 001-02. */
export const ordinary = '917020141726'

const upstreamNames = ['acme', 'hub', 'spare'] as const
export type UpstreamName = (typeof upstreamNames)[number]

export interface RoutedService extends TestService {
  readonly upstreams: Readonly<Record<UpstreamName, Sandbox>>
  /** The upstreams that were asked since the last call, in their order. */
  asked(): UpstreamName[]
}

export interface RoutedOptions extends Pick<TestServiceOptions, 'settings' | 'log'> {
  readonly routing?: Config['routing'] & {}
  /** Changes the parts once more. */
  readonly edit?: TestServiceOptions['edit']
}

/** Every operator has the routes of `routing` only. */
export async function startRoutedService(
  t: Ending,
  database: Database,
  { routing, edit = (parts) => parts, ...options }: RoutedOptions = {},
): Promise<RoutedService> {
  const started = await Promise.all(
    upstreamNames.map(async (name) => {
      const client = { clientId: 'ringfence', clientSecret: 'sandbox-client-secret' }
      const sandbox = await startSandbox({ clock: testClock(), clients: [client] })
      atEnd(t, () => sandbox.close())
      return [name, sandbox] as const
    }),
  )
  const service = await startTestService(t, database, {
    ...options,
    edit(parts) {
      const connector = parts.connectors.sandbox as unknown as { token: object }
      const connectors = Object.fromEntries(
        started.map(([name, { url }]) => {
          const token = { ...connector.token, endpoint: `${url}/oauth2/token` }
          return [name, { ...connector, baseUrl: url, token } as unknown as { type: string }]
        }),
      )
      const operators = parts.operators.map(({ connector: _, ...operator }) => operator)
      return edit({ ...parts, connectors, operators, ...(routing && { routing }) })
    },
  })
  const upstreams = Object.fromEntries(started) as Record<UpstreamName, Sandbox>
  return {
    ...service,
    upstreams,
    asked() {
      const calls = started.flatMap(([name, sandbox]) => {
        const arrived = sandbox.calls.last(1000).filter(({ path }) => !path.includes('oauth2'))
        sandbox.calls.clear()
        return arrived.map(() => name)
      })
      return calls
    },
  }
}
