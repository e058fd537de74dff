// Do other threads change the result of a backtest? The same history is opened by them, and by the main thread alone.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Decision } from '@ringfence/contract'
import fc from 'fast-check'
import { newKeySet, withNewDataKey } from '../../core/crypto/key-set.ts'
import { replaceableKeys } from '../../core/crypto/keyring.ts'
import { JsonText } from '../../core/json/json-text.ts'
import { parseKeepingNumbers } from '../../core/json/numbers.ts'
import { newUuidAt } from '../../core/storage/uuid.ts'
import { findDecisionLabels, findReportLabels, putReportLabel } from '../../device/store/labels/report-labels.ts'
import { backtest } from '../../rules/backtests/backtest.ts'
import { pathsReadBy } from '../../rules/backtests/projection.ts'
import { listReadsIn } from '../../rules/language/compile.ts'
import type { RuleInput } from '../../rules/language/vocabulary.ts'
import { ruleSetOf } from '../../rules/rule-set.ts'
import { eachDatabase } from '../../testing/databases.ts'
import { startTestService, type TestService } from '../../testing/test-service.ts'
import { sealDecision } from '../record/record.ts'
import { decisionInsert } from '../store/decisions.ts'
import { type OpenedBy, type ReadOptions, storedDecisions } from './stored-decisions.ts'

const rule = (id: string, when: string, action = 'WARN') => ({ id, name: id, when, action, score: 1 })
const rules = ruleSetOf({
  velocity: {
    cards: { distinct: 'params["card: number"]', per: 'user', within: '1h' },
    spent: { sum: 'params.amount', per: 'params.shop', within: '6h', when: 'action == "PAYMENT"' },
    attempts: { count: 'decisions', per: 'ipPrefix', within: '30m', when: 'not inList("office", ip)' },
  },
  rules: [
    rule('cards', 'velocity.cards > 2', 'BLOCK'),
    rule('spent', 'velocity.spent > 500', 'CHALLENGE'),
    rule('attempts', 'velocity.attempts > 2', 'REVIEW'),
    rule('stolen', 'inList("stolen", params["card: number"]) and not vpn', 'BLOCK'),
    rule('proto', 'params.__proto__ == "a" or updateInfo.additionalInput["a.b"] == "true"'),
    rule('swap', 'telecom.simSwap.swapped and velocity.accountsPerDevice24h > 1'),
    rule('endless', 'params.amount > 1000000000000'),
  ],
})
const against = ruleSetOf({
  velocity: { cards: { count: 'decisions', per: 'installation', within: '1d' } },
  rules: [rule('cards', 'velocity.cards > 3', 'BLOCK'), rule('office', 'inList("office", ip)', 'REVIEW')],
})
const sets = [rules, against]

/** The JSON of an input, which may have numbers that JavaScript cannot write, and names that it would treat specially. */
const inputs = fc
  .record({
    action: fc.constantFrom('LOGIN', 'PAYMENT'),
    userId: fc.constantFrom('u-1', 'u-2', 'u-3'),
    installationId: fc.constantFrom('i-1', 'i-2'),
    ip: fc.constantFrom('198.51.100.7', '198.51.100.8', '203.0.113.9', '2001:db8::1'),
    vpn: fc.boolean(),
    telecom: fc.constantFrom('null', '{}', '{"simSwap":{"swapped":true}}', '{"simSwap":{"swapped":false}}'),
    accounts: fc.nat(3),
    card: fc.nat(6),
    shop: fc.constantFrom('"s"', '7', 'true', '{"a":[1]}', 'null'),
    amount: fc.constantFrom('12.5', '499.99', '-1', '-0', '1e400', '-1e400', '12345678901234567890', '1.0', '"12"'),
    proto: fc.constantFrom('"a"', '"b"', '{"polluted":true}'),
    dotted: fc.boolean(),
  })
  .map(({ telecom, accounts, card, shop, amount, proto, dotted, ...own }) =>
    [
      `{"params":{"card: number":"card ${card}","shop":${shop},"amount":${amount},"__proto__":${proto}}`,
      `"telecom":${telecom},"velocity":{"accountsPerDevice24h":${accounts},"cards":9}`,
      `"updateInfo":{"userId":"u","additionalInput":{"a.b":"${dotted}","c":"é\\ud800"}}`,
      JSON.stringify(own).slice(1),
    ].join(','),
  )

const histories = fc.array(fc.tuple(inputs, fc.integer({ min: 1, max: 600 })), { minLength: 160, maxLength: 160 })
const labels = ['fraud', 'legitimate', undefined] as const

/** Stores a history with lists that change, labels, and a data key that is rotated half-way. */
async function storeHistory({ parts: needs, tenantId, clock }: TestService, history: readonly [string, number][]) {
  const {
    database,
    compression,
    rules: { lists },
  } = needs
  const first = newKeySet()
  const keys = replaceableKeys(first)
  await lists.create(tenantId, { name: 'stolen', kind: 'text', purpose: 'block' }, 'test')
  await lists.create(tenantId, { name: 'office', kind: 'ip', purpose: 'allow' }, 'test')
  await lists.add(tenantId, 'office', [{ value: '203.0.113.0/24' }], 'test')
  for (const [i, [json, seconds]] of history.entries()) {
    clock.advance({ seconds })
    if (i === 40) await lists.add(tenantId, 'stolen', [{ value: 'card 1' }, { value: 'card 2' }], 'test')
    if (i === 80) keys.replace(withNewDataKey(first).set)
    if (i === 100) await lists.remove(tenantId, 'stolen', ['card 1'], 'test')
    if (i === 120) await lists.remove(tenantId, 'office', ['203.0.113.0/24'], 'test')
    const decidedAt = clock.now()
    const key = { tenantId, decisionId: newUuidAt(decidedAt) }
    const record = { answer: new JsonText<Decision>('{}'), input: parseKeepingNumbers(json) as RuleInput, basis: {} }
    const sealed = sealDecision(record, key, [], keys, compression)
    const sent = { idempotencyHash: null, bodyHash: new Uint8Array(16) }
    const subjects = { userHash: null, numberHash: null, emailHash: null, deviceHash: null, mailboxHash: null }
    const row = { ...key, decidedAt, dfrId: null, isReviewed: false, subjects, sealed, ...sent }
    await database.batch([decisionInsert(row)])
    const label = labels[i % 3]
    const at = { knownAt: decidedAt, labelledAt: decidedAt }
    const report = { kind: 'decisionId', id: key.decisionId } as const
    if (label) await putReportLabel(database, tenantId, report, { label, ...at })
  }
  return { ...needs, tenantKeyring: { ...needs.tenantKeyring, keysOf: async () => keys } }
}

/** Of a history in which each rule fires. */
const seed = 27
const threaded = { threads: 2, pageRows: 20 }
const alone = { threads: 0, pageRows: 20 }

eachDatabase(({ engine, open }) => {
  test(`other threads open a random history with the same result as the main thread (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const { tenantId, parts: needs } = service
    const [history] = fc.sample(histories, { seed, numRuns: 1 })
    const stored = await storeHistory(service, history!)
    const conditions = sets.flatMap(({ rules, velocities = [] }) => [...rules, ...velocities])
    const reads = conditions.flatMap(({ when }) => (when ? listReadsIn(when) : []))
    await needs.rules.lookUps.forInput(tenantId, reads, {})
    await needs.rules.lookUps.memory.settled()
    const replayed = await needs.rules.lookUps.forReplay(tenantId, reads)
    const run = async (options: ReadOptions) => {
      const hits: unknown[] = []
      const opened: OpenedBy[] = []
      const onOpened = (by: OpenedBy) => void opened.push(by)
      const onThreadError = (error: Error) => assert.fail(error)
      const result = await backtest({
        ...{ rules, against },
        reports: storedDecisions(tenantId, stored, { ...options, onOpened, onThreadError }),
        labelsOf: (reports) =>
          (options.threads ? findDecisionLabels : findReportLabels)(needs.database, tenantId, reports),
        inListFor: ({ input, at }) =>
          options.threads ? replayed!(at!) : needs.rules.lookUps.forInput(tenantId, reads, input, at),
        onHit: ({ report: { decisionId, at }, evaluation: { appliedRules, ruleAction }, label }) =>
          void hits.push({ decisionId, at, appliedRules, ruleAction, label }),
      })
      const byThreads = opened.filter((by) => by === 'thread').length
      assert.equal(opened.length, 160 / options.pageRows!)
      assert.ok(!opened.includes('here again'), 'threads could open what they were given')
      // Each thread gets two pages before the main thread opens one.
      assert.ok(options.threads ? byThreads >= 2 * options.threads : byThreads === 0, `${byThreads} by threads`)
      return { result, hits }
    }
    const expected = await run(alone)
    assert.equal(expected.result.all.reports, 160)
    assert.deepEqual(
      expected.result.rules.filter(({ hits }) => hits.reports === 0).map(({ id }) => id),
      [],
      'each rule fires',
    )
    const paths = pathsReadBy(sets)
    for (const options of [threaded, { ...threaded, paths }, { ...alone, paths }, { ...threaded, threads: 1, paths }]) {
      assert.deepEqual(await run(options), expected, JSON.stringify(options))
    }
  })

  test(`threads that end early are reported once, and their pages opened by the main thread (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const stored = await storeHistory(service, fc.sample(histories, { seed, numRuns: 1 })[0]!)
    const errors: string[] = []
    const opened: OpenedBy[] = []
    const read = async (options: ReadOptions) => {
      const reports: unknown[] = []
      for await (const some of storedDecisions(service.tenantId, stored, options)) reports.push(...some)
      return reports
    }
    const failing = {
      ...threaded,
      // Only the threads read it.
      paths: [undefined] as never,
      onThreadError: ({ name }: Error) => void errors.push(name),
      onOpened: (by: OpenedBy) => void opened.push(by),
    }
    assert.deepEqual(await read(failing), await read(alone))
    assert.deepEqual(errors, ['TypeError'])
    assert.ok(opened.includes('here again') && !opened.includes('thread'), opened.join())
  })

  test(`a record that cannot be opened ends the read with the same error, in its turn (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const history = fc.sample(histories, { seed, numRuns: 1 })[0]!
    const { tenantKeyring, ...stored } = await storeHistory(service, history)
    const others = replaceableKeys(newKeySet())
    const read = async (options: ReadOptions) => {
      let pages = 0
      const altered = { ...tenantKeyring, keysOf: async () => (++pages > 4 ? others : tenantKeyring.keysOf()) }
      let read = 0
      try {
        const source = storedDecisions(service.tenantId, { ...stored, tenantKeyring: altered }, options)
        for await (const some of source) read += some.length
        return assert.fail('nothing was wrong')
      } catch (error) {
        return { read, name: (error as Error).name, message: (error as Error).message }
      }
    }
    const expected = await read(alone)
    assert.deepEqual([expected.read, /version 2|authenticate/.test(expected.message)], [80, true], expected.message)
    assert.deepEqual(await read(threaded), expected)
  })

  test(`a reader that stops early leaves no thread behind (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const stored = await storeHistory(service, fc.sample(histories, { seed, numRuns: 1 })[0]!)
    const running = () => process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length
    const before = running()
    let most = 0
    for await (const _ of storedDecisions(service.tenantId, stored, threaded)) {
      most = running()
      break
    }
    assert.ok(most > before, 'threads were running')
    assert.equal(running(), before)
  })
})
