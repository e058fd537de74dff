// When do counts and entities end? Counts after their time, entities with the last event that names them.

import { nextTurn } from '../store/activity.ts'
import { deleteEntity, entitiesBefore } from '../store/entities.ts'
import { dropFoldedLabels } from '../store/folded-labels.ts'
import { dropPerformanceBefore, type PerformanceSpan } from '../store/performance-counts.ts'
import type { FoldResources } from './decision-facts.ts'
import { performanceSpans } from './performance.ts'

const slice = 500
const dayMs = 86_400_000

export async function dropOldFolds({
  database,
  clock,
  settings,
}: Pick<FoldResources, 'database' | 'clock' | 'settings'>): Promise<void> {
  const now = clock.now()
  for (const span of Object.keys(performanceSpans) as PerformanceSpan[]) {
    const before = now - performanceSpans[span].keptMs
    while ((await dropPerformanceBefore(database, { span, before, limit: slice })) >= slice);
  }
  while ((await dropFoldedLabels(database, now - performanceSpans.day.keptMs, slice)) >= slice);
  for (;;) {
    const ended = await entitiesBefore(database, now - settings.eventDays * dayMs, slice)
    if (ended.length === 0) return
    await database.transaction(async (tx) => {
      for (const { tenant, ...key } of ended) await deleteEntity(tx, tenant, key)
      // Nobody writes a row back that was read before.
      for (const tenant of new Map(
        ended.map((each) => [Buffer.from(each.tenant).toString('hex'), each.tenant]),
      ).values())
        await nextTurn(tx, tenant)
    })
  }
}
