// Which version was live before, and who started the shadow?

import type { Queryable } from '../../core/storage/database.ts'
import { lastLiveChanges, lastShadowChange, ruleStagesOf, type ShadowChange } from '../store/rule-sets.ts'

/** The version that the live one replaced, and when. None after a return to it: undoing a return is a new change. */
export async function replacedByLive(
  database: Queryable,
  tenantId: string,
): Promise<{ version: number; at: number } | undefined> {
  const changes = await lastLiveChanges(database, tenantId)
  const isReturn = changes.reduceRight(
    (wasReturn, { version }, index) => !wasReturn && version === changes[index + 1]?.versionBefore,
    false,
  )
  const last = changes[0]
  if (!last || last.versionBefore === null || isReturn) return undefined
  return { version: last.versionBefore, at: last.changedAt }
}

/** The version in shadow, who started it, and when. */
export async function inShadow(database: Queryable, tenantId: string): Promise<ShadowChange | undefined> {
  const { shadow } = await ruleStagesOf(database, tenantId)
  return shadow === undefined ? undefined : lastShadowChange(database, tenantId, shadow)
}
