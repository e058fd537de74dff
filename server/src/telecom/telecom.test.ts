import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Config, ConfigurationError } from '../core/config/config.ts'
import { sqliteDatabases } from '../testing/databases.ts'
import { startTestService, type TestServiceOptions } from '../testing/test-service.ts'

type Edit = NonNullable<TestServiceOptions['edit']>

const withRouting =
  (routing: Config['routing'] & {}): Edit =>
  (parts) => ({ ...parts, routing })

const mistakes: [string, Edit, RegExp][] = [
  [
    'a connector that an operator uses and that is not defined',
    (parts) => ({ ...parts, operators: [{ id: '1', name: 'ACME', connector: 'acme' }] }),
    /^operator 1 uses connector acme, which is not defined; defined: sandbox$/,
  ],
  [
    'a kind of connector that is not known',
    (parts) => ({ ...parts, connectors: { acme: { type: 'carmara' } } }),
    /connectors\.acme\.type is carmara; use one of camara, .+\. Did you mean camara\?$/,
  ],
  [
    'a key of a connector that is missing',
    (parts) => ({ ...parts, connectors: { acme: { type: 'camara' } } }),
    /connectors\.acme\.baseUrl, connectors\.acme\.token are missing/,
  ],
  [
    'a key of a source that is not known',
    (parts) => ({
      ...parts,
      portabilitySources: { test: { ...parts.portabilitySources.sandbox!, timeout: 5 } as { type: string } },
    }),
    /portabilitySources\.test\.timeout is not a known key; did you mean timeoutMs\?$/,
  ],
  [
    'a source that asks a connector that is not there',
    (parts) => ({
      ...parts,
      portabilitySources: { vendor: { type: 'connector', connector: 'acme' } as { type: string } },
    }),
    /portabilitySources\.vendor: connector is acme, which connectors does not have$/,
  ],
  [
    'a source that asks a connector that looks no operators up',
    (parts) => ({
      ...parts,
      portabilitySources: { vendor: { type: 'connector', connector: 'sandbox' } as { type: string } },
    }),
    /portabilitySources\.vendor: connector is sandbox, which does not look operators up$/,
  ],
  [
    'a secret that is not there',
    (parts) => {
      const { token, ...rest } = parts.connectors.sandbox as unknown as { type: string; token: object }
      return {
        ...parts,
        connectors: { sandbox: { ...rest, token: { ...token, clientSecret: { env: 'NOWHERE' } } } as { type: string } },
      }
    },
    /connectors\.sandbox: the environment variable NOWHERE is not set/,
  ],
  [
    'conditional forwarding that the connector cannot detect',
    (parts) => ({
      ...parts,
      operators: [{ id: '1', name: 'ACME', connector: 'sandbox', callForwarding: { conditional: true } }],
    }),
    /operator 1 counts conditional forwarding, which its connector sandbox cannot detect/,
  ],
  [
    'a route of an operator that is not there',
    withRouting({ operators: { '999-99': [{ connector: 'sandbox' }] } }),
    /^routing\.operators\.999-99: no operator has this id; add it under operators$/,
  ],
  [
    'a route of an operator that names its connector too',
    withRouting({ operators: { '001-01': [{ connector: 'sandbox' }] } }),
    /^routing\.operators\.001-01: the operator names the connector sandbox too; remove one$/,
  ],
  [
    'a route to a connector that is not there',
    withRouting({ otherwise: [{ connector: 'sandbox' }, { connector: 'hub' }] }),
    /^routing\.otherwise\.1\.connector: there is no connector hub; defined: sandbox$/,
  ],
  [
    'a route of a country that is not there',
    withRouting({ countries: { ZZ: [{ connector: 'sandbox' }] } }),
    /^routing\.countries\.ZZ: no country has this code; write ISO 3166-1 alpha-2 in upper case, such as IN$/,
  ],
  [
    'a route for a check that its connector does not offer',
    (parts) => {
      const { tenure: _, ...rest } = parts.connectors.sandbox as unknown as { type: string; tenure: object }
      return {
        ...parts,
        connectors: { sandbox: rest },
        routing: { otherwise: [{ connector: 'sandbox', checks: ['tenure'] }] },
      }
    },
    /^routing\.otherwise\.0\.checks: the connector sandbox does not offer tenure; remove it, or add it to/,
  ],
  [
    'the same connector twice for a check',
    withRouting({ otherwise: [{ connector: 'sandbox' }, { connector: 'sandbox', checks: ['simSwap'] }] }),
    /^routing\.otherwise\.1\.connector: sandbox stands before with simSwap already/,
  ],
  [
    'a sandbox as the fallback of a real connector',
    (parts) => {
      const { sandbox: _, ...real } = parts.connectors.sandbox as unknown as { type: string; sandbox: true }
      return {
        ...parts,
        connectors: { ...parts.connectors, real },
        routing: { otherwise: [{ connector: 'real' }, { connector: 'sandbox' }] },
      }
    },
    /^routing\.otherwise\.1\.connector: a list has either connectors of a sandbox or real ones/,
  ],
]

for (const [what, edit, message] of mistakes) {
  test(`refuses to start and names the key: ${what}`, async (t) => {
    const database = await sqliteDatabases.open(t)
    await assert.rejects(
      startTestService(t, database, { edit }),
      (error) => error instanceof ConfigurationError && message.test(error.message),
    )
  })
}

test('refuses to start and creates nothing when the master key of the database is missing', async (t) => {
  const database = await sqliteDatabases.open(t)
  await startTestService(t, database)
  await assert.rejects(
    startTestService(t, database),
    /the master key of this store is [0-9a-f]{16}.*master\.key: missing\)\. Give this server the key [0-9a-f]{16}: its file/,
  )
})

test('refuses to start with a master key that does not match the database', async (t) => {
  const database = await sqliteDatabases.open(t)
  await startTestService(t, database)
  const masterKey = Buffer.alloc(32).toString('base64')
  await assert.rejects(
    startTestService(t, database, { settings: { masterKey } }),
    /the master key of this store is [0-9a-f]{16}, and this is another one \(MASTER_KEY: [0-9a-f]{16}/,
  )
})
