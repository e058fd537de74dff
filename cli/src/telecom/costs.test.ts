import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ordinary, startRoutedService } from '@ringfence/server/telecom/routing/testing.ts'
import { sqliteDatabases } from '@ringfence/server/testing/databases.ts'
import { commandLine } from '../testing.ts'

test('ringfence costs says what was spent and what is left, and ringfence check what each answer cost', async (t) => {
  const service = await startRoutedService(t, await sqliteDatabases.open(t), {
    edit: (parts) => ({
      ...parts,
      costs: {
        currency: 'EUR',
        prices: { acme: { simSwap: 12_000 }, sandbox: { portability: 500 } },
        dailyCap: { total: 50_000 },
      },
    }),
    routing: { otherwise: [{ connector: 'acme' }] },
  })
  const command = await commandLine(t)
  const restrictions = { scopes: 'admin', allowedIps: null, expiresAt: null, role: 'analyst' }
  const key = await service.parts.clients.createClient(service.tenantId, 'cli', restrictions)
  const envOf = ({ clientId, clientSecret }: { clientId: string; clientSecret: string }) => ({
    ...{ RINGFENCE_URL: service.url, RINGFENCE_CLIENT_ID: clientId, RINGFENCE_CLIENT_SECRET: clientSecret },
  })
  const costs = (...words: string[]) => command.run(['costs', ...words], { env: envOf(key) })
  assert.match((await costs()).stdout, /^Nothing was spent in the last 30 days\./)

  const checked = await command.run(['check', ordinary, 'simSwap'], { env: envOf(service.credentials) })
  assert.match(checked.stdout, /CHECK +ANSWER +AGE +FROM +COST\n/)
  assert.match(checked.stdout, /\nSIM swap .* acme +0\.012 EUR\n/)
  assert.match(checked.stdout, /Finding the operator cost 0\.0005 EUR\./)

  const { stdout } = await costs()
  assert.match(
    stdout,
    /\n\d{4}-\d\d-\d\d +all +2 +0\.0125 EUR\n +acme +SIM swap +1 +0\.012 EUR\n +sandbox +portability +1 /,
  )
  assert.match(stdout, /\nall +0\.0125 EUR +0\.0375 EUR +0\.05 EUR\n/)
  const { currency, days } = JSON.parse((await costs('--json')).stdout)
  assert.deepEqual([currency, days[0].micros], ['EUR', 12_500])
})
