// GET /admin/v1/rules…: the versions of a tenant's rules, the rules of one, and who changed what.

import type { NoFields, ReadRulesRequest, RuleHistory, RuleVersions, ShownRules } from '@ringfence/contract'
import { Refusal } from '../../core/errors.ts'
import { writtenRuleSet } from '../../rules/rule-set.ts'
import { RuleChangeRefused } from '../../rules/stored-version.ts'
import type { ActorCall } from '../call.ts'
import type { AdminNeeds } from '../room.ts'
import { isoTime } from './iso-time.ts'

export async function adminListRuleVersions(
  _: NoFields,
  { actor: { tenantId } }: ActorCall,
  { rules }: AdminNeeds,
): Promise<RuleVersions> {
  const versions = await rules.versions(tenantId)
  return {
    versions: versions.map(({ createdAt, ...version }) => ({
      ...version,
      ...(createdAt !== undefined && { createdAt: isoTime(createdAt) }),
    })),
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
