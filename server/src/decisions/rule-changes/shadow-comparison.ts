// How does the version in shadow differ from the live one? Counts what both said about the last decisions.

import { setImmediate as nextTurn } from 'node:timers/promises'
import { backgroundPause } from '../../core/heavy-work/slices.ts'
import type { Action } from '../../rules/language/rule.ts'
import { openDecision } from '../record/record.ts'
import { pagesOf } from '../stored/stored-decisions.ts'
import type { RuleChangesNeeds } from './room.ts'

export interface ShadowChange {
  readonly live: Action
  readonly shadow: Action
  decisions: number
  /** Ids of the newest ones. */
  readonly examples: string[]
}

/** What a rule of the version in shadow would have done. */
export interface FiredInShadow {
  fired: number
  /** Of these, decisions that would have had another action. */
  otherwise: number
}

export interface ShadowComparison {
  /** Decisions for which both ran. */
  decisions: number
  same: number
  /** Those that differ most often first. */
  changes: ShadowChange[]
  /** By id; a rule that would not have fired is absent. */
  readonly fired: Map<string, FiredInShadow>
}

const newest = 2_000
const limit = 100
const mostExamples = 5

/** Of the last decisions; those that were made without this version in shadow do not count. */
export async function compareShadow(
  resources: Pick<RuleChangesNeeds, 'compression' | 'database' | 'tenantKeyring' | 'clock' | 'settings'>,
  tenantId: string,
  version: number,
): Promise<ShadowComparison> {
  const pause = backgroundPause()
  const changes = new Map<string, ShadowChange>()
  const result: ShadowComparison = { decisions: 0, same: 0, changes: [], fired: new Map() }
  for await (const rows of pagesOf(tenantId, resources, { limit, newest })) {
    const keys = await resources.tenantKeyring.keysOf(tenantId)
    for (const row of rows) {
      const paused = pause()
      if (paused) await paused
      const { answer, basis } = openDecision(row, keys, resources.compression)
      if (basis.shadow?.version !== version) continue
      result.decisions++
      const live: Action = JSON.parse(answer.text).action
      const { action: shadow } = basis.shadow
      for (const rule of basis.shadow.fired) {
        const { fired, otherwise } = result.fired.get(rule) ?? { fired: 0, otherwise: 0 }
        result.fired.set(rule, { fired: fired + 1, otherwise: otherwise + Number(live !== shadow) })
      }
      if (live === shadow) {
        result.same++
        continue
      }
      const change = changes.get(`${live} ${shadow}`) ?? { live, shadow, decisions: 0, examples: [] }
      changes.set(`${live} ${shadow}`, change)
      change.decisions++
      change.examples.unshift(row.decisionId)
      if (change.examples.length > mostExamples) change.examples.pop()
    }
    await nextTurn()
  }
  result.changes = [...changes.values()].toSorted((a, b) => b.decisions - a.decisions)
  return result
}
