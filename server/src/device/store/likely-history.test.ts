// How many bad reports has a device that a visit resembles, with those of other phones that resembled it?

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Database, SqlValue } from '../../core/storage/database.ts'
import { eachDatabase } from '../../testing/databases.ts'
import { startTestService } from '../../testing/test-service.ts'
import { putDeviceLabel } from './labels/device-labels.ts'
import { likelyHistoryOf } from './likely-history.ts'

const hashOf = (index: number) => Buffer.alloc(8, index)
const deviceHash = hashOf(200)
const place = { tenantId: 'shop', deviceId: Buffer.alloc(16, 200), deviceHash }
const phones = Array.from({ length: 100 }, (_, index) => hashOf(index))

async function labelled(database: Database, deviceHash: Buffer, dfrId: string): Promise<void> {
  const label = { label: 'fraud', installationHash: null, knownAt: 1, visitedAt: 0 } as const
  await putDeviceLabel(database, { ...label, tenantId: 'shop', deviceHash, dfrId })
}

eachDatabase(({ engine, open }) => {
  test(`counts the reports of each device once, however many phones there are, by two statements (${engine})`, async (t) => {
    const database = await open(t)
    await startTestService(t, database)
    for (const dfrId of ['1', '2', '3']) await labelled(database, deviceHash, dfrId)
    await labelled(database, hashOf(0), '4')
    await labelled(database, hashOf(99), '5')
    await labelled(database, hashOf(150), '6')
    const texts = new Set<string>()
    const watched = {
      query<R>(sql: string, params?: readonly SqlValue[]) {
        texts.add(sql)
        return database.query<R>(sql, params)
      },
    }
    const counts = []
    for (let count = 0; count <= phones.length; count++) {
      const { badReports } = await likelyHistoryOf(watched, { ...place, others: phones.slice(0, count) }, 0)
      counts.push(badReports)
    }
    assert.deepEqual(counts, [3, ...Array.from({ length: 99 }, () => 4), 5])
    assert.equal(texts.size, 2)
  })
})
