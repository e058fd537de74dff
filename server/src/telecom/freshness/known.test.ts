// Do rules still see what is known of a number after a backend asked many other questions about it? On both engines.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { Consent } from '@ringfence/contract'
import { eachDatabase } from '../../testing/databases.ts'
import { startTestService } from '../../testing/test-service.ts'
import { answers } from '../answers.ts'

const digits = '917020141726'
const fraud: Consent = { purpose: 'dpv:FraudPreventionAndDetection', legalBasis: 'LEGITIMATE_INTERESTS' }
const identity: Consent = { purpose: 'dpv:IdentityVerification', legalBasis: 'CONSENT' }

eachDatabase(({ engine, open }) => {
  test(`many newer questions hide no older warning, no line and no answer for another purpose (${engine})`, async (t) => {
    const database = await open(t)
    const { parts: needs, tenantId, clock } = await startTestService(t, database)
    const { tenantKeyring, log } = needs
    const resources = { database, tenantKeyring, clock, log }
    const [free, strict] = [answers(resources), answers({ ...resources, isPurposeRequired: () => true })]
    for (const each of [free, strict]) each.keptFor(async () => 86_400)
    let stored = 0
    const store = async (name: string, answer: object, consent?: Consent) => {
      const call = { signal: new AbortController().signal, ...(consent && { consent }) }
      await free.find({ tenantId, digits, name, reuseSeconds: 0, operator: '001-01', call }, async () => answer)
      stored++
    }
    const untilStored = async () => {
      const count = async () =>
        (await database.query("select question from telecom_answer where question <> 'line'")).length
      while ((await count()) < stored) await delay(10)
      clock.advance({ seconds: 1 })
    }
    await store('callForwarding:any@acme', { active: true })
    await store('simSwap:2400@acme', { swapped: true, maxAgeHours: 2400 }, fraud)
    await untilStored()
    for (let hours = 1; hours <= 60; hours++) {
      await store(`simSwap:${hours}@acme`, { swapped: false, maxAgeHours: hours }, identity)
    }
    await untilStored()

    const known = await free.known(tenantId, digits)
    assert.equal(known.length, 62)
    assert.ok(known.every(({ operator }) => operator === '001-01'))
    assert.deepEqual(known.at(-1)?.ageSeconds, 2, 'newest first')
    const namesFor = async (reader?: Consent) => (await strict.known(tenantId, digits, reader)).map(({ name }) => name)
    assert.deepEqual(await namesFor(fraud), ['simSwap:2400@acme'])
    assert.deepEqual(await namesFor(), ['callForwarding:any@acme'])

    for (let hours = 61; hours <= 240; hours++) {
      await store(`simSwap:${hours}@acme`, { swapped: false, maxAgeHours: hours }, identity)
    }
    await untilStored()
    const some = await free.known(tenantId, digits)
    assert.equal(some.filter(({ name }) => name.startsWith('simSwap')).length, 200, 'each check is bounded')
    assert.ok(some.some(({ name }) => name.startsWith('callForwarding')))
    assert.ok(some.every(({ operator }) => operator === '001-01'))
    assert.deepEqual(await namesFor(fraud), ['simSwap:2400@acme'])
  })
})
