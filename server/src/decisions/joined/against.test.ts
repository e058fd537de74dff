import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Contribution } from '../../device/scores/combine.ts'
import { defaultRules } from '../../rules/defaults/default-rules.ts'
import { evaluate } from '../../rules/evaluate.ts'
import { compileRules } from '../../rules/language/compile.ts'
import { actions } from '../../rules/language/rule.ts'
import type { RuleInput } from '../../rules/language/vocabulary.ts'
import { reasonsOf } from '../../rules/reasons/reasons-of.ts'
import { unitedContributions, withRisks } from './against.ts'

/** The same numbers each time (mulberry32). */
function randomNumbers(seed: number) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

const random = randomNumbers(27)
const often = (share: number) => random() < share
const upTo = (most: number) => Math.floor(random() * (most + 1))
const some = (fields: Record<string, () => unknown>) =>
  Object.fromEntries(Object.entries(fields).flatMap(([name, make]) => (often(0.5) ? [[name, make()]] : [])))
const flag = () => often(0.3)

const device = (): RuleInput => ({
  platform: 'WEB',
  deviceId: `device ${upTo(3)}`,
  ...some({
    newDevice: flag,
    hooking: flag,
    jailbroken: flag,
    vpn: flag,
    geoSpoofed: flag,
    cloned: flag,
    simulator: flag,
  }),
  sessionRiskScore: upTo(100),
  deviceRiskScore: upTo(100),
  signals: some({
    bot: () => ['bad', 'good', 'notDetected'][upTo(2)],
    anomalyScore: random,
    tampering: flag,
    frida: flag,
  }),
  velocity: some({ accountsPerDevice24h: () => upTo(12), phoneNumbersPerDevice24h: () => upTo(12) }),
  history: some({ badReports: () => upTo(2), linkedBadReports: () => upTo(2), deviceAgeDays: () => upTo(90) }),
  ipDetails: some({ fraudScore: () => upTo(100), country: () => 'IN' }),
})
const contributions = (): Contribution[] =>
  Array.from({ length: upTo(4) }, () => ({ source: `past.source${upTo(4)}`, weight: random(), because: 'it is' }))

const rules = compileRules(defaultRules.rules)

function outcome(input: RuleInput, of: readonly Contribution[]) {
  const { score } = reasonsOf(input, of)
  return { score, action: actions.indexOf(evaluate(rules, { ...input, score }).ruleAction.action) }
}

test('adding the analysis of a token never lowers score or action', () => {
  for (let round = 0; round < 20_000; round++) {
    const hasDevice = often(0.7)
    const given: RuleInput = {
      action: 'LOGIN',
      ...(hasDevice ? device() : {}),
      account: { sessions: upTo(3), ...(hasDevice && { knownDevice: (['yes', 'likely', 'no'] as const)[upTo(2)]! }) },
      telecom: { simSwap: { swapped: often(0.2) } },
      missing: hasDevice ? {} : { device: (['not-given', 'unknown', 'reused'] as const)[upTo(2)]! },
    }
    const own = hasDevice ? contributions() : []
    const risk = { input: device(), contributions: contributions() }
    const before = outcome(given, own)
    const after = outcome(withRisks(given, [risk]), unitedContributions(own, risk.contributions))
    const shown = JSON.stringify({ given, own, risk, before, after })
    assert.ok(after.score >= before.score, shown)
    assert.ok(after.action >= before.action, shown)
  }
})

test('nothing that speaks for the device of the token is added', () => {
  const risk: RuleInput = {
    ...device(),
    deviceId: 'of the owner',
    installationId: 'i',
    newDevice: false,
    ip: '49.36.128.1',
  }
  const alone = withRisks({ action: 'LOGIN' }, [{ input: risk, contributions: [] }])
  for (const name of ['platform', 'deviceId', 'installationId', 'newDevice', 'ip'] as const) {
    assert.equal(alone[name], undefined, name)
  }
  assert.equal(alone.history?.deviceAgeDays, undefined)
})
