// /admin/v1/rules…: words of rules, checks, drafts, differences, shadow.

import type {
  CheckedRules,
  CheckRulesRequest,
  CompareRulesRequest,
  DiscardRuleDraftRequest,
  EndRuleShadowRequest,
  NoFields,
  RuleDifferences,
  RuleShadowComparison,
  RuleVersionAnswer,
  RuleVocabulary,
  SaveRuleDraftRequest,
  StartRuleShadowRequest,
} from '@ringfence/contract'
import { Refusal } from '../../core/errors.ts'
import { withoutUnknown } from '../../core/json/without-unknown.ts'
import { compareShadow } from '../../decisions/rule-changes/shadow-comparison.ts'
import type { ToCheck } from '../../rules/editing/check.ts'
import { differencesOf } from '../../rules/editing/differences.ts'
import { discardDraft, draftsOf } from '../../rules/editing/named-drafts.ts'
import { vocabularyOf } from '../../rules/editing/vocabulary-of.ts'
import type { RuleSet } from '../../rules/language/rule.ts'
import type { WrittenRuleSet } from '../../rules/rule-set.ts'
import { RuleChangeRefused, RulesChangedMeanwhile } from '../../rules/stored-version.ts'
import type { ActorCall } from '../call.ts'
import { refuseToTryRules } from '../masking/in-clear.ts'
import type { AdminNeeds } from '../room.ts'

export async function adminReadRuleVocabulary(
  _: NoFields,
  { actor: { tenantId, permissions } }: ActorCall,
  { rules: { lists, checks: ruleChecks } }: AdminNeeds,
): Promise<RuleVocabulary> {
  if (permissions.has('rules.write')) ruleChecks.prepare()
  return vocabularyOf(await lists.known(tenantId))
}

const shownRequirements = ({ require, otherwise, warnBelow }: WrittenRuleSet) =>
  withoutUnknown({ require, otherwise, warnBelow })

export async function adminCheckRules(
  body: CheckRulesRequest,
  { actor: { tenantId } }: ActorCall,
  { rules: { checks: ruleChecks, lists } }: AdminNeeds,
): Promise<CheckedRules> {
  const { text, rules, velocity, require, otherwise, warnBelow } = body
  if ((text === undefined) === (rules === undefined)) {
    throw new Refusal('fieldInvalid', { mistake: 'send text, or rules' })
  }
  const given: ToCheck =
    text !== undefined ? { text } : { rules: rules!, ...withoutUnknown({ require, otherwise, warnBelow, velocity }) }
  const checked = await ruleChecks.check(given, await lists.known(tenantId))
  const { written, ruleSet, cases } = checked
  return {
    text: checked.text,
    mistakes: checked.mistakes,
    rules: written.rules.map((rule, index) => ({ ...rule, tree: ruleSet.rules[index]!.when })) as CheckedRules['rules'],
    ...(written.velocity && { velocity: written.velocity }),
    ...shownRequirements(written),
    cases: cases.cases,
    failedCases: cases.failed,
    untried: cases.untried,
    findings: checked.findings,
    operatorCalls: checked.operatorCalls,
    cost: { ...checked.cost, costliest: [...checked.cost.costliest] },
    blocksEverybody: checked.blocksEverybody,
  }
}

/** Refuses with `fieldInvalid` rules with mistakes or cases that do not hold, and with `rulesChangedMeanwhile` a stale `basedOn`. */
export async function adminSaveRuleDraft(
  { text, basedOn, note, name: draftName }: SaveRuleDraftRequest,
  { actor: { tenantId, name, id } }: ActorCall,
  { rules: { checks: ruleChecks, lists }, rules }: AdminNeeds,
): Promise<RuleVersionAnswer> {
  const { mistakes, cases, ruleSet } = await ruleChecks.check({ text }, await lists.known(tenantId))
  const [mistake] = mistakes
  if (mistake) {
    const { line, column, reason } = mistake
    throw new Refusal('fieldInvalid', { mistake: `text, line ${line}, column ${column}: ${reason}` })
  }
  const [failed] = cases.failed
  if (failed) {
    const which = failed.name ?? `case ${failed.number}`
    const found = failed.expected === 'fires' ? 'should fire and stays silent' : 'should stay silent and fires'
    throw new Refusal('fieldInvalid', { mistake: `text, rule ${failed.rule}, ${which}: it ${found}` })
  }
  const author = { by: name, ...(note !== undefined && { note }) }
  const savedAs = draftName === undefined ? {} : { savedAs: { name: draftName.trim(), owner: id, ownerName: name } }
  return { version: await refusing(rules.draft(tenantId, ruleSet, author, { basedOn, ...savedAs })) }
}

/** Refuses with `ruleVersionUnknown` a version that is not the newest one of a draft, and with `permissionMissing` somebody else's. */
export async function adminDiscardRuleDraft(
  { version }: DiscardRuleDraftRequest,
  { actor: { tenantId, id, permissions } }: ActorCall,
  needs: AdminNeeds,
): Promise<RuleVersionAnswer> {
  const draft = (await draftsOf(needs, tenantId)).find((each) => each.version === version)
  if (!draft) throw new Refusal('ruleVersionUnknown')
  if (draft.owner !== id && !permissions.has('rules.publish')) {
    throw new Refusal('permissionMissing', { mistake: 'only who began it, or a person with rules.publish' })
  }
  await discardDraft(needs, tenantId, version)
  return { version }
}

export async function adminCompareRules(
  { from, to }: CompareRulesRequest,
  { actor: { tenantId } }: ActorCall,
  { rules }: AdminNeeds,
): Promise<RuleDifferences> {
  const [before, after] = [
    await knownVersion(rules, tenantId, Number(from)),
    await knownVersion(rules, tenantId, Number(to)),
  ]
  return { differences: differencesOf(before, after) }
}

export async function adminStartRuleShadow(
  { version, ends, note }: StartRuleShadowRequest,
  { actor }: ActorCall,
  { rules }: AdminNeeds,
): Promise<RuleVersionAnswer> {
  refuseToTryRules(actor)
  const { tenantId, name } = actor
  await knownVersion(rules, tenantId, version)
  const author = { by: name, ...(note !== undefined && { note }) }
  const started = rules.shadow(tenantId, version, author, { ends: ends ?? 'none' })
  return { version: await refusing(started, (running) => `; send ends: ${running}`) }
}

export async function adminEndRuleShadow(
  { note }: EndRuleShadowRequest,
  { actor: { tenantId, name } }: ActorCall,
  { rules }: AdminNeeds,
): Promise<RuleVersionAnswer> {
  return { version: await refusing(rules.endShadow(tenantId, { by: name, ...(note !== undefined && { note }) })) }
}

export async function adminCompareRuleShadow(
  _: NoFields,
  { actor: { tenantId } }: ActorCall,
  needs: AdminNeeds,
): Promise<RuleShadowComparison> {
  const { live, shadow } = await needs.rules.current(tenantId)
  if (!shadow) return { decisions: 0, same: 0, changes: [] }
  const { version } = shadow
  const [{ fired, ...compared }, ...sets] = await Promise.all([
    compareShadow(needs, tenantId, version),
    needs.rules.read(tenantId, live.version),
    needs.rules.read(tenantId, version),
  ])
  const differences = differencesOf(...sets)
  const tried = differences.filter(({ of, change }) => of === 'rule' && (change === 'added' || change === 'changed'))
  return {
    ...{ version, ...compared },
    rules: tried.map(({ id, change }) => ({
      ...{ rule: id, isNew: change === 'added' },
      ...(fired.get(id) ?? { fired: 0, otherwise: 0 }),
    })),
  }
}

/** Refuses with `ruleVersionUnknown`. */
export async function knownVersion(rules: AdminNeeds['rules'], tenantId: string, version: number): Promise<RuleSet> {
  try {
    return await rules.read(tenantId, version)
  } catch (error) {
    throw error instanceof RuleChangeRefused ? new Refusal('ruleVersionUnknown') : error
  }
}

/** Turns a refused change into a refusal of the call. `whatToDo`: where somebody else has changed the rules, to this version. */
export async function refusing<T>(work: Promise<T>, whatToDo = (_version: number) => ''): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof RulesChangedMeanwhile)
      throw new Refusal('rulesChangedMeanwhile', { mistake: error.message + whatToDo(error.version) })
    throw error instanceof RuleChangeRefused ? new Refusal('ruleChangeRefused', { mistake: error.message }) : error
  }
}
