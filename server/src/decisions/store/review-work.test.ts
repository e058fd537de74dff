import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { lowestIdAt } from '../../core/storage/ids/event-id.ts'
import { uuidBytes, uuidText } from '../../core/storage/uuid.ts'
import { eachDatabase } from '../../testing/databases.ts'
import { decisionInsert } from './decisions.ts'
import { listOpenReviews } from './review-work.ts'
import { countOpenReviews } from './reviews.ts'

const hourMs = 3_600_000
const usualMs = 24 * hourMs
const start = Date.parse('2026-11-01T00:00:00Z')
const subjects = { userHash: null, numberHash: null, emailHash: null, mailboxHash: null, deviceHash: null }
const tenantId = 'shop'

/** One a minute; every third has a deadline of its rule, and some deadlines are the same. */
const queue = Array.from({ length: 90 }, (_, i) => {
  const decidedAt = start + i * 60_000
  const id = Buffer.concat([lowestIdAt(decidedAt).subarray(0, 7), randomBytes(9)])
  const ruleDueAt = i % 3 === 0 ? start + (((i * 7) % 48) + 1) * hourMs : null
  return { id, decidedAt, ruleDueAt, dueAt: ruleDueAt ?? decidedAt + usualMs }
})
const inOrder = queue
  .toSorted((a, b) => a.dueAt - b.dueAt || Buffer.compare(a.id, b.id))
  .map(({ id, dueAt }) => ({ decisionId: uuidText(id), dueAt }))

eachDatabase(({ engine, open }) => {
  async function filled(t: Parameters<typeof open>[0]) {
    const database = await open(t)
    await database.batch(
      queue.map(({ id, decidedAt, ruleDueAt }) =>
        decisionInsert({
          ...{ tenantId, decisionId: uuidText(id), decidedAt, reviewDueAt: ruleDueAt, subjects, isReviewed: true },
          ...{ idempotencyHash: null, bodyHash: randomBytes(8), dfrId: null, sealed: randomBytes(8) },
        }),
      ),
    )
    return database
  }

  test(`pages of open reviews follow the deadlines, whether the rule or the tenant sets them (${engine})`, async (t) => {
    const database = await filled(t)
    const listed: string[] = []
    for (let after: { dueAt: number; id: Uint8Array } | undefined; ; ) {
      const rows = await listOpenReviews(
        database,
        { tenantId, isWaiting: false, usualMs },
        { after, since: 0, limit: 7 },
      )
      listed.push(...rows.map(({ decisionId }) => decisionId))
      if (rows.length < 7) break
      const { decisionId } = rows.at(-1)!
      after = { dueAt: inOrder[listed.length - 1]!.dueAt, id: uuidBytes(decisionId) }
    }
    assert.deepEqual(
      listed,
      inOrder.map(({ decisionId }) => decisionId),
    )
  })

  test(`lists and counts the open reviews that were due at a time, and no others (${engine})`, async (t) => {
    const database = await filled(t)
    for (const hours of [0, 1, 12, 24, 25, 48]) {
      const dueBefore = start + hours * hourMs
      const expected = inOrder.filter(({ dueAt }) => dueAt <= dueBefore).map(({ decisionId }) => decisionId)
      const open = { tenantId, isWaiting: false, usualMs, dueBefore }
      const rows = await listOpenReviews(database, open, { after: undefined, since: 0, limit: 100 })
      assert.deepEqual(
        rows.map(({ decisionId }) => decisionId),
        expected,
      )
      const due = { usualMs, before: dueBefore }
      assert.equal(await countOpenReviews(database, tenantId, { since: 0, due, most: 1000 }), expected.length)
      assert.equal(
        await countOpenReviews(database, tenantId, { since: 0, due, most: 20 }),
        Math.min(20, expected.length),
      )
    }
  })

  test(`a page of open reviews is read in the order of an index, without sorting all of them (${engine})`, async (t) => {
    const database = await filled(t)
    const asked: { sql: string; params: unknown[] }[] = []
    const watched = {
      query: (sql: string, params: unknown[]) => {
        asked.push({ sql, params })
        return []
      },
    }
    await listOpenReviews(
      watched as never,
      { tenantId, isWaiting: false, usualMs },
      { after: undefined, since: 0, limit: 7 },
    )
    assert.equal(asked.length, 2)
    for (const { sql, params } of asked) {
      const plan = await database.transaction(async (tx) => {
        // A small table is read whole by PostgreSQL, in any order.
        if (engine === 'postgres') await tx.query('set local enable_seqscan = off')
        const explain = engine === 'sqlite' ? 'explain query plan' : 'explain'
        return JSON.stringify(await tx.query(`${explain} ${sql}`, params as never))
      })
      assert.match(plan, /decision_by_(rule|usual)_due/)
      assert.doesNotMatch(plan, /TEMP B-TREE|"Sort|-> +Sort/)
    }
  })
})
