// What do many pushes of one device cost? As much as one after the other.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpoints } from '@ringfence/contract'
import type { Database } from '../../core/storage/database.ts'
import { browserClient } from '../../device/testdata/ordinary-report.ts'
import { eachDatabase } from '../../testing/databases.ts'
import { newInstallationKey } from '../../testing/installation-key.ts'
import { createApp } from '../../testing/sdk-client.ts'
import { startTestService } from '../../testing/test-service.ts'
import { InTurn } from './in-turn.ts'

test('work of one key takes turns, also after a failure, and that of another key does not wait', async () => {
  const turns = new InTurn()
  const ended: string[] = []
  const gate = Promise.withResolvers<void>()
  const first = turns.run('a', async () => {
    await gate.promise
    ended.push('first')
    throw new Error('no')
  })
  const second = turns.run('a', async () => ended.push('second'))
  await turns.run('b', async () => ended.push('other'))
  gate.resolve()
  await assert.rejects(first, /no/)
  await second
  await turns.run('a', async () => ended.push('third'))
  assert.deepEqual(ended, ['other', 'first', 'second', 'third'])
})

eachDatabase(({ engine, open }) => {
  test(`held pushes of one device that arrive together are each written once (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t), { settings: { appRateBurst: 1000 } })
    const app = await createApp(service)
    const key = newInstallationKey()
    await (await browserClient(service, { app, key })).fingerprint()
    const pushes: (() => Promise<{ status: number }>)[] = []
    for (let user = 0; user < 24; user++) {
      const client = await browserClient(service, { app, key })
      const body = client.engineBody(undefined, { carry: true, updateInfo: { userId: `user-${user}` } })
      const { requestId } = body
      const { analysis } = (await client.post(endpoints.intelligence.path, body)).body
      const pushed = { ...client.pushBody(requestId), data: { requestId, analysis } }
      pushes.push(() => client.post(endpoints.pushFingerprint.path, pushed))
    }
    const { database } = service.parts as { database: Database }
    const batch = t.mock.method(database, 'batch')
    const answers = await Promise.all(pushes.map((push) => push()))
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
    assert.ok(batch.mock.callCount() <= pushes.length + 2, `${batch.mock.callCount()} commits`)
  })
})
