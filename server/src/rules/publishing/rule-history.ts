// In which live versions did a rule change, and how? Each version that became live, against the one that it replaced.

import { isDeepStrictEqual } from 'node:util'
import { type Difference, differencesOf } from '../editing/differences.ts'
import type { RuleChange, RuleSets } from '../rule-sets.ts'
import { contentOf, defaultVersion, type RuleStore, readVersion } from '../stored-version.ts'

/** So many times that a version became live are looked at, and so many changes of a rule are named. */
const most = { looked: 200, named: 50 } as const

export interface ChangeOfRule extends Pick<Difference, 'fields'> {
  readonly change: 'added' | 'removed' | 'changed'
  /** Who made the version live, and when. */
  readonly live: RuleChange & { readonly versionBefore: number }
  /** Who stored it; undefined for the default rules. */
  readonly stored: RuleChange | undefined
}

/** Newest first. */
export async function changesOfRule(
  ruleId: string,
  tenantId: string,
  rules: Pick<RuleSets, 'changes'>,
  store: RuleStore,
): Promise<ChangeOfRule[]> {
  const changes = await rules.changes(tenantId)
  const stored = new Map(changes.filter(({ change }) => change === 'draft').map((each) => [each.version, each]))
  const read = new Map<number, Promise<unknown>>()
  const ruleIn = (version: number) => {
    const found = read.get(version) ?? ruleOf(ruleId, tenantId, version, store)
    read.set(version, found)
    return found
  }
  const found: ChangeOfRule[] = []
  for (const each of changes.filter(({ change }) => change === 'live').slice(0, most.looked)) {
    const live = { ...each, versionBefore: each.versionBefore ?? defaultVersion }
    const [before, after] = [await ruleIn(live.versionBefore), await ruleIn(live.version)]
    if (isDeepStrictEqual(before, after)) continue
    const [from, to] = [
      await readVersion(store, tenantId, live.versionBefore),
      await readVersion(store, tenantId, live.version),
    ]
    const difference = differencesOf(from, to).find(({ of, id }) => of === 'rule' && id === ruleId)
    if (!difference || difference.change === 'moved') continue
    const { change, fields } = difference
    found.push({ change, fields, live, stored: stored.get(live.version) })
    if (found.length === most.named) break
  }
  return found
}

/** As it is stored: whether two are the same is known without reading their conditions. */
async function ruleOf(ruleId: string, tenantId: string, version: number, store: RuleStore): Promise<unknown> {
  const { rules } =
    version === defaultVersion
      ? await readVersion(store, tenantId, version)
      : ((await contentOf(store, tenantId, version)) as { readonly rules: readonly { readonly id: string }[] })
  return (rules as readonly { readonly id: string }[]).find(({ id }) => id === ruleId)
}
