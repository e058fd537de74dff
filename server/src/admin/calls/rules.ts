// /admin/v1/rules…: the versions of a tenant's rules, the rules of one, what they are called, and who changed what.

import type {
  ChangesOfRule,
  ChangesOfRuleRequest,
  NoFields,
  ReadRulesRequest,
  RuleFigures,
  RuleHistory,
  RuleNames,
  RuleNamesRequest,
  RuleVersions,
  ShownRules,
} from '@ringfence/contract'
import { Refusal } from '../../core/errors.ts'
import { rollBackMs } from '../../decisions/rule-changes/publications.ts'
import { draftsOf } from '../../rules/editing/named-drafts.ts'
import { changesOfRule } from '../../rules/publishing/rule-history.ts'
import { ruleNames } from '../../rules/publishing/rule-names.ts'
import { inShadow, replacedByLive } from '../../rules/publishing/stage-history.ts'
import { writtenRuleSet } from '../../rules/rule-set.ts'
import { RuleChangeRefused } from '../../rules/stored-version.ts'
import type { ActorCall } from '../call.ts'
import { ruleFiguresOf } from '../overview/rule-figures.ts'
import type { AdminNeeds } from '../room.ts'
import { isoTime, timeMember } from './iso-time.ts'

export async function adminListRuleVersions(
  _: NoFields,
  { actor: { tenantId, id } }: ActorCall,
  { rules, clock, database, tenantKeyring }: AdminNeeds,
): Promise<RuleVersions> {
  const [versions, drafts, shadow, replaced] = await Promise.all([
    rules.versions(tenantId),
    draftsOf({ database, tenantKeyring }, tenantId),
    inShadow(database, tenantId),
    replacedByLive(database, tenantId),
  ])
  const draftOf = new Map(
    drafts.map(({ version, name, owner, ownerName, basedOn }) => [
      version,
      { name, owner: ownerName, isYours: owner === id, basedOn },
    ]),
  )
  const until = replaced && replaced.at + rollBackMs
  return {
    versions: versions.map(({ createdAt, ...version }) => {
      const draft = draftOf.get(version.version)
      return { ...version, ...timeMember('createdAt', createdAt), ...(draft && { draft }) }
    }),
    ...(shadow && {
      shadow: { version: shadow.version, startedBy: shadow.changedBy, startedAt: isoTime(shadow.changedAt) },
    }),
    ...(replaced && until! >= clock.now() && { rollBack: { version: replaced.version, until: isoTime(until!) } }),
  }
}

export async function adminReadRuleHistory(
  _: NoFields,
  { actor: { tenantId } }: ActorCall,
  { rules }: AdminNeeds,
): Promise<RuleHistory> {
  const changes = await rules.changes(tenantId)
  return {
    changes: changes.map(({ number, changedAt, changedBy, change, version, versionBefore, note }) => ({
      ...{ number, changedAt: isoTime(changedAt), changedBy, change, version },
      ...(versionBefore !== undefined && { versionBefore }),
      note,
    })),
  }
}

export async function adminReadChangesOfRule(
  { rule }: ChangesOfRuleRequest,
  { actor: { tenantId } }: ActorCall,
  { rules, database, tenantKeyring }: AdminNeeds,
): Promise<ChangesOfRule> {
  const changes = await changesOfRule(rule, tenantId, rules, { database, tenantKeyring })
  return {
    changes: changes.map(({ change, fields, live, stored }) => ({
      ...{ version: live.version, versionBefore: live.versionBefore, change, fields },
      ...{ liveAt: isoTime(live.changedAt), liveBy: live.changedBy },
      ...(stored && { storedBy: stored.changedBy }),
      note: live.note || stored?.note || '',
    })),
  }
}

export const adminReadRuleFigures = (
  _: NoFields,
  { actor: { tenantId } }: ActorCall,
  needs: AdminNeeds,
): Promise<RuleFigures> => ruleFiguresOf(tenantId, needs)

export const adminReadRuleNames = async (
  { rules: ids }: RuleNamesRequest,
  { actor: { tenantId } }: ActorCall,
  { database, tenantKeyring }: AdminNeeds,
): Promise<RuleNames> => ({ names: Object.fromEntries(await ruleNames(ids, tenantId, { database, tenantKeyring })) })

/** Refuses with `ruleVersionUnknown` a version that does not exist, and a stage that no version is in. */
export async function adminReadRules(
  { version: named }: ReadRulesRequest,
  { actor: { tenantId } }: ActorCall,
  { rules }: AdminNeeds,
): Promise<ShownRules> {
  const version = /^\d+$/.test(named) ? Number(named) : await versionInStage()
  try {
    return { version, ...writtenRuleSet(await rules.read(tenantId, version)) }
  } catch (error) {
    throw error instanceof RuleChangeRefused ? new Refusal('ruleVersionUnknown') : error
  }

  async function versionInStage(): Promise<number> {
    const found = (await rules.versions(tenantId)).find(({ stages }) => stages.some((stage) => stage === named))
    if (!found) throw new Refusal('ruleVersionUnknown')
    return found.version
  }
}
