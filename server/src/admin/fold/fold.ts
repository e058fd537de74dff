// What does a page of the event log change? Counts of performance, and one row for each user, device and number.

import type { Pause } from '../../core/heavy-work/slices.ts'
import type { BatchStatement } from '../../core/storage/database.ts'
import { deadlineOf } from '../../decisions/reviews/deadline.ts'
import type { OpenedEvent } from '../../decisions/search/found-events.ts'
import { type DecisionDeadline, deadlinePut } from '../../decisions/store/deadlines.ts'
import type { EventSubjects } from '../../events/store/search.ts'
import type { Progress } from '../store/activity.ts'
import { entitiesPut, linksAdd } from '../store/entities.ts'
import { type FoldedLabel, foldedLabelsPut } from '../store/folded-labels.ts'
import { countedValues, countedValuesAdd, performanceAdd } from '../store/performance-counts.ts'
import type { FoldResources } from './decision-facts.ts'
import { foldOfEntities } from './entities.ts'
import { type FoldedPart, foldedPart, type PartEvent } from './part.ts'
import { performanceCounts } from './performance.ts'

type EventRow = EventSubjects & { readonly id: Uint8Array; readonly occurredAt: number }

/** A page that is folded part by part: only what it changes stays in memory. */
export interface Fold {
  /** @param opened the same events */
  add(rows: readonly EventRow[], opened: readonly OpenedEvent[]): Promise<void>
  /** How many users, devices and numbers the page has named so far. */
  subjects(): number
  /** For the commit that says that the page is counted. */
  statements(): Promise<BatchStatement[]>
}

/** The fold of a page that begins here. */
export async function foldOf(
  tenantId: string,
  progress: Progress | undefined,
  resources: FoldResources,
  pause: Pause,
): Promise<Fold> {
  const { database, clock } = resources
  const counts = performanceCounts(await countedValues(database, tenantId), clock.now())
  const { usualMs } = await deadlineOf(database, tenantId)
  const labels = new Map<string, FoldedLabel>()
  const entities = await foldOfEntities(tenantId, resources, pause)
  const deadlines: DecisionDeadline[] = []
  return {
    subjects: entities.subjects,
    async add(rows, opened) {
      const events = rows.map(({ id, occurredAt, userHash, numberHash, deviceHash }, i) => {
        const { event, aside } = opened[i]!
        const { type, data } = event
        return { type, data, aside, id, at: Number(occurredAt), userHash, numberHash, deviceHash }
      })
      const part = await foldedPart(tenantId, events, { progress, labels }, resources)
      await pause()
      counts.add(part)
      for (const event of events) deadlines.push(...deadlinesOf(event, part, usualMs))
      await pause()
      await entities.add(part)
    },
    async statements() {
      const { links, statements, ...changed } = await entities.changed()
      return [
        ...countedValuesAdd(tenantId, counts.newValues()),
        ...performanceAdd(tenantId, counts.all()),
        ...foldedLabelsPut(tenantId, [...labels.values()]),
        ...entitiesPut(tenantId, changed.entities),
        ...linksAdd(tenantId, links),
        ...statements,
        ...deadlines.map((deadline) => deadlinePut(tenantId, deadline)),
      ]
    },
  }
}

/** For what is still open: an end that was noticed is in the decision. */
function deadlinesOf({ type, data }: PartEvent, { decisions }: FoldedPart, usualMs: number): DecisionDeadline[] {
  const decision = type === 'decision.created' && decisions.get(String(data.decisionId))
  if (!decision) return []
  const { decisionId, decidedAt, challenge, openReview } = decision
  if (challenge.openUntil !== undefined) return [{ decisionId, kind: 'challenge', dueAt: challenge.openUntil }]
  if (!openReview) return []
  const { dueAt } = openReview
  const kind = dueAt === undefined ? 'review' : 'ruleReview'
  return [{ decisionId, kind, dueAt: dueAt ?? decidedAt + usualMs }]
}
