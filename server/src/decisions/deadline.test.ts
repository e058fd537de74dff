// How long does a decision wait, wherever its backend says so, and what does it say of an answer that came too late?

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Decision } from '@ringfence/contract'
import type { Database } from '../core/storage/database.ts'
import { eachDatabase } from '../testing/databases.ts'
import { startTestService } from '../testing/test-service.ts'
import { decisionCalls } from './testing.ts'

/** Answers after half a minute. */
const slowNumber = '917020140153'

/** The same database. A busy machine may need longer for its own work than the caller leaves, which PostgreSQL would refuse. */
const unhurried = (database: Database): Database =>
  new Proxy(database, {
    get(target, name) {
      if (name === 'within') return (_: number, work: () => unknown) => work()
      const member: unknown = Reflect.get(target, name, target)
      return typeof member === 'function' ? member.bind(target) : member
    },
  })

eachDatabase(({ engine, open }) => {
  for (const [where, body, headers] of [
    ['the field', { deadlineMs: 200 }, {}],
    ['the header', {}, { 'x-ringfence-deadline-ms': '3000' }],
    ['the shorter of both', { deadlineMs: 30_000 }, { 'x-ringfence-deadline-ms': '3000' }],
  ] as const) {
    test(`${where} says how long a decision waits, and what is late is a time-out (${engine})`, async (t) => {
      const service = await startTestService(t, unhurried(await open(t)))
      const { decide } = decisionCalls(service)
      const asked = { phoneNumber: slowNumber, checks: ['simSwap'], ...body }
      const { status, body: decision } = await decide(asked, headers)
      assert.equal(status, 200, JSON.stringify(decision))
      const missing = (decision as Decision).missing.find(({ what }) => what === 'simSwap')
      assert.equal(missing?.why, 'operator-timeout')
    })
  }

  test(`a decision that may wait longer than other calls is not cut off by their deadline (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t), { settings: { deadlineMs: 300 } })
    const { decide } = decisionCalls(service)
    const { status, body } = await decide({ phoneNumber: slowNumber, checks: ['simSwap'], deadlineMs: 3_000 })
    assert.equal(status, 200, JSON.stringify(body))
    assert.equal((body as Decision).missing.find(({ what }) => what === 'simSwap')?.why, 'operator-timeout')
  })
})
