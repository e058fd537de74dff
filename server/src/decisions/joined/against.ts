// What of a device counts against a session that it does not stand for? What is bad about it; nothing that speaks for it.

import type { TSchema } from 'typebox'
import { withoutUnknown } from '../../core/json/without-unknown.ts'
import type { Analysis } from '../../device/analysis/analyse.ts'
import { type Contribution, combined } from '../../device/scores/combine.ts'
import { sessionScore } from '../../device/scores/session-score.ts'
import { firedWeights } from '../../device/scores/weights.ts'
import type { RecordedReport } from '../../device/store/record.ts'
import { basisOf } from '../../device-report/basis.ts'
import { knownFields } from '../../device-report/fields.ts'
import { ruleInputOf } from '../../device-report/rule-input.ts'
import { RuleInput } from '../../rules/language/vocabulary.ts'

/** What rules read of a device, and what raises its score. */
export interface DeviceRisk {
  readonly input: RuleInput
  readonly contributions: readonly Contribution[]
}

/** Before its push, an analysis has a score of its session only. */
export function riskOf({ analysis, report }: { analysis: Analysis; report?: RecordedReport | undefined }): DeviceRisk {
  if (report) {
    const basis = basisOf(report)
    return { input: ruleInputOf(analysis, basis), contributions: basis.scores.device.contributions }
  }
  const { fraudScore } = knownFields(analysis).ipDetails ?? {}
  const session = sessionScore(firedWeights(analysis.judgement.verdicts), fraudScore)
  const scores = { session, device: session, suspect: [] }
  return { input: ruleInputOf(analysis, { scores, params: {} }), contributions: session.contributions }
}

type Fields = Readonly<Record<string, unknown>>

const typesIn = (type: string, properties: Readonly<Record<string, TSchema>>, except: readonly string[]) =>
  Object.keys(properties).filter((name) => Reflect.get(properties[name]!, 'type') === type && !except.includes(name))

const { properties } = RuleInput
const bad = {
  // That a device is new says nothing about another one: it counts only where no other is known.
  flags: typesIn('boolean', properties, ['newDevice']),
  signalFlags: typesIn('boolean', properties.signals.properties, []),
  signalScores: typesIn('number', properties.signals.properties, ['confidence']),
  /** Those that say good or bad. */
  grades: Object.keys(properties.signals.properties).filter((name) =>
    (Reflect.get(Reflect.get(properties.signals.properties, name), 'enum') as string[] | undefined)?.includes('bad'),
  ),
  counts: Object.keys(properties.velocity.properties),
  likelyCounts: typesIn('number', properties.likely.properties, ['confidence']),
}

const isBad = (one: Fields | undefined, flags: readonly string[]) =>
  Object.fromEntries(flags.flatMap((name) => (one?.[name] === true ? [[name, true]] : [])))

/** The higher value of each of these numbers; absent where neither is known. */
export function highest(one: Fields | undefined, other: Fields | undefined, names: readonly string[]) {
  return Object.fromEntries(
    names.flatMap((name) => {
      const values = [one?.[name], other?.[name]].filter((value) => typeof value === 'number')
      return values.length === 0 ? [] : [[name, Math.max(...values)]]
    }),
  )
}

/**
 * The input with what is bad about another device: a flag that is true wins, and the higher score and count. What identifies that
 * device, and what would speak for it, is left out.
 */
function withRisk(given: RuleInput, risk: RuleInput): RuleInput {
  const isAlone = given.platform === undefined
  const signals: Fields = risk.signals ?? {}
  const grades = Object.fromEntries(bad.grades.flatMap((name) => (signals[name] === 'bad' ? [[name, 'bad']] : [])))
  const parts = {
    signals: {
      ...given.signals,
      ...isBad(risk.signals, bad.signalFlags),
      ...highest(given.signals, risk.signals, bad.signalScores),
      ...grades,
    },
    velocity: { ...given.velocity, ...highest(given.velocity, risk.velocity, bad.counts) },
    history: { ...given.history, ...highest(given.history, risk.history, ['badReports', 'linkedBadReports']) },
    likely: { ...given.likely, ...highest(given.likely, risk.likely, bad.likelyCounts) },
    ipDetails: { ...given.ipDetails, ...highest(given.ipDetails, risk.ipDetails, ['fraudScore']) },
  }
  const known = Object.entries(parts).map(([name, part]) => [name, Object.keys(part).length > 0 ? part : undefined])
  return {
    ...given,
    ...isBad(risk, isAlone ? [...bad.flags, 'newDevice'] : bad.flags),
    ...highest(given, risk, ['sessionRiskScore', 'deviceRiskScore']),
    ...withoutUnknown(Object.fromEntries(known)),
  } as RuleInput
}

export const withRisks = (given: RuleInput, risks: readonly DeviceRisk[]): RuleInput =>
  risks.reduce((input, { input: risk }) => withRisk(input, risk), given)

/** The contributions of both. Of those from one source, such as the labels of a device, those that weigh more together. */
export function unitedContributions(
  one: readonly Contribution[] = [],
  other: readonly Contribution[] = [],
): readonly Contribution[] {
  const sources = new Set([...one, ...other].map(({ source }) => source))
  return [...sources].flatMap((source) => {
    const ofOne = one.filter((each) => each.source === source)
    const ofOther = other.filter((each) => each.source === source)
    return combined(ofOther) > combined(ofOne) ? ofOther : ofOne
  })
}
