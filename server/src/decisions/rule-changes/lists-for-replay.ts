// What do lists say during a replay? Their present entries, each from when it was added, read into memory before it begins.

import type { BacktestOptions } from '../../rules/backtests/backtest.ts'
import { listReadsIn } from '../../rules/language/compile.ts'
import type { RuleSet } from '../../rules/language/rule.ts'
import type { ListLookUps } from '../../rules/lists/list-look-ups.ts'

/** For the lists that these rule sets read. */
export async function listsForReplay(
  sets: readonly RuleSet[],
  tenantId: string,
  lookUps: ListLookUps,
): Promise<Pick<BacktestOptions, 'inListFor'>> {
  const reads = listReadsOfSets(sets)
  if (reads.length === 0) return {}
  await lookUps.forInput(tenantId, reads, {})
  await lookUps.memory.settled()
  const inMemory = await lookUps.forReplay(tenantId, reads)
  return {
    inListFor: ({ input, at }) =>
      at !== undefined && inMemory ? inMemory(at) : lookUps.forInput(tenantId, reads, input, at),
  }
}

export const listReadsOfSets = (sets: readonly RuleSet[]) =>
  sets
    .flatMap(({ rules, velocities = [] }) => [...rules, ...velocities])
    .flatMap(({ when }) => when ?? [])
    .flatMap(listReadsIn)
