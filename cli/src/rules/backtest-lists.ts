// What do lists say during a backtest? Their present entries, each from when it was added, read into memory before it begins.

import { systemClock } from '@ringfence/server/clock.ts'
import { metrics } from '@ringfence/server/metrics/metrics.ts'
import type { BacktestOptions } from '@ringfence/server/rules/backtest.ts'
import { listReadsIn } from '@ringfence/server/rules/compile.ts'
import { listLookUps } from '@ringfence/server/rules/lists/list-look-ups.ts'
import type { RuleSet } from '@ringfence/server/rules/rule.ts'
import { pino } from 'pino'
import type { Store } from '../store.ts'

/** Runs `work` with the lists that these rule sets read. */
export async function withLists<T>(
  sets: readonly RuleSet[],
  tenantId: string,
  store: Pick<Store, 'database' | 'tenantKeyring' | 'settings'>,
  work: (lists: Pick<BacktestOptions, 'inListFor'>) => Promise<T>,
): Promise<T> {
  const conditions = sets
    .flatMap(({ rules, velocities = [] }) => [...rules, ...velocities])
    .flatMap(({ when }) => when ?? [])
  const reads = conditions.flatMap(listReadsIn)
  if (reads.length === 0) return work({})
  const { database, tenantKeyring, settings } = store
  const lookUps = listLookUps({
    ...{ database, tenantKeyring, clock: systemClock, metrics: metrics(), log: pino({ level: 'silent' }) },
    mostBytes: settings.listsMemoryMb * 1_000_000,
  })
  try {
    await lookUps.forInput(tenantId, reads, {})
    await lookUps.settled()
    const inMemory = await lookUps.forReplay(tenantId, reads)
    const inListFor: BacktestOptions['inListFor'] = ({ input, at }) =>
      at !== undefined && inMemory ? inMemory(at) : lookUps.forInput(tenantId, reads, input, at)
    return await work({ inListFor })
  } finally {
    await lookUps.close()
  }
}
