// How does a test give a service one operator whose CAMARA answers it scripts?

import type { TestContext } from 'node:test'
import type { TestServiceOptions } from '../../../testing/test-service.ts'
import { grant, type Reply, scriptedUpstream } from '../../../upstream/testing/scripted-upstream.ts'

/** The settings of a `camara` connector with these checks, whose calls all get this reply. */
export async function camaraOf(t: TestContext, reply: () => Reply, checks: object): Promise<object> {
  const { url } = await scriptedUpstream(t, ({ path }) => (path === '/oauth2/token' ? grant() : reply()))
  const token = {
    ...{ endpoint: `${url}/oauth2/token`, clientId: 'bank' },
    ...{ authentication: 'client_secret_basic', clientSecret: { env: 'SANDBOX_SECRET' } },
  }
  return { type: 'camara', baseUrl: url, token, ...checks }
}

/** All operators are asked by this connector. `operator`: what the configuration says of them besides. */
export const askedBy =
  (connector: object, operator: object = {}): NonNullable<TestServiceOptions['edit']> =>
  (parts) => ({
    ...parts,
    connectors: { ...parts.connectors, acme: connector as never },
    operators: parts.operators.map((entry) => ({ ...entry, ...operator, connector: 'acme' })),
  })
