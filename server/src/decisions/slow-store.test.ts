// What does a decision do while the store is slow for one part of it, or fails?

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Decision } from '@ringfence/contract'
import { StorageUnavailable } from '../core/storage/database.ts'
import { tokenCalls } from '../sign-in/tokens/testing.ts'
import { eachDatabase } from '../testing/databases.ts'
import { startTestService } from '../testing/test-service.ts'
import { decisionCalls, type Interception, intercepted } from './testing.ts'

const userId = 'customer-4711'
const storesDecision = (texts: readonly string[]) => texts.some((sql) => /into decision\b/.test(sql))
const isTokenRead = (sql: string) => /^select .* from token\b/s.test(sql)

eachDatabase(({ engine, open }) => {
  const it = (promise: string) => `${promise} (${engine})`

  test(it('a sign-in that comes after the deadline is not used up, so that a later decision finds it'), async (t) => {
    const interception: Interception = {}
    const database = intercepted(await open(t), interception)
    const service = await startTestService(t, database, { settings: { tokenUses: 'once' } })
    const { decide } = decisionCalls(service)
    const token = await tokenCalls(service).issue()
    const due = Promise.withResolvers<void>()
    // The token is read when the deadline has passed, and the decision is stored after that.
    interception.query = async (sql) => {
      if (isTokenRead(sql)) await due.promise
    }
    interception.batch = async (texts) => {
      if (!storesDecision(texts)) return
      due.resolve()
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
    const late = (await decide({ userId, token, deadlineMs: 100 })).body as Decision
    assert.deepEqual([late.missing, late.login], [[{ what: 'login', why: 'deadline' }], undefined])
    const repeated = (await decide({ userId, token })).body as Decision
    assert.deepEqual([repeated.missing, repeated.login?.userId], [[], userId])
    assert.deepEqual(
      (await decide({ userId, token })).body.missing,
      [{ what: 'login', why: 'unknown' }],
      'it is used up',
    )
  })

  test(it('a required sign-in that comes after the deadline is a challenge, and one in time is none'), async (t) => {
    const interception: Interception = {}
    const service = await startTestService(t, intercepted(await open(t), interception))
    const { decide, publish } = decisionCalls(service)
    await publish([], { require: { LOGIN: ['login'] } })
    const token = await tokenCalls(service).issue()
    const asked = { action: 'LOGIN', userId, token, email: 'u@shop.example' }
    assert.equal((await decide(asked)).body.action, 'ALLOW')
    const due = Promise.withResolvers<void>()
    interception.query = async (sql) => {
      if (isTokenRead(sql)) await due.promise
    }
    interception.batch = (texts) => {
      if (storesDecision(texts)) due.resolve()
    }
    const { action, rules } = (await decide({ ...asked, deadlineMs: 100 })).body as Decision
    assert.deepEqual([action, rules.fired], ['CHALLENGE', []])
  })

  test(it('a token of somebody else is not used up, because the decision does not accept it'), async (t) => {
    const service = await startTestService(t, await open(t), { settings: { tokenUses: 'once' } })
    const { decide } = decisionCalls(service)
    const token = await tokenCalls(service).issue()
    const other = (await decide({ userId: 'somebody-else', token })).body as Decision
    assert.deepEqual(other.missing, [{ what: 'login', why: 'other-user' }])
    assert.equal((await decide({ userId, token })).body.login?.userId, userId)
  })

  test(it('a read that fails while another part is awaited is a 503, and the server goes on'), async (t) => {
    const interception: Interception = {}
    const service = await startTestService(t, intercepted(await open(t), interception))
    const { decide } = decisionCalls(service)
    const token = await tokenCalls(service).issue()
    const failed = Promise.withResolvers<void>()
    interception.query = async (sql) => {
      if (isTokenRead(sql)) {
        await failed.promise
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      if (!/from device_analysis/.test(sql)) return
      failed.resolve()
      throw new StorageUnavailable('the disk is full')
    }
    const { status } = await decide({ token, dfrId: '0'.repeat(32) })
    assert.equal(status, 503)
    interception.query = () => {}
    assert.equal((await decide({ token })).body.login?.userId, userId)
  })

  test(
    it('an event of a check that cannot be written after the decision failed does not end the server'),
    async (t) => {
      const interception: Interception = {}
      const settings = { recordedEvents: 'all' } as const
      const service = await startTestService(t, intercepted(await open(t), interception), { settings })
      const { decide } = decisionCalls(service)
      const ended = Promise.withResolvers<void>()
      interception.query = (sql) => {
        if (/from telecom_answer/.test(sql)) throw new StorageUnavailable('the disk is full')
      }
      interception.batch = (texts) => {
        if (!texts.some((sql) => /into event\b/.test(sql))) return
        setImmediate(ended.resolve)
        throw new StorageUnavailable('the disk is full')
      }
      assert.equal((await decide({ phoneNumber: '917020141726', checks: ['simSwap'] })).status, 503)
      await ended.promise
      interception.query = interception.batch = () => {}
      assert.equal(
        (await decide({ phoneNumber: '917020141726', checks: ['simSwap'] })).body.phone?.simSwap?.swapped,
        false,
      )
    },
  )
})
