// How fast are rules evaluated, compared with a naive evaluation of the same trees? How fast are they read and backtested?

import { backtest } from '../../server/src/rules/backtests/backtest.ts'
import type { StoredReport } from '../../server/src/rules/backtests/stored-report.ts'
import { inputOf } from '../../server/src/rules/cases.ts'
import { defaultRules } from '../../server/src/rules/defaults/default-rules.ts'
import { evaluate } from '../../server/src/rules/evaluate.ts'
import { compileCondition, compileRules } from '../../server/src/rules/language/compile.ts'
import { readCondition } from '../../server/src/rules/language/condition.ts'
import type { CaseInput, Rule } from '../../server/src/rules/language/rule.ts'
import { parseCondition } from '../../server/src/rules/language/text.ts'
import type { RuleInput } from '../../server/src/rules/language/vocabulary.ts'
import { readRuleSet, writtenRules } from '../../server/src/rules/rule-set.ts'
import { naivelyHolds } from '../../server/src/rules/testing/naive-evaluation.ts'
import { answer, type Bench, cpuSeconds, inTurns, perCentOf, perCpuSecond, row, type Table } from './harness/harness.ts'

export const rules: Bench = { name: 'rules', run }

const texts = [
  'sessionRiskScore > 70 and newDevice',
  'vpn and ipDetails.fraudScore > 50 or proxy and not (ipDetails.country == "DE")',
  'signals.bot == "bad" or hooking or appTampering',
  'telecom.simSwap.swapped and deviceRiskScore between 30 and 70',
  'ipDetails.country in ("KP", "IR", "SY", "CU") or params.amount > 1000 and ipDetails.country != telecom.country',
]

const rule = (index: number): Rule => ({
  id: `r${index}`,
  name: `Rule ${index}`,
  when: readCondition(texts[index % texts.length]),
  action: 'WARN',
  score: 10,
})
const ruleSet = (length: number) => Array.from({ length }, (_, index) => rule(index))

const quiet: CaseInput = {
  platform: 'WEB',
  deviceId: '3f0e',
  newDevice: false,
  sessionRiskScore: 12,
  deviceRiskScore: 14,
  vpn: true,
  proxy: false,
  hooking: false,
  appTampering: false,
  ip: '81.2.69.142',
  'ipDetails.country': 'GB',
  'ipDetails.fraudScore': 8,
  'signals.bot': 'notDetected',
  'signals.anomalyScore': 0.1,
  'telecom.simSwap.swapped': false,
  'telecom.country': 'GB',
  'updateInfo.userEventType': 'LOGIN',
  'velocity.accountsPerDevice24h': 1,
  'params.amount': 25,
}

/** As parsed from JSON: half are ordinary sessions, some hit a rule. */
const inputs: RuleInput[] = Array.from({ length: 64 }, (_, index) =>
  JSON.parse(
    JSON.stringify(inputOf({ ...quiet, sessionRiskScore: index, newDevice: index % 2 === 0, proxy: index % 16 === 0 })),
  ),
)

const reports = 20_000

async function run(): Promise<Table[]> {
  const twenty = ruleSet(20)
  const compiled = compileRules(twenty)
  const defaults = compileRules(defaultRules.rules)
  const many = compileRules(ruleSet(200))
  const written = { rules: writtenRules({ rules: twenty }) }
  const naively = (input: RuleInput) => twenty.filter(({ when }) => naivelyHolds(when, input))
  const rates = await inTurns({
    twenty: () => perCpuSecond(inputs, (input) => evaluate(compiled, input)),
    naive: () => perCpuSecond(inputs, naively),
    defaults: () => perCpuSecond(inputs, (input) => evaluate(defaults, input)),
    many: () => perCpuSecond(inputs, (input) => evaluate(many, input)),
    parse: () => perCpuSecond(texts, parseCondition),
    read: () => perCpuSecond(texts, (text) => compileCondition(readCondition(text))),
    set: () => perCpuSecond([written], readRuleSet),
    backtest: backtestRate,
  })
  const usEach = (perSecond: readonly number[]) => perSecond.map((rate) => 1e6 / rate)
  const { twenty: ours, naive } = rates
  return [
    {
      title: 'Rules evaluated on one session',
      notes: ['Rules of two to four comparisons, over 64 sessions, some of which hit.'],
      rows: [
        row('20 rules', 'µs', usEach(ours.perCpuSecond), { atMost: 0.5 }),
        row('20 rules, naive evaluation', 'µs', usEach(naive.perCpuSecond)),
        row('20 rules', '% of naive', perCentOf(usEach(ours.perCpuSecond), usEach(naive.perCpuSecond))),
        answer('the default rules', 'µs', usEach(rates.defaults.perCpuSecond)),
        answer('200 rules', 'µs', usEach(rates.many.perCpuSecond)),
      ],
    },
    {
      title: 'Rules read, and backtested over reports',
      notes: [
        `A backtest of 20 rules against 20 others over ${reports.toLocaleString('en')} reports that stream from memory.`,
      ],
      rows: [
        row('condition parsed from text', 'µs', usEach(rates.parse.perCpuSecond)),
        row('condition parsed, checked, compiled', 'µs', usEach(rates.read.perCpuSecond)),
        row('set of 20 rules read', 'µs', usEach(rates.set.perCpuSecond)),
        row('backtest: reports', 'per CPU-second', rates.backtest.perCpuSecond),
      ],
    },
  ]
}

async function backtestRate(): Promise<{ perCpuSecond: number }> {
  async function* stored(): AsyncGenerator<StoredReport> {
    for (let i = 0; i < reports; i++) yield { requestId: `r-${i}`, input: inputs[i % inputs.length]! }
  }
  const start = cpuSeconds()
  const { all } = await backtest({ rules: { rules: ruleSet(20) }, against: { rules: ruleSet(20) }, reports: stored() })
  return { perCpuSecond: all.reports / (cpuSeconds() - start) }
}
