// Why is a decision as it is, in one sentence? What decided, what was not known, and what would have changed the answer.

import { type Missing, verdictLength } from '@ringfence/contract'
import type { Evaluation } from '../../rules/evaluate.ts'
import { type Action, actions, type Rule } from '../../rules/language/rule.ts'
import { cut } from '../../rules/reasons/path-words.ts'
import { missingSubject, missingText } from '../../rules/requirements/missing-text.ts'
import { isStronger } from '../../rules/requirements/required.ts'
import type { Outcome } from '../outcome.ts'

export interface Decided {
  readonly evaluation: Pick<Evaluation, 'fired' | 'ruleAction'>
  readonly outcome: Outcome
  /** The decisive rule with what it read; undefined without one. */
  readonly ruleText: string | undefined
  /** All that was asked for or required and is not known. */
  readonly missing: readonly Missing[]
  readonly score: number
  /** Whether anything was known of a sign-in, a device or a phone number. */
  readonly isInformed: boolean
}

/** At most `verdictLength` characters. Without personal data: `ruleText` leaves it out, and the rest is our own words. */
export function verdictOf(decided: Decided): string {
  const sentences = [unchallengedOf(decided.outcome), notKnownOf(decided), changeOf(decided)]
  // What does not fit is left out from the end.
  let text = cut(headOf(decided), verdictLength)
  for (const sentence of sentences) {
    if (sentence !== undefined && text.length + sentence.length < verdictLength) text += ` ${sentence}`
  }
  return text
}

const heads: Readonly<Record<Action, string>> = {
  ALLOW: 'Allowed',
  WARN: 'Allowed with a warning',
  REVIEW: 'Sent to review',
  CHALLENGE: 'Challenged',
  BLOCK: 'Blocked',
}

function headOf({ outcome: { action, required }, ruleText, missing, score, isInformed }: Decided): string {
  const head = heads[action]
  if (ruleText !== undefined) return `${head} by ${ruleText}.`
  if (action !== 'ALLOW') return `${head} because something required is not known: ${listOf(required)}.`
  if (missing.length === 0 && score === 0 && isInformed) return `${head}: nothing speaks against this person.`
  return score === 0 ? `${head}: no rule fired.` : `${head}: no rule fired, and the score is ${score}.`
}

function unchallengedOf({ action, instead }: Outcome): string | undefined {
  if (instead === undefined) return undefined
  return action === 'ALLOW' || action === 'WARN'
    ? 'Nobody could pass a challenge, and the amount is below your limit.'
    : 'Nobody could pass a challenge, so a person has to look.'
}

function notKnownOf({ outcome: { action, required }, ruleText, missing }: Decided): string | undefined {
  const isSaid = ruleText === undefined && action !== 'ALLOW'
  const said = isSaid ? listOf(required, required.length) : (ruleText ?? '')
  const others = missing.filter((each) => !said.includes(missingText(each)))
  if (others.length === 0) return undefined
  return `${isSaid ? 'Not known either' : 'Not known'}: ${listOf(others)}.`
}

const mostNamed = 4

function listOf(missing: readonly Missing[], most = mostNamed): string {
  const texts = [...new Set(missing.map((each) => cut(missingText(each), 80)))]
  const more = texts.length - most
  return `${texts.slice(0, most).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

/** The nearest change: what is required becomes known, or the decisive rule does not fire. */
function changeOf({ evaluation, outcome }: Decided): string | undefined {
  const { action, decisive, instead, requiredAction } = outcome
  if (action === 'ALLOW') return undefined
  if (!decisive) {
    const next = evaluation.ruleAction
    const known = [...new Set(outcome.required.map((each) => cut(missingSubject(each), 80)))].slice(0, mostNamed)
    return `With ${known.join(' and ')} known and clear, it ${wouldBe(next.action, next.name)}.`
  }
  const rule = strongestOf(evaluation.fired.filter(({ id }) => id !== decisive.id))
  const byRule = rule?.action ?? 'ALLOW'
  const isRequired = isStronger(requiredAction, byRule)
  const next = isRequired ? requiredAction : byRule
  const why = isRequired ? 'what is required is not known' : (rule?.name ?? '')
  if (next === (instead ?? action))
    return `Without this rule it would be the same${isRequired ? `: ${why}` : `, by ${cut(why, 100)}`}.`
  return `Without this rule it ${isRequired ? `would have been ${done[next]}: ${why}` : wouldBe(next, why)}.`
}

const done: Readonly<Record<Action, string>> = {
  ALLOW: 'allowed',
  WARN: 'allowed with a warning',
  REVIEW: 'sent to review',
  CHALLENGE: 'challenged',
  BLOCK: 'blocked',
}

const wouldBe = (action: Action, ruleName: string) =>
  `would have been ${done[action]}${ruleName === '' || action === 'ALLOW' ? '' : ` by ${cut(ruleName, 100)}`}`

/** As `evaluate` chooses among rules that fire. */
const strongestOf = (rules: readonly Rule[]): Rule | undefined =>
  rules.toSorted(
    (one, other) => actions.indexOf(other.action) - actions.indexOf(one.action) || other.score - one.score,
  )[0]
