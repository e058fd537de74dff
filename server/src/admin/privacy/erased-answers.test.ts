// Does an erasure also end the answers that are on their way into the store?

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { endpoints } from '@ringfence/contract'
import { ordinary, startRoutedService } from '../../telecom/routing/testing.ts'
import { eachDatabase } from '../../testing/databases.ts'
import { adminClient } from '../testing.ts'

eachDatabase(({ engine, open }) => {
  test(`an erasure directly after a check leaves no answer (${engine})`, async (t) => {
    const database = await open(t)
    const settings = { simSwapReuseSeconds: 600 }
    const service = await startRoutedService(t, database, { routing: { otherwise: [{ connector: 'acme' }] }, settings })
    const admin = await adminClient(service, 'support')
    for (let round = 0; round < 5; round++) {
      assert.equal((await service.post(endpoints.simSwapCheck.path, { phoneNumber: ordinary })).body.success, true)
      const subject = { kind: 'phoneNumber', value: ordinary }
      assert.equal((await admin('eraseSubject', { subject, reason: 'asked for' })).status, 200)
      await delay(100)
      assert.deepEqual(await database.query('select question from telecom_answer'), [])
    }
  })
})
