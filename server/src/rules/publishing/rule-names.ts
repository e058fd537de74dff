// What is a rule called that a figure or an event names by its id? As the latest version that has it says.

import { lastLiveChanges, listRuleSets } from '../store/rule-sets.ts'
import { contentOf, defaultVersion, type RuleStore, readVersion } from '../stored-version.ts'

/** So many versions are looked at: the last ones that were live, then the newest others. */
const mostLooked = 200

/** By id. Versions that were live come first, since only they decide; an id that no version has is absent. */
export async function ruleNames(
  ids: readonly string[],
  tenantId: string,
  store: RuleStore,
): Promise<ReadonlyMap<string, string>> {
  const missing = new Set(ids)
  const found = new Map<string, string>()
  for (const version of await versionsToLookAt(tenantId, store)) {
    if (missing.size === 0) break
    for (const { id, name } of await namesIn(version, tenantId, store)) {
      if (missing.delete(id)) found.set(id, name)
    }
  }
  return found
}

async function versionsToLookAt(tenantId: string, { database }: RuleStore): Promise<number[]> {
  const [live, stored] = [await lastLiveChanges(database, tenantId), await listRuleSets(database, tenantId)]
  const wereLive = live.flatMap(({ version, versionBefore }) => [version, versionBefore ?? defaultVersion])
  // Without a change, the default rules are live.
  const first = wereLive.length > 0 ? wereLive : [defaultVersion]
  const versions = new Set([...first, ...stored.map(({ version }) => version), defaultVersion])
  return [...versions].slice(0, mostLooked)
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
