// How is the event log counted? In the background, each event once, whichever server does it.

import type { EventType, FoundEvent } from '@ringfence/contract'
import { backgroundPause } from '../../core/heavy-work/slices.ts'
import { ConditionFailed } from '../../core/storage/database.ts'
import { lowestIdAt, timeOf } from '../../core/storage/ids/event-id.ts'
import { listTenants } from '../../core/storage/tenants.ts'
import { openedEvents } from '../../decisions/search/found-events.ts'
import { eventsAfter } from '../../events/store/search.ts'
import { ruleReasonCode } from '../../rules/reasons/deciding.ts'
import type { FoldResources } from '../fold/decision-facts.ts'
import { foldOf } from '../fold/fold.ts'
import { firstWholeDay } from '../fold/part.ts'
import { dropOldFolds } from '../fold/retention.ts'
import { lateMs } from '../live/live-feed.ts'
import {
  type ActivityCount,
  type ActivityKind,
  activityAdd,
  activityProgress,
  activityProgressOf,
  dropActivityBefore,
  rebuildFrom,
} from '../store/activity.ts'
import { groupsOf } from '../store/groups.ts'

type Resources = FoldResources

const minuteMs = 60_000
const hourMs = 3_600_000
/** How long minutes are stored. */
export const minutesForMs = 26 * hourMs
/** Events of a part. One is folded before the next is read: events that wait together would be copied by each collection of garbage. */
const rowsAtOnce = 100
/** A page ends with the part in which it names enough subjects. One commit has the rows of these, and others wait for it. */
const subjectsOfPage = 700
const mostRowsOfPage = 2_000
/** Progress without an event is stored this seldom. */
const idleMs = 600_000
const slice = 500

export const countedTypes: readonly EventType[] = [
  'decision.created',
  'sign_in.started',
  'sign_in.completed',
  'sign_in.failed',
  'sign_in.refused',
]

/** Those that only counts of performance and entities need. */
const otherTypes: readonly EventType[] = [
  'decision.challenge.passed',
  'decision.challenge.failed',
  'decision.challenge.expired',
  'decision.review.resolved',
  'label.created',
  'device.report.created',
  'device.merged',
]
const foldedTypes = [...countedTypes, ...otherTypes]

/**
 * Counts what happened at every tenant since the last time. Throws the first error, after the other tenants.
 * @param isStopped ends it after a page
 */
export async function countActivity(resources: Resources, isStopped: () => boolean = () => false): Promise<void> {
  const failed: unknown[] = []
  for (const { id } of await listTenants(resources.database)) {
    try {
      while (!isStopped() && (await countPage(id, resources)));
    } catch (error) {
      failed.push(error)
    }
  }
  if (failed.length > 0) throw failed[0]
}

/**
 * Folds the event log of a tenant again, for example after events with earlier times were imported. Counts of days that the log no longer
 * has whole stay as they are.
 */
export async function recountActivity(tenantId: string, resources: Resources): Promise<void> {
  const { database, clock, settings } = resources
  const from = firstWholeDay(clock.now(), settings.eventDays)
  await database.batch(rebuildFrom(tenantId, from, lowestIdAt(clock.now() - lateMs)))
  while (await countPage(tenantId, resources));
}

/** Events get their id before their commit: the newest ones are counted later. @returns whether there may be more */
async function countPage(tenantId: string, resources: Resources): Promise<boolean> {
  const { database, tenantKeyring, clock } = resources
  const before = await activityProgressOf(database, tenantId)
  const until = lowestIdAt(clock.now() - lateMs)
  const read = (after: Uint8Array) =>
    eventsAfter(database, { tenantId, after, before: until, types: foldedTypes }, rowsAtOnce)
  const after = before?.countedTo ?? lowestIdAt(0)
  if (Buffer.compare(after, until) >= 0) return false
  let rows = await read(after)
  const isIdle = rows.length === 0 && before !== undefined && timeOf(until) - timeOf(before.countedTo) < idleMs
  if (isIdle) return false
  const pause = backgroundPause()
  const counts = activityCounts(clock.now())
  const fold = await foldOf(tenantId, before, resources, pause)
  for (let events = 0; ; rows = await read(rows.at(-1)!.id)) {
    const opened = await openedEvents(rows, tenantId, tenantKeyring, pause)
    for (const { event } of opened) counts.add(event)
    await pause()
    await fold.add(rows, opened)
    events += rows.length
    // The more often a subject is in a page, the less its row costs.
    if (rows.length < rowsAtOnce || events >= mostRowsOfPage || fold.subjects() >= subjectsOfPage) break
  }
  const isLast = rows.length < rowsAtOnce
  const to = isLast ? until : rows.at(-1)!.id
  try {
    await database.batch([
      activityProgress(tenantId, { before, to }),
      ...groupsOf(counts.all()).map((group) => activityAdd(tenantId, group)),
      ...(await fold.statements()),
    ])
  } catch (error) {
    // Another server has counted this page, or somebody was erased meanwhile.
    if (!(error instanceof ConditionFailed)) throw error
  }
  return !isLast
}

/** Of events of types that are counted. */
export function activityCounts(now: number) {
  const counts = new Map<string, { -readonly [Field in keyof ActivityCount]: ActivityCount[Field] }>()
  return {
    all: (): ActivityCount[] => [...counts.values()],
    add(event: Pick<FoundEvent, 'type' | 'timestamp' | 'data'>): void {
      if (!(countedTypes as readonly string[]).includes(event.type)) return
      const at = Date.parse(event.timestamp)
      for (const [kind, name] of namesOf(event)) {
        for (const [span, lengthMs] of [
          ['minute', minuteMs],
          ['hour', hourMs],
        ] as const) {
          if (span === 'minute' && at < now - minutesForMs) continue
          const startsAt = at - (at % lengthMs)
          const key = `${span} ${startsAt} ${kind} ${name}`
          const known = counts.get(key)
          if (known) known.amount++
          else counts.set(key, { span, startsAt, kind, name, amount: 1 })
        }
      }
    },
  }
}

/** Names of rules and providers are chosen by people. */
const longestName = 100

function namesOf({ type, data }: Pick<FoundEvent, 'type' | 'data'>): [ActivityKind, string][] {
  const texts = (value: unknown) =>
    Array.isArray(value) ? [...new Set(value.filter((each) => typeof each === 'string'))] : []
  if (type === 'decision.created') {
    const { action } = data
    return [
      ...(typeof action === 'string' ? [['action', action] as [ActivityKind, string]] : []),
      // The rules are counted by their ids.
      ...texts(data.reasons)
        .filter((code) => code !== ruleReasonCode)
        .map((code): [ActivityKind, string] => ['reason', code.slice(0, longestName)]),
      ...texts(data.rules).map((id): [ActivityKind, string] => ['rule', id.slice(0, longestName)]),
    ]
  }
  const { channel, method } = data
  if (typeof channel !== 'string' || typeof method !== 'string') return []
  return [[type.slice('sign_in.'.length) as ActivityKind, `${channel} ${method}`.slice(0, longestName)]]
}

/** Deletes minutes after a day, and hours with the events that they count. */
export async function dropOldActivity({
  database,
  clock,
  settings,
}: Pick<Resources, 'database' | 'clock' | 'settings'>): Promise<void> {
  const now = clock.now()
  while ((await dropActivityBefore(database, 'minute', now - minutesForMs, slice)) >= slice);
  while ((await dropActivityBefore(database, 'hour', now - settings.eventDays * 24 * hourMs, slice)) >= slice);
  await dropOldFolds({ database, clock, settings })
}
