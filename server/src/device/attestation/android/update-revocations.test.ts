import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { longestWaitMs } from '../../../core/files/newer-files.ts'
import { startPublisher } from '../../../ip/testing/publisher.ts'
import { holdTimers } from '../../../testing/held-timers.ts'
import { testClock } from '../../../testing/test-clock.ts'
import { openRevocations, readStoredRevocations, revocationFile } from './revocation-list.ts'
import { updateRevocations } from './update-revocations.ts'

const day = 86_400_000
const lists = { google: { url: 'https://status.example/google' }, own: { url: 'https://status.example/own' } }
const whole = JSON.stringify({ entries: { ff: { status: 'REVOKED' }, a1: { status: 'SUSPENDED' } } })

async function start(t: TestContext) {
  const dataFolder = await mkdtemp(join(tmpdir(), 'ringfence-revocations-'))
  t.after(() => rm(dataFolder, { recursive: true }))
  const publisher = await startPublisher(t)
  const clock = testClock()
  holdTimers(t, longestWaitMs) // a look waits for the disk, however slow it is
  const revocations = openRevocations({ dataFolder, clock, log: { error: assert.fail } as never }, lists)
  return {
    dataFolder,
    answers: publisher.answers,
    clock,
    update: (options: { force?: boolean; now?: number } = {}) =>
      updateRevocations({
        dataFolder,
        lists,
        now: clock.now(),
        // The publisher has no certificate, so its paths stand for those of the lists.
        fetch: (to, init) => {
          assert.equal(init?.redirect, 'manual', 'a redirect could lead to a URL without TLS')
          return fetch(publisher.url + new URL(String(to)).pathname, init)
        },
        ...options,
      }),
    async state() {
      clock.advance({ seconds: 6 })
      return (await revocations.current()).stateAt(clock.now())
    },
    async statusOf(serialNumber: string) {
      clock.advance({ seconds: 6 })
      return (await revocations.current()).statusOf(serialNumber)
    },
  }
}

test('nothing is known until every configured list was fetched', async (t) => {
  const { answers, update, state, statusOf } = await start(t)
  assert.equal(await state(), 'missing')
  answers['/google'] = { body: whole }
  assert.deepEqual(await update(), [
    { name: 'google', outcome: 'updated', entries: 2 },
    { name: 'own', outcome: 'missing', entries: 0, reason: 'HTTP 404' },
  ])
  assert.deepEqual([await state(), await statusOf('ff')], ['missing', 'revoked'])
  answers['/own'] = { body: whole }
  await update()
  assert.equal(await state(), 'current')
})

test('a first list that is empty, not whole or of another form is refused, also by force', async (t) => {
  const { answers, update, state } = await start(t)
  answers['/own'] = { body: whole }
  const faults: [answer: (typeof answers)[string], reason: RegExp][] = [
    [{ body: '{"entries":{}}' }, /^it has no entries$/],
    [{ body: '[]' }, /"entries" is missing or wrong$/],
    [{ body: '{"entries":{"ff":{"status":1}}}' }, /"entries" is missing or wrong$/],
    [{ body: '{"entries":{"xyz":{"status":"REVOKED"}}}' }, /^"xyz" is not a serial number in hex$/],
    [{ body: whole.slice(0, -9) }, /^it is not valid JSON: /],
    [{ body: whole, cutShort: true }, /terminated/],
    [{ status: 206, body: whole }, /^HTTP 206$/],
    [{ status: 302, body: whole }, /^HTTP 302$/],
    [{ status: 500, body: whole }, /^HTTP 500$/],
  ]
  for (const [answer, reason] of faults) {
    answers['/google'] = answer
    for (const force of [false, true]) {
      const [google] = await update({ force })
      assert.deepEqual([google?.outcome, google?.entries], ['missing', 0], String(reason))
      assert.match(google?.reason ?? '', reason)
      assert.equal(await state(), 'missing')
    }
  }
})

test('a list that was stored without entries counts as missing', async (t) => {
  const { dataFolder, answers, update, state, clock } = await start(t)
  for (const path of ['/google', '/own']) answers[path] = { body: whole }
  await update()
  const [google, own] = await readStoredRevocations(revocationFile(dataFolder))
  const stored = { version: 1, lists: [google, { ...own, entries: {} }] }
  await writeFile(revocationFile(dataFolder), JSON.stringify(stored))
  assert.equal(await state(), 'missing')
  clock.advance({ seconds: 1 })
  await update()
  assert.equal(await state(), 'current')
})

test('a list is stale after a day, and when it is dated in the future', async (t) => {
  const { answers, update, state, clock } = await start(t)
  for (const path of ['/google', '/own']) answers[path] = { body: whole }
  await update()
  assert.equal(await state(), 'current')
  clock.advance({ hours: 24 })
  assert.equal(await state(), 'stale')
  await update({ now: clock.now() + 60_000 })
  assert.equal(await state(), 'current', 'clocks may differ')
  await update({ now: clock.now() + 30 * day })
  assert.equal(await state(), 'stale')
  clock.advance({ hours: 720 })
  assert.equal(await state(), 'current')
})
