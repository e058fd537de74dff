// Which lists does a backtest read? Those of the tenant, in memory of the command.

import { systemClock } from '@ringfence/server/core/clock.ts'
import { metrics } from '@ringfence/server/core/metrics/metrics.ts'
import { listReadsOfSets, listsForReplay } from '@ringfence/server/decisions/rule-changes/lists-for-replay.ts'
import type { BacktestOptions } from '@ringfence/server/rules/backtests/backtest.ts'
import type { RuleSet } from '@ringfence/server/rules/language/rule.ts'
import { ListLookUps } from '@ringfence/server/rules/lists/list-look-ups.ts'
import { pino } from 'pino'
import type { Store } from '../store.ts'

/** Runs `work` with the lists that these rule sets read. */
export async function withLists<T>(
  sets: readonly RuleSet[],
  tenantId: string,
  store: Pick<Store, 'database' | 'tenantKeyring' | 'settings'>,
  work: (lists: Pick<BacktestOptions, 'inListFor'>) => Promise<T>,
): Promise<T> {
  if (listReadsOfSets(sets).length === 0) return work({})
  const { database, tenantKeyring, settings } = store
  const lookUps = new ListLookUps({
    ...{ database, tenantKeyring, clock: systemClock, metrics: metrics(), log: pino({ level: 'silent' }) },
    mostBytes: settings.listsMemoryMb * 1_000_000,
  })
  try {
    return await work(await listsForReplay(sets, tenantId, lookUps))
  } finally {
    await lookUps.memory.close()
  }
}
