import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eachDatabase } from '../../testing/databases.ts'
import { entitiesPut, fewerShared, findEntities } from './entities.ts'

const bytes = (n: number) => new Uint8Array(8).fill(n)

eachDatabase(({ engine, open }) => {
  test(`a user who had two devices that are now a third one has two less (${engine})`, async (t) => {
    const database = await open(t)
    const counts = { decisions: 0, refused: 0, badLabels: 0, goodLabels: 0, risk: 0 }
    const rows = [bytes(1), bytes(2)].map((hash) => ({
      ...{ kind: 'user' as const, hash, firstSeenAt: 1, lastSeenAt: 2, ...counts },
      ...{ shared: 3, sealed: bytes(3), isSeenAgain: false },
    }))
    await database.batch(entitiesPut('shop', rows))
    await database.batch(fewerShared('shop', [bytes(1), bytes(2), bytes(1)]))
    const found = await findEntities(database, 'shop', rows)
    assert.deepEqual(Object.fromEntries(found.map(({ hash, shared }) => [hash[0], shared])), { 1: 1, 2: 2 })
  })
})
