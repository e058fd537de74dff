import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { isApiKey, makeApiKey } from '../core/crypto/api-key.ts'
import { keyring } from '../core/crypto/keyring.ts'
import { tenantKeyring } from '../core/crypto/tenant-keyring.ts'
import { Refusal } from '../core/errors.ts'
import type { Database } from '../core/storage/database.ts'
import { eachDatabase } from '../testing/databases.ts'
import { testClock } from '../testing/test-clock.ts'
import { until } from '../testing/until.ts'
import { Credentials } from './credentials.ts'
import { findClient, listSecrets } from './store/clients.ts'

const keys = keyring(Buffer.alloc(32, 7))

async function start(database: Database) {
  const clock = testClock()
  const log = pino({ level: 'silent' })
  const make = () => new Credentials({ database, keyring: keys, clock, log })
  const tenant = await tenantKeyring(database, keys, clock).createTenant('bank')
  return { clock, tenant, here: make(), elsewhere: make() }
}

const refused = (failure: string) => (error: unknown) => error instanceof Refusal && error.failure === failure

eachDatabase(({ engine, open }) => {
  const it = (promise: string) => `${promise} (${engine})`

  test(it('verifies a client by its secret, and stores only a keyed hash of it'), async (t) => {
    const database = await open(t)
    const { tenant, here } = await start(database)
    const { clientId, clientSecret } = await here.createClient(tenant.id, 'shop')
    assert.deepEqual(await here.verify(clientId, clientSecret), { clientId, tenantId: tenant.id })
    const stored = await listSecrets(database, clientId)
    assert.deepEqual(
      stored.map(({ secretHash }) => Buffer.from(secretHash)),
      [Buffer.from(keys.hashSecret(clientSecret))],
    )
  })

  test(
    it('two secrets live at once for rotation: the one before stays, and a third ends the oldest only when asked to'),
    async (t) => {
      const database = await open(t)
      const { tenant, here, elsewhere } = await start(database)
      const first = await here.createClient(tenant.id, 'shop')
      const second = await here.rotate(first.clientId)
      await elsewhere.verify(first.clientId, first.clientSecret)
      await elsewhere.verify(first.clientId, second.clientSecret)
      await assert.rejects(here.rotate(first.clientId), /already has 2 valid secrets. .*--older-secrets/)
      await elsewhere.verify(first.clientId, first.clientSecret)
      const third = await here.rotate(first.clientId, { endOlder: true })
      await assert.rejects(here.verify(first.clientId, first.clientSecret), refused('credentialsInvalid'))
      await here.verify(first.clientId, second.clientSecret)
      await here.verify(first.clientId, third.clientSecret)
      await here.revoke(first.clientId, { olderOnly: true })
      await assert.rejects(here.verify(first.clientId, second.clientSecret), refused('credentialsInvalid'))
      await here.verify(first.clientId, third.clientSecret)
    },
  )

  test(it('refuses a revoked client at once, and on other servers within a second'), async (t) => {
    const database = await open(t)
    const { tenant, clock, here, elsewhere } = await start(database)
    const { clientId, clientSecret } = await here.createClient(tenant.id, 'shop')
    await here.verify(clientId, clientSecret)
    await elsewhere.verify(clientId, clientSecret)
    await here.revoke(clientId)
    await assert.rejects(here.verify(clientId, clientSecret), refused('credentialsInvalid'))
    clock.advance({ seconds: 1 })
    await assert.rejects(elsewhere.verify(clientId, clientSecret), refused('credentialsInvalid'))
    await assert.rejects(here.rotate(clientId), /is revoked/)
    await assert.rejects(here.rotate('rfc_none'), /there is no client rfc_none/)
  })

  test(it('does not remember credentials for longer when the clock is set back'), async (t) => {
    const database = await open(t)
    const { tenant, clock, here, elsewhere } = await start(database)
    const { clientId, clientSecret } = await here.createClient(tenant.id, 'shop')
    await elsewhere.verify(clientId, clientSecret)
    await here.revoke(clientId)
    clock.advance({ hours: -24 })
    await assert.rejects(elsewhere.verify(clientId, clientSecret), refused('credentialsInvalid'))
  })

  test(it('records the last use at most once a minute'), async (t) => {
    const database = await open(t)
    const { tenant, clock, here } = await start(database)
    const { clientId, clientSecret } = await here.createClient(tenant.id, 'shop')
    // It is recorded after the answer.
    const lastUsedAfter = (expected: number) =>
      until(
        () => findClient(database, clientId),
        (client) => client?.lastUsedAt === expected,
      )
    const firstUse = clock.now()
    await here.verify(clientId, clientSecret)
    await lastUsedAfter(firstUse)
    clock.advance({ seconds: 59 })
    await here.verify(clientId, clientSecret)
    clock.advance({ seconds: 1 })
    await lastUsedAfter(firstUse)
    await here.verify(clientId, clientSecret)
    await lastUsedAfter(clock.now())
  })
})

test('makes ids and secrets with a prefix, base62 and a CRC-32', () => {
  for (const [prefix, length] of [
    ['rfc', 4 + 22 + 6],
    ['rfs', 4 + 43 + 6],
  ] as const) {
    const key = makeApiKey(prefix)
    assert.equal(key.length, length)
    assert.ok(isApiKey(key))
    const changed = key.slice(0, 10) + (key[10] === 'x' ? 'y' : 'x') + key.slice(11)
    assert.equal(isApiKey(changed), false)
    assert.equal(isApiKey(key.slice(0, -1)), false)
  }
  // Scanners rely on the polynomial and the order of the digits.
  assert.ok(isApiKey('rfc_00000000000000000000004gDVKp'))
  assert.equal(new Set(Array.from({ length: 1000 }, () => makeApiKey('rfs'))).size, 1000)
})
