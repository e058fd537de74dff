// What is a rule called that a figure or an event names by its id? As the latest version that has it says.

import { versionsThatRan } from '../store/rule-sets.ts'
import { contentOf, defaultVersion, type RuleStore, readVersion } from '../stored-version.ts'

/**
 * By id. Versions that were live come first, since only they decide, and the default rules last. An id that none of them has is absent:
 * what is only in a draft is seen by those who may read rules.
 */
export async function ruleNames(
  ids: readonly string[],
  tenantId: string,
  store: RuleStore,
): Promise<ReadonlyMap<string, string>> {
  const missing = new Set(ids)
  const found = new Map<string, string>()
  for (const version of [...(await versionsThatRan(store.database, tenantId)), defaultVersion]) {
    if (missing.size === 0) break
    for (const { id, name } of await namesIn(version, tenantId, store)) {
      if (missing.delete(id)) found.set(id, name)
    }
  }
  return found
}

/** As they are stored: their conditions are not read. */
async function namesIn(version: number, tenantId: string, store: RuleStore): Promise<readonly Named[]> {
  if (version === defaultVersion) return (await readVersion(store, tenantId, version)).rules
  return ((await contentOf(store, tenantId, version)) as { readonly rules: readonly Named[] }).rules
}

interface Named {
  readonly id: string
  readonly name: string
}
