// Are the keys of a device found by the index that retention has, and does a use of a key leave that index alone?

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Queryable, SqlValue } from '../../core/storage/database.ts'
import { eachDatabase, sqliteDatabases } from '../../testing/databases.ts'
import { createApp } from '../../testing/sdk-client.ts'
import { startTestService } from '../../testing/test-service.ts'
import {
  deleteKeysOfDevice,
  findAttestedKey,
  insertAttestedKey,
  putKeystoreKey,
  updateAttestedKey,
} from '../store/phone-keys.ts'

const dayMs = 86_400_000
const [device, renamed, other] = ['drm d', 'android d', 'drm e']

eachDatabase(({ engine, open }) => {
  test(`deletes the keys of a device, whichever of its ids they have and whenever they were used (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const { database } = service.parts
    const { id: appId } = await createApp(service)
    const keys = [device, renamed, other, null].flatMap((of) => [1, 2, 40, 400].map((day) => ({ of, day })))
    await database.batch(
      keys.flatMap(({ of, day }, index) => {
        const key = { appId, device: of, lastUsedAt: day * dayMs }
        return [
          putKeystoreKey({ ...key, keyHash: Buffer.alloc(16, index), attested: null }, null),
          insertAttestedKey({ ...key, keyId: `${index}`, publicKey: Buffer.alloc(91), counter: 0 }),
        ]
      }),
    )
    await deleteKeysOfDevice(database, [device, renamed])
    for (const table of ['keystore_key', 'attested_key'])
      assert.deepEqual(
        await database.query(
          `select device, cast(count(*) as bigint) as keys from ${table} group by device order by device is null`,
        ),
        [
          { device: other, keys: 4 },
          { device: null, keys: 4 },
        ],
        table,
      )
  })

  test(`stores the day and the device of an App Attest key when they change, and its counter always (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const { database } = service.parts
    const { id: appId } = await createApp(service)
    const key = { appId, keyId: 'key' }
    let from = { counter: 0, device: null as string | null, lastUsedAt: dayMs }
    await database.batch([insertAttestedKey({ ...key, publicKey: Buffer.alloc(91), ...from })])
    for (const to of [
      { counter: 1, device: null, lastUsedAt: dayMs },
      { counter: 2, device, lastUsedAt: dayMs },
      { counter: 3, device, lastUsedAt: 2 * dayMs },
      { counter: 4, device, lastUsedAt: 2 * dayMs },
    ]) {
      await database.batch([updateAttestedKey({ ...key, from, to })])
      const { counter, device: stored, lastUsedAt } = (await findAttestedKey(database, appId, 'key'))!
      assert.deepEqual({ counter, device: stored, lastUsedAt }, to)
      await assert.rejects(database.batch([updateAttestedKey({ ...key, from, to: { ...to, counter: 1 } })]), {
        name: 'ConditionFailed',
      })
      from = to
    }
  })
})

test('finds the keys of a device by one read of the index for each day, without a read of the table (sqlite)', async (t) => {
  const database = await sqliteDatabases.open(t)
  const plans: string[] = []
  const watched = {
    async query(sql: string, params: readonly SqlValue[] = []) {
      const plan = await database.query<{ detail: string }>(`explain query plan ${sql}`, params)
      plans.push(...plan.map(({ detail }) => detail).filter((detail) => detail.includes('_key')))
      return []
    },
  } as Queryable
  await deleteKeysOfDevice(watched, [device, renamed])
  assert.equal(plans.length, 6)
  for (const plan of plans) assert.match(plan, /^SEARCH \w+_key USING (?:COVERING )?INDEX \w+_key_by_use/)
  assert.equal(plans.filter((plan) => plan.endsWith('_by_use (last_used_at=? AND device=?)')).length, 2)
})
