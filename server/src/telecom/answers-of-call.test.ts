// Are the answers of a call stored together, and is each there for whoever asks next?

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { endpoints } from '@ringfence/contract'
import { LockTimeout } from '../core/storage/database.ts'
import { eachDatabase } from '../testing/databases.ts'
import { AnswersOfCall, type AnswerToStore } from './answers-of-call.ts'
import { ordinary, startRoutedService } from './routing/testing.ts'

const simSwap = endpoints.simSwapCheck.path
const options = {
  routing: { otherwise: [{ connector: 'acme' }] },
  settings: { simSwapReuseSeconds: 600 },
}
const later = () => AbortSignal.timeout(60_000)
const hash = new Uint8Array(32)
const answerTo = (question: string): AnswerToStore => ({
  answer: { tenantId: 't', numberHash: hash, question, sealed: hash, answeredAt: 1, expiresAt: 2 },
})

/** What was stored, one list for each commit. */
function recorded(): { stored: string[][]; ofCall: AnswersOfCall } {
  const stored: string[][] = []
  const ofCall = new AnswersOfCall(async (answers) => {
    stored.push(answers.map(({ answer }) => answer.question))
  })
  return { stored, ofCall }
}

test('stores the answers of a call in one commit when it ends', async () => {
  const { stored, ofCall } = recorded()
  const all = [ofCall.add(answerTo('a')), ofCall.add(answerTo('b'))]
  await delay(5)
  assert.deepEqual(stored, [])
  ofCall.end()
  // On its way while the call ends.
  all.push(ofCall.add(answerTo('c')))
  await Promise.all(all)
  assert.deepEqual(stored, [['a', 'b', 'c']])
})

test('stores an answer soon while the call waits for a slow operator, and one that comes after its end', async () => {
  const { stored, ofCall } = recorded()
  await ofCall.add(answerTo('fast'))
  assert.deepEqual(stored, [['fast']])
  ofCall.end()
  await ofCall.add(answerTo('late'))
  assert.deepEqual(stored, [['fast'], ['late']])
})

/** Commits of the call, as the numbers of their statements. */
function committed(fails = false) {
  const commits: number[] = []
  const commit = async ({ length }: { length: number }) => {
    if (fails) throw new Error('no store')
    commits.push(length)
  }
  return { commits, commit }
}

test('stores the answers in the commit of the call, each question once, and nothing on its own', async () => {
  const { stored, ofCall } = recorded()
  const { commits, commit } = committed()
  const all = [ofCall.add(answerTo('a')), ofCall.add(answerTo('b')), ofCall.add(answerTo('a'))]
  await ofCall.storeWith(commit)
  await Promise.all(all)
  await ofCall.storeWith(commit)
  ofCall.end()
  await delay(60)
  assert.deepEqual([commits, stored], [[2, 0], []])
})

test('stores the answers on their own when the commit of the call fails, since they were paid for', async () => {
  const { stored, ofCall } = recorded()
  const one = ofCall.add(answerTo('a'))
  await assert.rejects(ofCall.storeWith(committed(true).commit), /no store/)
  await one
  assert.deepEqual(stored, [['a']])
})

test('commits without the answers when one of them has to wait for another writer', async () => {
  const { stored, ofCall } = recorded()
  const commits: number[] = []
  const one = ofCall.add(answerTo('a'))
  await ofCall.storeWith(async ({ length }) => {
    if (length > 0) throw new LockTimeout('another writer has the row')
    commits.push(length)
  })
  await one
  assert.deepEqual([commits, stored], [[0], [['a']]])
})

test('stores an answer that another call wants before the commit of the call that paid', async () => {
  const { stored, ofCall } = recorded()
  const { commits, commit } = committed()
  const one = ofCall.add(answerTo('a'))
  ofCall.flush()
  await one
  await ofCall.storeWith(commit)
  assert.deepEqual([stored, commits], [[['a']], [0]])
})

test('an answer that cannot be stored is an error for each that waits, and the next one is stored', async () => {
  let fails = true
  const ofCall = new AnswersOfCall(async () => {
    if (fails) throw new Error('no store')
  })
  const both = Promise.allSettled([ofCall.add(answerTo('a')), ofCall.add(answerTo('b'))])
  ofCall.end()
  assert.deepEqual(
    (await both).map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  fails = false
  await ofCall.add(answerTo('c'))
})

eachDatabase(({ engine, open }) => {
  test(`a call pays once for a question, also before and after its answer is stored (${engine})`, async (t) => {
    const { parts: needs, tenantId } = await startRoutedService(t, await open(t), options)
    const { answers } = needs.telecom
    const storing = answers.ofCall()
    const call = { signal: later(), maxAgeSeconds: undefined, storing }
    let paid = 0
    const ask = () =>
      answers.find({ tenantId, digits: ordinary, name: 'simSwap:240@acme', reuseSeconds: 600, call }, async () => {
        paid++
        return { swapped: false }
      })
    for (let round = 0; round < 3; round++) assert.deepEqual((await ask()).answer, { swapped: false })
    await assert.rejects(storing.storeWith(() => Promise.reject(new Error('the token was used'))))
    await ask()
    storing.end()
    while ((await answers.known(tenantId, ordinary)).length === 0) await delay(10)
    await ask()
    assert.equal(paid, 1)
  })

  test(`a call pays once for a question whose answers are not reused, also for one that says nothing (${engine})`, async (t) => {
    const { parts: needs, tenantId } = await startRoutedService(t, await open(t), options)
    const { answers } = needs.telecom
    const callWith = (storing: AnswersOfCall, maxAgeSeconds?: number) => ({ signal: later(), maxAgeSeconds, storing })
    let paid = 0
    for (const [reuseSeconds, maxAge] of [[0], [600, 0]] as const) {
      for (const answer of [{ swapped: false }, null]) {
        const [one, other] = [answers.ofCall(), answers.ofCall()].map((storing) => callWith(storing, maxAge))
        const ask = (call = one!) =>
          answers.find({ tenantId, digits: ordinary, name: 'simSwap:240@acme', reuseSeconds, call }, async () => {
            paid++
            await delay(1)
            return answer
          })
        paid = 0
        // At the same time as an equal call, which pays for neither.
        for (const each of await Promise.all([ask(), ask(other)])) assert.deepEqual(each.answer, answer)
        for (let round = 0; round < 3; round++) {
          assert.deepEqual((await ask()).answer, answer)
          assert.deepEqual((await ask(other)).answer, answer)
          await assert.rejects(one!.storing.storeWith(() => Promise.reject(new Error('the token was used'))))
        }
        for (const { storing } of [one!, other!]) storing.end()
        assert.equal(paid, 1)
        await ask(callWith(answers.ofCall(), maxAge))
        assert.equal(paid, 2, 'the next call pays')
      }
    }
  })

  test(`a check directly after another one finds its answer (${engine})`, async (t) => {
    const { post, asked } = await startRoutedService(t, await open(t), options)
    for (let round = 0; round < 10; round++) {
      const phoneNumber = `91702014173${round}`
      const first = await post(simSwap, { phoneNumber })
      const second = await post(simSwap, { phoneNumber })
      assert.deepEqual([first.headers.get('age'), second.headers.get('age')], [null, '0'])
    }
    assert.equal(asked().length, 10)
  })

  test(`a check while an equal call waits for a slow check finds its answer (${engine})`, async (t) => {
    const { post, asked } = await startRoutedService(t, await open(t), options)
    const checks = { simSwap: {}, deviceSwap: {}, callForwarding: {} }
    const both = await Promise.all([
      post(endpoints.telecomChecks.path, { phoneNumber: ordinary, checks }),
      delay(1).then(() => post(simSwap, { phoneNumber: ordinary })),
    ])
    assert.deepEqual(
      both.map(({ status }) => status),
      [200, 200],
    )
    await post(simSwap, { phoneNumber: ordinary })
    assert.ok(asked().length <= 4)
  })
})
