// What does the store tell whoever reads it without the master key? Neither number nor answer nor secret.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { endpoints } from '@ringfence/contract'
import type { Database } from '../storage/database.ts'
import { eachDatabase } from '../testing/databases.ts'
import { startTestService } from '../testing/test-service.ts'

const digits = '917020141726'

/** Every value of every table, bytes as they are. */
async function everythingIn(database: Database): Promise<string> {
  const tables = ['tenant', 'client', 'client_secret', 'telecom_answer']
  const rows = await Promise.all(tables.map((table) => database.query(`select * from ${table}`)))
  return rows
    .flat()
    .flatMap((row) => Object.values(row))
    .map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value)))
    .join('\n')
}

eachDatabase(({ engine, open }) => {
  test(`neither number nor answer nor secret is in clear in the store (${engine})`, async (t) => {
    const database = await open(t)
    const { post, credentials } = await startTestService(t, database, { settings: { simSwapReuseSeconds: 3600 } })
    assert.equal((await post(endpoints.simSwapCheck.path, { phoneNumber: digits })).body.swapped, false)
    let stored = await everythingIn(database)
    // An answer is kept off the path of the request.
    for (const until = performance.now() + 5000; !stored.includes('sim-swap:240') && performance.now() < until; ) {
      await setImmediate()
      stored = await everythingIn(database)
    }
    assert.ok(stored.includes('sim-swap:240@sandbox') && stored.includes(credentials.clientId))
    for (const secret of [digits, digits.slice(2), 'false', credentials.clientSecret]) {
      assert.equal(stored.includes(secret), false, secret)
    }
  })
})
