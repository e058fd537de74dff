import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { uuidBytes, uuidText } from '../../core/storage/uuid.ts'
import { eachDatabase } from '../../testing/databases.ts'
import { putAccountDevice } from './account-devices.ts'
import { inDoubtSince, installationInserts, type Stage, stages } from './installations.ts'

eachDatabase(({ engine, open }) => {
  test(`of devices in doubt, those that something may prove are looked at, of each tenant (${engine})`, async (t) => {
    const database = await open(t)
    const store = async (tenantId: string, stage: Stage, lastSeenAt: number) => {
      const id = uuidBytes(randomUUID())
      const unknown = { keyHash: null, fingerprint: null, confidence: null } as const
      const likely = { likelyDeviceId: uuidBytes(randomUUID()), likelyConfidence: 500 }
      const row = {
        id,
        deviceId: id,
        ...unknown,
        stage,
        bySimilarity: 0,
        ...likely,
        firstSeenAt: 1,
        lastSeenAt,
      } as const
      await database.batch(installationInserts(tenantId, row, null))
      return id
    }
    const [early, firstVisit, trusted] = [
      await store('quiet', stages.established, 10),
      await store('quiet', stages.new, 20),
      await store('quiet', stages.new, 15),
    ]
    const confirmed = { deviceId: trusted, installations: new Uint8Array(0), firstSeenAt: 1, lastSeenAt: 1 }
    await putAccountDevice(database, Buffer.from('account8'), {
      ...confirmed,
      ...{ revokedAt: null, sealed: new Uint8Array(1) },
    })
    for (let index = 0; index < 30; index++) await store('flooded', stages.established, 30 + index)
    const found = await inDoubtSince(database, 5, 10)
    assert.equal(found.length, 10)
    const ofQuiet = found.flatMap(({ tenantId, id }) => (tenantId === 'quiet' ? [uuidText(id)] : []))
    assert.deepEqual(new Set(ofQuiet), new Set([early, trusted].map((id) => uuidText(id))))
    assert.ok(!ofQuiet.includes(uuidText(firstVisit)))
  })
})
