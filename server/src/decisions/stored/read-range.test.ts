// Does a read of the last days look at the years before? It begins at the first decision of its range.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SqlValue } from '../../core/storage/database.ts'
import { newUuidAt, uuidText } from '../../core/storage/uuid.ts'
import { eachDatabase } from '../../testing/databases.ts'
import { startTestService } from '../../testing/test-service.ts'
import { decisionInsert, decisionsSince } from '../store/decisions.ts'
import { pagesOf } from './stored-decisions.ts'

const dayMs = 86_400_000
const noSubjects = { userHash: null, numberHash: null, emailHash: null, deviceHash: null, mailboxHash: null }

eachDatabase(({ engine, open }) => {
  test(`a read from a moment begins at its first decision, and not at the oldest one (${engine})`, async (t) => {
    const { parts: needs, tenantId, clock } = await startTestService(t, await open(t))
    const { database, settings } = needs
    const now = clock.now()
    const daysAgo = [90, 80, 10, 2, 1]
    const ids = daysAgo.map((days) => newUuidAt(now - days * dayMs))
    await database.batch(
      ids.map((decisionId, i) =>
        decisionInsert({
          ...{ tenantId, decisionId, decidedAt: now - daysAgo[i]! * dayMs, dfrId: null, isReviewed: false },
          ...{ idempotencyHash: null, bodyHash: new Uint8Array(8), subjects: noSubjects, sealed: new Uint8Array(1) },
        }),
      ),
    )
    const begins: string[] = []
    const watched = Object.assign(Object.create(database), {
      query(sql: string, params: readonly SqlValue[]) {
        if (sql.includes('decision_id >')) begins.push(uuidText(params[1] as Uint8Array))
        return database.query(sql, params)
      },
    })
    const read = async (options: { from?: number; newest?: number }) => {
      const found: string[] = []
      for await (const rows of pagesOf(tenantId, { database: watched, clock, settings }, { limit: 1, ...options }))
        found.push(...rows.map(({ decisionId }) => decisionId))
      return found
    }
    const from = now - 10 * dayMs
    assert.deepEqual(await read({ from }), ids.slice(2))
    assert.ok(begins[0]! > ids[1]!, 'the decisions before the range are skipped by the index')
    assert.deepEqual(await read({ from, newest: 2 }), ids.slice(3))
    assert.deepEqual(await read({ from, newest: 4 }), ids.slice(2))
    assert.deepEqual(await read({}), ids)
    assert.equal(await decisionsSince(database, tenantId, from), 3)
  })
})
