import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Label } from '../../device/history/label.ts'
import { defaultRules } from '../defaults/default-rules.ts'
import { ruleSetOf } from '../rule-set.ts'
import { type BacktestOptions, backtest } from './backtest.ts'
import { inputOfReport, readReportLine, type StoredReport } from './stored-report.ts'

const rules = ruleSetOf({
  rules: [
    { id: 'vpn', name: 'VPN', when: 'vpn', action: 'WARN', score: 10 },
    { id: 'new', name: 'New', when: 'newDevice', action: 'BLOCK', score: 20 },
    { id: 'bot', name: 'Bot', when: 'signals.bot == "bad"', action: 'BLOCK', score: 5 },
  ],
})

const report = (requestId: string, input: StoredReport['input'], outcome?: Label): StoredReport => ({
  requestId,
  input,
  ...(outcome && { outcome }),
})

async function* of(...reports: StoredReport[]) {
  yield* reports
}

const some = [
  report('a', { vpn: true }, 'legitimate'),
  report('b', { vpn: true, newDevice: true }, 'fraud'),
  report('c', { newDevice: true }, 'chargeback'),
  report('d', { newDevice: true }),
  report('e', {}, 'accountTakeover'),
  report('f', { vpn: false }, 'legitimate'),
]

test('counts hits and precision for each rule and the whole set', async () => {
  const { all, byAction, precision, recall, rules: each } = await backtest({ rules, reports: of(...some) })
  assert.deepEqual(all, { reports: 6, bad: 3, good: 2 })
  assert.deepEqual(byAction, {
    ALLOW: { reports: 2, bad: 1, good: 1 },
    WARN: { reports: 1, bad: 0, good: 1 },
    REVIEW: { reports: 0, bad: 0, good: 0 },
    CHALLENGE: { reports: 0, bad: 0, good: 0 },
    BLOCK: { reports: 3, bad: 2, good: 0 },
  })
  assert.equal(precision?.share, 2 / 3)
  assert.equal(recall, 2 / 3)
  const [vpn, fresh, bot] = each
  assert.deepEqual([vpn?.hits, vpn?.decisive, vpn?.examples], [{ reports: 2, bad: 1, good: 1 }, 1, ['a', 'b']])
  assert.equal(vpn?.precision?.share, 0.5)
  assert.equal(vpn?.recall, 1 / 3)
  assert.deepEqual(
    [fresh?.hits, fresh?.decisive, fresh?.examples],
    [{ reports: 3, bad: 2, good: 0 }, 3, ['b', 'c', 'd']],
  )
  assert.equal(fresh?.precision?.share, 1)
  assert.deepEqual([bot?.hits.reports, bot?.precision, bot?.recall, bot?.examples], [0, undefined, 0, []])
})

test('gives a wide range of precision for few labels, and a narrow one for many', async () => {
  const range = async (bad: number, good: number) => {
    const reports = [
      ...Array(bad).fill(report('b', { vpn: true }, 'fraud')),
      ...Array(good).fill(report('g', { vpn: true }, 'legitimate')),
    ]
    return (await backtest({ rules, reports: of(...reports) })).precision!.range.map((share) => share.toFixed(3))
  }
  // Computed by Newcombe's formula 3 (1998)
  assert.deepEqual(await range(1, 0), ['0.207', '1.000'])
  assert.deepEqual(await range(8, 2), ['0.490', '0.943'])
  assert.deepEqual(await range(800, 200), ['0.774', '0.824'])
})

test('compares with the live rules, and sorts the strictest changes first', async () => {
  const against = ruleSetOf({ rules: [{ id: 'v', name: 'V', when: 'vpn', action: 'BLOCK', score: 1 }] })
  const { changes } = await backtest({ rules, against, reports: of(...some) })
  assert.deepEqual(changes, [
    { from: 'ALLOW', to: 'BLOCK', tally: { reports: 2, bad: 1, good: 0 }, examples: ['c', 'd'] },
    { from: 'BLOCK', to: 'WARN', tally: { reports: 1, bad: 0, good: 1 }, examples: ['a'] },
  ])
  assert.deepEqual((await backtest({ rules, against: rules, reports: of(...some) })).changes, [])
})

test('counts reviewed and challenged reports as not allowed, and a change between them', async () => {
  const setOf = (action: string) => ruleSetOf({ rules: [{ id: 'n', name: 'N', when: 'newDevice', action, score: 1 }] })
  const reviewed = await backtest({ rules: setOf('REVIEW'), against: setOf('CHALLENGE'), reports: of(...some) })
  assert.deepEqual(reviewed.byAction.REVIEW, { reports: 3, bad: 2, good: 0 })
  assert.deepEqual([reviewed.byAction.ALLOW.reports, reviewed.recall], [3, 2 / 3])
  assert.deepEqual(
    reviewed.changes.map(({ from, to, tally }) => [from, to, tally.reports]),
    [['CHALLENGE', 'REVIEW', 3]],
  )
})

test('looks up missing labels a hundred at a time, and reports every hit', async () => {
  const asked: number[] = []
  const hits: string[] = []
  const reports = Array.from({ length: 250 }, (_, i) => report(`r${i}`, { vpn: i % 50 === 0 }))
  const { all } = await backtest({
    rules,
    reports: of(...reports),
    labelsOf: async (batch) => {
      asked.push(batch.length)
      return batch.map(({ requestId }) => (requestId === 'r100' ? 'fraud' : undefined))
    },
    onHit: ({ report: { requestId }, label }) => void hits.push(`${requestId} ${label}`),
  })
  assert.deepEqual(asked, [100, 100, 50])
  assert.deepEqual(all, { reports: 250, bad: 1, good: 0 })
  assert.deepEqual(hits, ['r0 undefined', 'r50 undefined', 'r100 fraud', 'r150 undefined', 'r200 undefined'])
})

test('streams reports in batches, and yields to the event loop', async () => {
  let yielded = 0
  let worked = 0
  let ahead = 0
  async function* endless() {
    for (; yielded < 50_000; yielded++) {
      ahead = Math.max(ahead, yielded - worked)
      yield report(`r${yielded}`, { vpn: true, newDevice: true })
    }
  }
  let turns = 0
  const timer = setInterval(() => turns++, 1)
  const result = await backtest({ rules, reports: endless(), onProgress: (reports) => (worked = reports), examples: 3 })
  clearInterval(timer)
  assert.equal(result.all.reports, 50_000)
  assert.ok(ahead <= 100)
  assert.ok(turns > 0)
  assert.deepEqual(result.rules[0]?.examples, ['r0', 'r1', 'r2'])
})

const stopped = async (options: Partial<BacktestOptions>, reports: AsyncIterable<StoredReport>) => {
  const controller = new AbortController()
  const run = backtest({ rules, reports, signal: controller.signal, ...options })
  setImmediate(() => controller.abort(new Error('stopped by hand')))
  await assert.rejects(run, /stopped by hand/)
}

test('cancels a run, also while the source hangs, and closes the source', async () => {
  let ended = false
  async function* endless() {
    try {
      for (;;) yield some[0]!
    } finally {
      ended = true
    }
  }
  await stopped({}, endless())
  assert.ok(ended)
  async function* hanging() {
    yield some[0]!
    await new Promise(() => undefined)
  }
  await stopped({}, hanging())
  const over = AbortSignal.abort(new Error('stopped by hand'))
  await assert.rejects(backtest({ rules, reports: endless(), signal: over }), /stopped by hand/)
})

test('ends the run with the error of the source', async () => {
  async function* failing() {
    yield some[0]!
    throw new Error('line 2 is not JSON')
  }
  await assert.rejects(backtest({ rules, reports: failing() }), /line 2 is not JSON/)
})

/** Specification 2.6, every field, what is unknown by its default. */
const answered = {
  requestId: 'e7c1a2d0-1111-4222-8333-444455556666',
  sessionId: '',
  newDevice: true,
  deviceId: 'd-1',
  sessionRiskScore: 71.5,
  deviceRiskScore: 0,
  vpn: false,
  factoryResetTime: -1,
  ip: '81.2.69.142',
  ipDetails: { city: 'London', region: '', fraudScore: 3 },
  gpsLocation: {},
  deviceMeta: { brand: 'Apple' },
  ruleAction: { action: 'ALLOW', name: '', description: '', message: '' },
  appliedRules: { rules: {}, totalScore: 0 },
  additionalData: { constructor: 'x' },
}

test('reads a report of the service, with its defaults as absent', async () => {
  const input = {
    newDevice: true,
    deviceId: 'd-1',
    sessionRiskScore: 71.5,
    deviceRiskScore: 0,
    vpn: false,
    ip: '81.2.69.142',
    ipDetails: { city: 'London', fraudScore: 3 },
    deviceMeta: { brand: 'Apple' },
  }
  assert.deepEqual(inputOfReport(answered), input)
  const read = readReportLine(JSON.stringify(answered))
  assert.deepEqual(read, { requestId: answered.requestId, input })
  const { byAction } = await backtest({ rules: defaultRules, reports: of(read) })
  assert.equal(byAction.BLOCK.reports, 1)
})

test('says what is wrong with a line that is not a report', () => {
  const lines: readonly (readonly [line: string, reason: RegExp])[] = [
    ['{', /is not JSON/],
    ['[]', /is not an object/],
    ['{}', /requestId is missing/],
    ['{"requestId":"a","input":{"vpn":"yes"}}', /input.vpn must be true or false/],
    ['{"requestId":"a","input":{},"outcome":"odd"}', /outcome must be .*fraud/],
    ['{"requestId":"a","input":{},"inputs":{}}', /inputs is not a known key/],
    ['{"requestId":"a","dfrId":"b","action":"BLOCK","rules":["vpn"]}', /neither input nor fields of a report/],
    ['{"requestId":"a","sessionRiskScore":"high"}', /sessionRiskScore must be a number/],
  ]
  for (const [line, reason] of lines) assert.throws(() => readReportLine(line), reason, line)
  assert.deepEqual(
    readReportLine('{"requestId":"a","dfrId":"b","at":1,"input":{"params":{"x":1}},"outcome":"fraud"}').input,
    { params: { x: 1 } },
  )
})

const minute = 60_000
const withVelocity = ruleSetOf({
  velocity: { cards: { distinct: 'params.card', per: 'user', within: '1h' } },
  rules: [{ id: 'cards', name: 'Cards', when: 'velocity.cards > 1', action: 'BLOCK', score: 1 }],
})
const decision = (decisionId: string, minutes: number, card: string, velocity = {}): StoredReport => ({
  decisionId,
  at: minutes * minute,
  input: { userId: 'u-1', params: { card }, velocity },
})

test('replays velocities over decisions, as if the rule set had always been there', async () => {
  const { decisionId: _, ...session } = decision('', 21, 'c', { cards: 9 })
  const reports: StoredReport[] = [
    decision('d-1', 0, 'a'),
    // What another rule set knew then does not count.
    decision('d-2', 10, 'a', { cards: 9 }),
    decision('d-3', 20, 'b'),
    { requestId: 'r-1', ...session },
    decision('d-4', 70, 'b'),
    decision('d-5', 100, 'b'),
  ]
  const found = await backtest({ rules: withVelocity, against: rules, reports: of(...reports) })
  assert.deepEqual(found.rules[0]!.examples, ['d-3', 'd-4'])
  assert.equal(found.all.reports, 6)
  const alone = await backtest({ rules, against: withVelocity, reports: of(...reports) })
  assert.deepEqual(alone.changes[0]!.examples, ['d-3', 'd-4'], 'of the rules to compare with')
})

test('refuses to count velocities of decisions that have no time, or are out of order', async () => {
  const { at: _, ...timeless } = decision('d-0', 0, 'a')
  const run = (...reports: StoredReport[]) => backtest({ rules: withVelocity, reports: of(...reports) })
  await assert.rejects(run(timeless), /decision d-0 has no time/)
  await assert.rejects(
    run(decision('d-1', 5, 'a'), decision('d-2', 4, 'a')),
    /decision d-2 is earlier than the one before/,
  )
  const { all } = await backtest({ rules, reports: of(decision('d-1', 5, 'a'), timeless) })
  assert.equal(all.reports, 2, 'without velocities the order does not matter')
})

test('asks lists about each input', async () => {
  const set = ruleSetOf({
    velocity: { stolen: { count: 'decisions', per: 'user', within: '1h', when: 'inList("stolen", params.card)' } },
    rules: [
      { id: 'list', name: 'List', when: 'inList("stolen", params.card)', action: 'BLOCK', score: 1 },
      { id: 'twice', name: 'Twice', when: 'velocity.stolen > 1', action: 'BLOCK', score: 1 },
    ],
  })
  const { rules: each } = await backtest({
    rules: set,
    reports: of(decision('d-1', 0, 'x'), decision('d-2', 1, 'b'), decision('d-3', 2, 'x')),
    inListFor: async () => (list, value) => list === 'stolen' && value === 'x',
  })
  assert.deepEqual(
    each.map(({ examples }) => examples),
    [['d-1', 'd-3'], ['d-3']],
  )
})

test('reads a line of a decision, and refuses one that is of both kinds or of none', () => {
  const line = { decisionId: 'd-1', at: 5, input: { userId: 'u' }, outcome: 'fraud' }
  assert.deepEqual(readReportLine(JSON.stringify(line)), line)
  const { decisionId: _, ...neither } = line
  for (const wrong of [{ ...line, requestId: 'r-1' }, neither]) {
    assert.throws(() => readReportLine(JSON.stringify(wrong)), /the requestId of a device report, or the decisionId/)
  }
})
