// What explains a decision? Its answer, what rules read then, its labels, and which rules fired or nearly fired.

import type {
  Decision,
  DecisionLabel,
  DecisionSubject,
  EvaluatedRule,
  InvestigatedDecision,
  ReadDecisionRequest,
} from '@ringfence/contract'
import { labelsOfDecision } from '../../device/store/labels/report-labels.ts'
import { listReadsIn } from '../../rules/language/compile.ts'
import type { RuleSet } from '../../rules/language/rule.ts'
import { printCondition } from '../../rules/language/text.ts'
import type { RuleInput } from '../../rules/language/vocabulary.ts'
import { RuleChangeRefused } from '../../rules/stored-version.ts'
import { findOwnDecision } from '../read.ts'
import { answerOf } from '../record/record.ts'
import type { DecisionsNeeds } from '../room.ts'
import { explainRule } from './explain-rule.ts'

const mostConditions = 50

/** @param reader of which tenant, and whether rules may be shown. Refuses with `decisionUnknown`. */
export async function investigateDecision(
  { decisionId }: ReadDecisionRequest,
  { tenantId, mayReadRules }: { readonly tenantId: string; readonly mayReadRules: boolean },
  needs: DecisionsNeeds,
): Promise<InvestigatedDecision> {
  const { clock, database } = needs
  const { row, record } = await findOwnDecision(decisionId, tenantId, needs)
  const { dfrId } = row
  const answer = JSON.parse(answerOf(record, row.challengePassedAt, clock.now()).text) as Decision
  const [labels, rules] = await Promise.all([
    labelsOfDecision(database, tenantId, { decisionId, dfrId }),
    mayReadRules ? explainedRules(answer, record.input, { tenantId, at: row.decidedAt }, needs) : {},
  ])
  return {
    ...answer,
    subject: subjectOf(record.input),
    ...(dfrId !== null && { dfrId }),
    labels: labels.map(
      ({ kind, label, knownAt, labelledAt }): DecisionLabel => ({
        outcome: label,
        of: kind === 'decisionId' ? 'decision' : 'report',
        knownAt: new Date(knownAt).toISOString(),
        labelledAt: new Date(labelledAt).toISOString(),
      }),
    ),
    ...rules,
  }
}

function subjectOf({ action, userId, phoneNumber, email, ip, params }: RuleInput): DecisionSubject {
  const isEmpty = params === undefined || Object.keys(params).length === 0
  return {
    ...(action !== undefined && { operation: action }),
    ...(userId !== undefined && { userId }),
    ...(phoneNumber !== undefined && { phoneNumber }),
    ...(email && { email: email.address }),
    ...(ip !== undefined && { ip }),
    ...(!isEmpty && { params }),
  }
}

/** Nothing when the version is no longer stored: what fired is in the answer in any case. */
async function explainedRules(
  { rules: { version, fired } }: Decision,
  input: RuleInput,
  { tenantId, at }: { tenantId: string; at: number },
  { rules, rules: { lookUps: listLookUps } }: DecisionsNeeds,
): Promise<Pick<InvestigatedDecision, 'evaluated' | 'silent'>> {
  const ruleSet = await storedRules(rules.read(tenantId, version))
  if (!ruleSet) return {}
  const reads = ruleSet.rules.flatMap(({ when }) => listReadsIn(when))
  const inList = await listLookUps.forInput(tenantId, reads, input, at)
  const velocities = (ruleSet.velocities ?? []).map(({ name }) => name)
  const explained = ruleSet.rules.flatMap((rule): EvaluatedRule[] => {
    const { nearly, comparisons } = explainRule(rule, { input, inList, velocities })
    // What fired is a fact of the decision. A list may have lost a value since.
    const hasFired = fired.includes(rule.id)
    if (!hasFired && !nearly) return []
    const { id, name, action, when } = rule
    return [
      {
        ...{ id, name, action, when: printCondition(when), state: hasFired ? 'fired' : 'nearly' },
        conditions: comparisons
          .slice(0, mostConditions)
          .map(({ values, ...each }) => ({ ...each, values: { ...values } })),
      },
    ]
  })
  const evaluated = explained.toSorted((one, other) => rank(one) - rank(other))
  return { evaluated, silent: ruleSet.rules.length - evaluated.length }
}

const rank = ({ state }: EvaluatedRule) => (state === 'fired' ? 0 : 1)

async function storedRules(reading: Promise<RuleSet>): Promise<RuleSet | undefined> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof RuleChangeRefused) return undefined
    throw error
  }
}
