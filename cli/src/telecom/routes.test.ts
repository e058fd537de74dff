import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ordinary, startRoutedService } from '@ringfence/server/telecom/routing/testing.ts'
import { sqliteDatabases } from '@ringfence/server/testing/databases.ts'
import { scriptedUpstream } from '@ringfence/server/upstream/testing/scripted-upstream.ts'
import { assertFailed, commandLine } from '../testing.ts'

test('ringfence routes explain says that a source may change its answer, and which upstream asked for a pause', async (t) => {
  const vendor = await scriptedUpstream(t, () => ({ status: 404 }))
  const hub = {
    ...{ type: 'http', baseUrl: vendor.url, sandbox: true },
    operator: {
      path: '/n/{digits}',
      answer: { mcc: '$.mcc', mnc: '$.mnc' },
      samples: [{ response: { mcc: '404', mnc: '45' }, answer: { operator: '404-45' } }],
    },
  }
  const service = await startRoutedService(t, await sqliteDatabases.open(t), {
    settings: { portabilityReuseSeconds: 600 },
    edit: ({ connectors, ...parts }) => ({
      ...parts,
      connectors: { ...connectors, vendor: hub as never },
      portabilitySources: { remote: { type: 'connector', connector: 'vendor' } as never },
    }),
    routing: { otherwise: [{ connector: 'acme' }] },
  })
  const command = await commandLine(t)
  const restrictions = { scopes: 'admin', allowedIps: null, expiresAt: null, role: 'analyst' }
  const key = await service.parts.clients.createClient(service.tenantId, 'cli', restrictions)
  const { clientId: RINGFENCE_CLIENT_ID, clientSecret: RINGFENCE_CLIENT_SECRET } = key
  const env = { RINGFENCE_URL: service.url, RINGFENCE_CLIENT_ID, RINGFENCE_CLIENT_SECRET }
  const explain = async () => (await command.run(['routes', 'explain', ordinary], { env })).stdout
  assert.match(
    await explain(),
    /ready.*\n\nThis may change when a check calls remote: it may name another operator\.\n$/s,
  )
  service.upstreams.acme.faults.switchOn({
    kind: 'status',
    status: 429,
    retryAfterSeconds: 60,
    route: '/sim-swap/v2/check',
  })
  await service.post('/v1/telecom/sim-swap-check', { phoneNumber: ordinary })
  assert.match(await explain(), /\n1 +acme +catch-all +asked for a pause +/)
})

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
  const key = await service.parts.clients.createClient(service.tenantId, 'cli', restrictions)
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

  assertFailed(await explain('nobody'), /It has letters: write digits only/, 2)
})
