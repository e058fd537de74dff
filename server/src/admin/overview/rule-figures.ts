// What did each rule do in the last 30 days? The counts of the page Performance, by rule.

import { type RuleFigures, ruleFigureDays } from '@ringfence/contract'
import { timeOf } from '../../core/storage/ids/event-id.ts'
import type { AdminNeeds } from '../room.ts'
import { activityCountedTo } from '../store/activity.ts'
import { type PerformanceSum, performanceSums } from '../store/performance-counts.ts'
import { isoOf } from './overview.ts'
import { amountOf, stopping } from './performance.ts'

const dayMs = 86_400_000
const mostRules = 1_000
const kinds = ['fired', 'decided', 'firedBad', 'firedGood', 'overturned'] as const

export async function ruleFiguresOf(
  tenantId: string,
  { database, clock }: Pick<AdminNeeds, 'database' | 'clock'>,
): Promise<RuleFigures> {
  const now = clock.now()
  const to = now - (now % dayMs) + dayMs
  const from = to - ruleFigureDays * dayMs
  const [sums, countedTo] = await Promise.all([
    performanceSums(database, { tenantId, span: 'day', from, to, only: {}, kinds }),
    activityCountedTo(database, tenantId),
  ])
  return {
    from: isoOf(from),
    ...(countedTo && { countedUntil: isoOf(timeOf(countedTo)) }),
    rules: [...Map.groupBy(sums, ({ name }) => name)]
      .slice(0, mostRules)
      .map(([rule, ofRule]) => ({ rule, ...figuresOf(ofRule, from) })),
  }
}

function figuresOf(sums: readonly PerformanceSum[], from: number): Omit<RuleFigures['rules'][number], 'rule'> {
  const of = (kind: (typeof kinds)[number]) => sums.filter((each) => each.kind === kind)
  const fired = of('fired')
  const good = of('firedGood')
  return {
    byDay: Array.from({ length: ruleFigureDays }, (_, day) =>
      amountOf(fired.filter(({ startsAt }) => startsAt === from + day * dayMs)),
    ),
    decided: amountOf(of('decided')),
    bad: amountOf(of('firedBad')),
    good: amountOf(good),
    goodStopped: amountOf(good.filter(({ action }) => stopping.has(action))),
    overturned: amountOf(of('overturned')),
  }
}
