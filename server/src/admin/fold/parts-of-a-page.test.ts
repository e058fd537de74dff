// Does it matter where a page of the event log is cut into parts? Whatever is counted in one part must be known in the next.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpoints } from '@ringfence/contract'
import type { Database } from '../../core/storage/database.ts'
import { decisionCalls, intercepted } from '../../decisions/testing.ts'
import { eachDatabase } from '../../testing/databases.ts'
import { ordinaryFacts, sdkClient } from '../../testing/sdk-client.ts'
import { startTestService } from '../../testing/test-service.ts'
import { countActivity, recountActivity } from '../overview/count-activity.ts'

const rules = [
  { id: 'look', name: 'Large payment', when: 'params.amount > 1000', action: 'REVIEW', score: 40 },
  { id: 'stop', name: 'Far too large', when: 'params.amount > 9000', action: 'BLOCK', score: 90 },
]
const labels = ['fraud', 'legitimate', 'chargeback'] as const

const folded = async (database: Database) => ({
  activity: await database.query(
    'select span, starts_at, kind, name, amount from activity_count order by span, starts_at, kind, name',
  ),
  // A label that is taken back leaves a count of 0, which a rebuild does not have.
  counts: await database.query(
    `select span, starts_at, kind, action, operation, app, country, name, cast(amount as integer) as amount,
            cast(total as integer) as total from performance_count where amount <> 0
      order by span, starts_at, kind, action, operation, app, country, name`,
  ),
  entities: await database.query(
    `select kind, hash, first_seen_at, last_seen_at, cast(decisions as integer) as decisions, refused, bad_labels,
            good_labels, shared, risk from entity order by kind, hash`,
  ),
  links: await database.query('select kind, hash, user_hash from entity_link order by kind, hash, user_hash'),
  labels: await database.query('select subject, label, known_at from folded_label order by subject'),
  deadlines: await database.query('select decision_id, kind, due_at from decision_deadline order by decision_id, kind'),
})

eachDatabase(({ engine, open }) => {
  test(`a page of several parts counts like a page for each of them (${engine})`, async (t) => {
    const database = await open(t)
    const service = await startTestService(t, database)
    const { clock, parts, post, tenantId } = service
    const { decide, publish } = decisionCalls(service)
    await publish(rules as never)
    const sdk = await sdkClient(service)
    const { requestId } = await sdk.analyse(ordinaryFacts)
    const { dfrId } = (await sdk.post(endpoints.pushFingerprint.path, sdk.pushBody(requestId))).body
    const decided: string[] = []
    for (let step = 0; step < 3; step++) {
      for (let i = 0; i < 80; i++) {
        const [user, number] = [i % (3 + step), 917020141700 + (i % 5)]
        const more = i % 2 === 0 ? { dfrId } : { phoneNumber: String(number) }
        const params = { amount: [1, 1500, 9500][i % 3]!, currency: 'INR' }
        const { body } = await decide({ action: 'PAYMENT', userId: `user ${user}`, params, ...more })
        decided.push(body.decisionId)
      }
      // One decision gets another label in each step, and one of this step its first.
      for (const decisionId of [decided[0]!, decided.at(-1)!]) {
        const { body } = await post(endpoints.labelReports.path, { labels: [{ decisionId, outcome: labels[step] }] })
        assert.equal(body.accepted, 1)
      }
      clock.advance({ seconds: 30 })
      await countActivity(parts)
    }
    const inSteps = await folded(database)
    let reads = 0
    const watched = intercepted(database, {
      query: (sql) => {
        if (/from event\s+where tenant_hash = \$1 and id > \$2/.test(sql)) reads++
      },
    })
    await recountActivity(tenantId, { ...parts, database: watched })
    assert.ok(reads >= 3, `${reads} parts`)
    assert.deepEqual(await folded(database), inSteps)
    assert.ok(inSteps.entities.length >= 11 && inSteps.links.length > 5 && inSteps.labels.length === 4)
  })
})
