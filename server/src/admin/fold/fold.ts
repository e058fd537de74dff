// What does a page of the event log change? Counts of performance, and one row for each user, device and number.

import type { BatchStatement } from '../../core/storage/database.ts'
import { deadlineOf } from '../../decisions/reviews/deadline.ts'
import type { OpenedEvent } from '../../decisions/search/found-events.ts'
import { type DecisionDeadline, deadlinePut } from '../../decisions/store/deadlines.ts'
import type { EventSubjects } from '../../events/store/search.ts'
import type { Progress } from '../store/activity.ts'
import { entitiesPut, linksAdd } from '../store/entities.ts'
import { foldedLabelsPut } from '../store/folded-labels.ts'
import { countedValues, countedValuesAdd, performanceAdd } from '../store/performance-counts.ts'
import type { FoldResources } from './decision-facts.ts'
import { entitiesOf } from './entities.ts'
import { type FoldedPage, foldedPage, type PageEvent } from './page.ts'
import { performanceOf } from './performance.ts'

interface ReadPage {
  readonly rows: readonly (EventSubjects & { readonly id: Uint8Array; readonly occurredAt: number })[]
  /** The same, opened. */
  readonly events: readonly OpenedEvent[]
  readonly progress: Progress | undefined
}

/** For the commit that says that the page is counted. */
export async function foldStatements(
  tenantId: string,
  { rows, events, progress }: ReadPage,
  resources: FoldResources,
): Promise<BatchStatement[]> {
  if (rows.length === 0) return []
  const opened = rows.map(({ id, occurredAt, userHash, numberHash, deviceHash }, i) => {
    const { event, aside } = events[i]!
    return { type: event.type, data: event.data, aside, id, at: Number(occurredAt), userHash, numberHash, deviceHash }
  })
  const page = await foldedPage(tenantId, opened, progress, resources)
  const known = await countedValues(resources.database, tenantId)
  const { counts, values } = performanceOf(page, known, resources.clock.now())
  const { usualMs } = await deadlineOf(resources.database, tenantId)
  const deadlines = page.events.flatMap((event) => deadlinesOf(event, page, usualMs))
  const { entities, links, statements } = await entitiesOf(tenantId, page, resources)
  return [
    ...countedValuesAdd(tenantId, values),
    ...performanceAdd(tenantId, counts),
    ...foldedLabelsPut(tenantId, page.foldedLabels),
    ...entitiesPut(tenantId, entities),
    ...linksAdd(tenantId, links),
    ...statements,
    ...deadlines.map((deadline) => deadlinePut(tenantId, deadline)),
  ]
}

/** For what is still open: an end that was noticed is in the decision. */
function deadlinesOf({ type, data }: PageEvent, { decisions }: FoldedPage, usualMs: number): DecisionDeadline[] {
  const decision = type === 'decision.created' && decisions.get(String(data.decisionId))
  if (!decision) return []
  const { decisionId, decidedAt, challenge, openReview } = decision
  if (challenge.openUntil !== undefined) return [{ decisionId, kind: 'challenge', dueAt: challenge.openUntil }]
  if (!openReview) return []
  const { dueAt } = openReview
  const kind = dueAt === undefined ? 'review' : 'ruleReview'
  return [{ decisionId, kind, dueAt: dueAt ?? decidedAt + usualMs }]
}
