import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ordinary, startRoutedService } from '@ringfence/server/telecom/routing/testing.ts'
import { sqliteDatabases } from '@ringfence/server/testing/databases.ts'
import { assertFailed, commandLine } from '../testing.ts'

test('ringfence routes explain says which connectors would be asked, in their order, and calls none', async (t) => {
  const service = await startRoutedService(t, await sqliteDatabases.open(t), {
    edit: (parts) => ({
      ...parts,
      costs: { currency: 'EUR', prices: { acme: { simSwap: 12_000, otherwise: 2_000_000 } } },
    }),
    routing: {
      operators: {
        '001-02': [
          { connector: 'acme', hedgeAfter: 'p95' },
          { connector: 'hub', checks: ['simSwap'] },
        ],
      },
      otherwise: [{ connector: 'spare' }],
    },
  })
  const command = await commandLine(t)
  const restrictions = { scopes: 'admin', allowedIps: null, expiresAt: null, role: 'analyst' }
  const key = await service.platform.credentials.createClient(service.tenantId, 'cli', restrictions)
  const env = {
    RINGFENCE_URL: service.url,
    RINGFENCE_CLIENT_ID: key.clientId,
    RINGFENCE_CLIENT_SECRET: key.clientSecret,
  }
  const explain = (...words: string[]) => command.run(['routes', 'explain', ...words], { env })

  const own = await explain(`+${ordinary}`)
  assert.equal(own.stderr, '')
  assert.match(own.stdout, /^917020141726, served by SANDBOX_SOUTH\n/)
  assert.match(own.stdout, /\nsandbox +served by 001-02/)
  assert.match(own.stdout, /\n1 +acme +its operator +ready +p95 +SIM swap \(0\.012 EUR\), device swap \(2 EUR\), /)
  assert.match(own.stdout, /\n2 +hub +its operator +ready +SIM swap\n$/)

  const json = await explain('917020140140', '--json')
  const { asked, routes } = JSON.parse(json.stdout)
  assert.equal(asked.operator, 'SANDBOX_BASIC')
  assert.deepEqual([routes.length, routes[0].connector, routes[0].by], [1, 'spare', 'otherwise'])
  assert.deepEqual(service.asked(), [])

  assertFailed(await explain('nobody'), /It must be a phone number with country code/, 2)
})
