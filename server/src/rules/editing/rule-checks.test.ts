import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Refusal } from '../../core/errors.ts'
import { holdTimers } from '../../testing/held-timers.ts'
import { until } from '../../testing/until.ts'
import { ruleSetOf } from '../rule-set.ts'
import { differencesOf } from './differences.ts'
import { RuleChecks } from './rule-checks.ts'

const swapped = 'telecom.simSwap.swapped and newDevice'

test('checks a text and the rules of a form in a thread, with the same result', async (t) => {
  const checks = new RuleChecks()
  t.after(() => checks.close())
  const text = `rules:
  - id: swap
    name: Swapped
    when: ${swapped}
    action: BLOCK
    score: 80
    cases:
      - fires: { telecom.simSwap.swapped: true, newDevice: true }
      - silent: { newDevice: true }
`
  const found = await checks.check({ text })
  assert.deepEqual([found.mistakes, found.cases.cases, found.cases.failed], [[], 2, []])
  const of = found.ruleSet.rules[0]!
  const form = await checks.check({ rules: [{ ...of }] })
  assert.equal(form.written.rules[0]!.when, swapped)
  assert.deepEqual({ ...form, text: '' }, { ...found, text: '' })
  assert.deepEqual(await checks.check({ text: form.text }), form)
})

test('a prepared thread is the one that checks, and none starts after the end', async (t) => {
  let started = 0
  const count = () => void started++
  process.on('worker', count)
  t.after(() => process.off('worker', count))
  const checks = new RuleChecks({ thread })
  checks.prepare()
  checks.prepare()
  await nextTurn()
  assert.equal(started, 1)
  await checks.check({ text: 'fine' })
  assert.equal(started, 1)
  await checks.close()
  checks.prepare()
  await nextTurn()
  assert.equal(started, 1)
})

test('reports line and column of a mistake, also of a form', async (t) => {
  const checks = new RuleChecks()
  t.after(() => checks.close())
  const { mistakes } = await checks.check({
    rules: [{ id: 'a', name: 'A', when: 'newDevise', action: 'BLOCK', score: 1 }, { id: 'b' }],
  })
  assert.deepEqual(mistakes[0], {
    ...{ line: 4, column: 11, rule: 'a' },
    reason: 'there is no "newDevise"; did you mean newDevice?',
  })
  assert.ok(mistakes.some(({ rule }) => rule === 'b'))
  const tree = { op: 'all', of: [] }
  const { mistakes: ofTree } = await checks.check({
    rules: [{ id: 'a', name: 'A', when: tree, action: 'BLOCK', score: 1 }],
  })
  assert.equal(ofTree[0]!.rule, 'a')
})

/** Hangs for ever at the text "hang", a moment at the text "slow", and ends at the text "die". */
const thread = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from 'node:worker_threads'
    parentPort.on('message', ({ given: { text } }) => {
      parentPort.postMessage({ begun: true })
      while (text === 'hang');
      if (text === 'slow') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100)
      if (text === 'die') process.exit(1)
      parentPort.postMessage({ checked: { text } })
    })`)}`,
)

test('ends a check that takes too long or ends its thread, and goes on with the next one', async (t) => {
  const limit = holdTimers(t, 2_000)
  const checks = new RuleChecks({ limitMs: 2_000, thread })
  t.after(() => checks.close())
  const texts = ['hang', 'one', 'die', 'two']
  const checking = Promise.allSettled(texts.map((text) => checks.check({ text })))
  await until(() => limit.waiting() === 1)
  limit.fire()
  const answers = await checking
  assert.deepEqual(
    answers.map((each) => (each.status === 'fulfilled' ? each.value.text : (each.reason as Refusal).failure)),
    ['fieldInvalid', 'one', 'fieldInvalid', 'two'],
  )
})

test('a server that stood still until the limit takes the result, and loses no other check', async (t) => {
  const limit = holdTimers(t, 2_000)
  const checks = new RuleChecks({ limitMs: 2_000, thread })
  t.after(() => checks.close())
  const checking = Promise.allSettled(['slow', 'one', 'two'].map((text) => checks.check({ text })))
  await until(() => limit.waiting() === 1)
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000)
  limit.fire()
  const answers = await checking
  assert.deepEqual(
    answers.map((each) => (each.status === 'fulfilled' ? each.value.text : (each.reason as Refusal).failure)),
    ['slow', 'one', 'two'],
  )
})

test('refuses more checks than may wait, and everything after it is closed', async () => {
  const checks = new RuleChecks({ thread })
  const waiting = Promise.allSettled(Array.from({ length: 17 }, () => checks.check({ text: 'hang' })))
  assert.throws(() => checks.check({ text: 'one' }), { failure: 'unavailable' })
  await checks.close()
  assert.deepEqual(new Set((await waiting).map(({ status }) => status)), new Set(['rejected']))
  assert.throws(() => checks.check({ text: 'one' }), { failure: 'unavailable' })
})

test('lists what differs between two rule sets, field by field', () => {
  const rule = (id: string, when: string, score = 1) => ({ id, name: id, when, action: 'WARN', score })
  const before = ruleSetOf({
    velocity: { cards: { distinct: 'params.card', per: 'device', within: '24h' } },
    rules: [rule('a', 'vpn'), rule('b', 'newDevice'), rule('c', 'proxy')],
  })
  const after = ruleSetOf({
    velocity: { cards: { distinct: 'params.card', per: 'user', within: '24h' } },
    rules: [rule('c', 'proxy'), rule('a', 'vpn', 5), rule('d', 'vpn')],
  })
  assert.deepEqual(
    differencesOf(before, after).map(({ of, id, change, fields }) => [
      of,
      id,
      change,
      fields.map(({ field }) => field),
    ]),
    [
      ['rule', 'c', 'moved', []],
      ['rule', 'a', 'changed', ['score']],
      ['rule', 'd', 'added', ['name', 'when', 'action', 'score']],
      ['rule', 'b', 'removed', ['name', 'when', 'action', 'score']],
      ['velocity', 'cards', 'changed', ['per']],
    ],
  )
  assert.deepEqual(differencesOf(after, after), [])
})
