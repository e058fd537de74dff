// Is every acknowledged write stored when the process is killed? proof/promises/ runs the same a thousand times.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eachDatabase } from '../../testing/databases.ts'
import { killUnderWrites } from '../../testing/kill-under-writes.ts'

eachDatabase(({ engine, place }) => {
  test(`kill -9 under writes, 10 times: what was acknowledged is there, nothing by halves (${engine})`, async (t) => {
    const { acknowledged, lost, halves, failedOpens } = await killUnderWrites(await place(t), 10)
    assert.ok(acknowledged > 0)
    assert.deepEqual({ lost, halves, failedOpens }, { lost: [], halves: [], failedOpens: [] })
  })
})
