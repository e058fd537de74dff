// What can a reader of the database see without the master key? No numbers, no answers, no secrets.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpoints } from '@ringfence/contract'
import type { Database } from '../core/storage/database.ts'
import { eachDatabase } from '../testing/databases.ts'
import { startTestService } from '../testing/test-service.ts'
import { until } from '../testing/until.ts'

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

/** Answers are stored after the response, each beside what is known of the line. */
async function storedAnswers(database: Database, count: number) {
  const stored = `select number_hash as "numberHash", question, sealed from telecom_answer where question <> 'line'`
  return until(
    () => database.query(stored),
    ({ length }) => length === count,
  )
}

const settings = { simSwapReuseSeconds: 3600 }
const { path } = endpoints.simSwapCheck

eachDatabase(({ engine, open }) => {
  test(`stores numbers, results and secrets only encrypted (${engine})`, async (t) => {
    const database = await open(t)
    const { post, credentials } = await startTestService(t, database, { settings })
    assert.equal((await post(path, { phoneNumber: digits })).body.swapped, false)
    await storedAnswers(database, 1)
    const stored = await everythingIn(database)
    assert.ok(stored.includes('simSwap:240@sandbox') && stored.includes(credentials.clientId))
    for (const secret of [digits, digits.slice(2), 'false', credentials.clientSecret]) {
      assert.equal(stored.includes(secret), false, secret)
    }
  })

  test(`ignores a stored result that was moved to another number, and calls the operator again (${engine})`, async (t) => {
    const database = await open(t)
    const { post } = await startTestService(t, database, { settings })
    const swapped = async (phoneNumber: string) => {
      const { body, headers } = await post(path, { phoneNumber })
      return [body.swapped, headers.get('age')]
    }
    const [quiet, freshlySwapped] = [digits, '61491570110']
    for (const number of [quiet, freshlySwapped]) await swapped(number)
    const [one, other] = await storedAnswers(database, 2)
    assert.deepEqual(await swapped(freshlySwapped), [true, '0'])
    for (const [to, from] of [
      [one, other],
      [other, one],
    ]) {
      await database.query(`update telecom_answer set sealed = $1 where number_hash = $2 and question <> 'line'`, [
        from!.sealed!,
        to!.numberHash!,
      ])
    }
    assert.deepEqual(await swapped(quiet), [false, null])
    assert.deepEqual(await swapped(freshlySwapped), [true, null])
  })
})
