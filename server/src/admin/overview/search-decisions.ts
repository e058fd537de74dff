// POST /admin/v1/decisions/search: which decisions does a figure count? Counts say in which hours there are any; only those are searched.

import type { FoundDecisions, FoundEvent, SearchDecisionsRequest } from '@ringfence/contract'
import { openCursor, sealCursor } from '../../core/crypto/cursor.ts'
import { Refusal } from '../../core/errors.ts'
import { dateTimeMs } from '../../core/json/date-time.ts'
import { lowestIdAt, timeOf } from '../../core/storage/ids/event-id.ts'
import { uuidBytes, uuidText } from '../../core/storage/uuid.ts'
import { foundEvents } from '../../decisions/search/found-events.ts'
import { searchEvents } from '../../events/store/search.ts'
import { decisionFacts } from '../fold/decision-facts.ts'
import { countedAs, performanceSpans } from '../fold/performance.ts'
import type { AdminNeeds } from '../room.ts'
import { activityCountedTo } from '../store/activity.ts'
import { foldedLabels } from '../store/folded-labels.ts'
import { countedValues, performanceTimes } from '../store/performance-counts.ts'

type Resources = Pick<AdminNeeds, 'database' | 'tenantKeyring' | 'compression' | 'clock' | 'settings'>
type Filters = Omit<SearchDecisionsRequest, 'limit' | 'cursor'>

/** What one page may cost: events read, decisions opened for their app or country, and reads of the log. */
const most = { events: 3000, opened: 400, reads: 12 }
const batch = 250
/** A decision is counted in the hour in which it began; its event is written when it ends. */
const decidedWithinMs = 60_000
const dayMs = performanceSpans.day.ms
const highestId = Buffer.alloc(16, 255)
const none = { userHash: null, numberHash: null, deviceHash: null, ipHash: null, emailHash: null, requestHash: null }

/** A part of the log, newest first; ids from `from` on and below `before`. */
interface Range {
  readonly from: Uint8Array
  readonly before: Uint8Array
  /** Undefined: several. */
  readonly action: string | undefined
}

/** Refuses with `fieldInvalid`. */
export async function searchDecisions(
  { limit = 20, cursor, ...filters }: SearchDecisionsRequest,
  tenantId: string,
  needs: Resources,
): Promise<FoundDecisions> {
  const { database, tenantKeyring, clock, settings } = needs
  const keys = await tenantKeyring.keysOf(tenantId)
  const [from = 0, to] = [filters.from, filters.to].map((time) => (time === undefined ? undefined : dateTimeMs(time)))
  if (to !== undefined && from >= to) throw new Refusal('fieldInvalid', { mistake: 'from must be before to' })
  const since = lowestIdAt(Math.max(from, clock.now() - settings.eventDays * dayMs))
  const scope = { cursorOf: 'decisions', ...filters }
  const before =
    cursor === undefined ? (to === undefined ? highestId : lowestIdAt(to)) : openCursor(cursor, scope, keys)
  const matching = await matcher(tenantId, filters, needs)
  const found: FoundEvent[] = []
  const spent = { events: 0, opened: 0, reads: 0 }
  const isSpent = () => (Object.keys(most) as (keyof typeof most)[]).some((what) => spent[what] >= most[what])
  const page = async (next?: Uint8Array): Promise<FoundDecisions> => ({
    events: await withLabels(tenantId, found, needs),
    ...(next && { nextCursor: sealCursor(next, scope, keys) }),
  })
  for await (const range of rangesOf(tenantId, { since, before }, filters, needs)) {
    for (let below: Uint8Array | undefined = range.before; below; ) {
      const filter = { tenantId, from: range.from, before: below, subjects: none, types: ['decision.created'] }
      const read = await searchEvents(database, { ...filter, outcome: range.action }, batch)
      const { events, opened } = await matching(await foundEvents(read.rows, tenantId, tenantKeyring))
      for (const event of events) {
        found.push(event)
        if (found.length === limit) return page(uuidBytes(event.id))
      }
      spent.events += read.rows.length
      spent.opened += opened
      spent.reads++
      below = read.next
      if (isSpent()) return page(below ?? range.from)
    }
  }
  return page()
}

/** The parts of the log that may have such decisions, newest first: all that is not counted yet, then hours that have counts. */
async function* rangesOf(
  tenantId: string,
  { since, before }: { readonly since: Uint8Array; readonly before: Uint8Array },
  { operation, app, country, rule, action }: Filters,
  { database, clock }: Resources,
): AsyncGenerator<Range> {
  const countedTo = (await activityCountedTo(database, tenantId)) ?? since
  const uncounted = later(since, countedTo)
  if (isBelow(uncounted, before)) yield { from: uncounted, before, action }
  let top = isBelow(countedTo, before) ? countedTo : before
  if (!isBelow(since, top)) return
  const counted = {
    ...{ tenantId, action, kind: rule === undefined ? ('decision' as const) : ('fired' as const), name: rule ?? '' },
    only: Object.fromEntries(Object.entries({ operation, app, country }).filter(([, value]) => value !== undefined)),
  }
  const times = (span: 'hour' | 'day', from: number, to: number) =>
    performanceTimes(database, { ...counted, span, from, to })
  const first = timeOf(since) - decidedWithinMs
  for (const day of await times('day', first - (first % dayMs), timeOf(top) + 1)) {
    const isByHour = day.startsAt >= clock.now() - performanceSpans.hour.keptMs + dayMs
    const parts = isByHour ? await times('hour', day.startsAt, day.startsAt + dayMs) : [day]
    const length = performanceSpans[isByHour ? 'hour' : 'day'].ms
    for (const { startsAt, actions } of parts) {
      const end = lowestIdAt(startsAt + length + decidedWithinMs)
      const range = { from: later(since, lowestIdAt(startsAt)), before: isBelow(end, top) ? end : top }
      if (!isBelow(range.from, range.before)) continue
      yield { ...range, action: actions.length === 1 ? actions[0] : action }
      top = range.from
    }
  }
}

const isBelow = (a: Uint8Array, b: Uint8Array) => Buffer.compare(a, b) < 0
const later = (a: Uint8Array, b: Uint8Array) => (isBelow(a, b) ? b : a)

/** What of a page is searched for: an event names rule and operation; app and country are in the decision. */
async function matcher(tenantId: string, { operation, app, country, rule }: Filters, needs: Resources) {
  const isValued = [operation, app, country].some((value) => value !== undefined)
  const known = isValued ? await countedValues(needs.database, tenantId) : []
  const as = countedAs(known)
  const is = (dimension: string, wanted: string | undefined, value: string) =>
    wanted === undefined || as(dimension, value) === wanted
  return async (read: readonly FoundEvent[]): Promise<{ events: readonly FoundEvent[]; opened: number }> => {
    const likely = read.filter(
      ({ data }) =>
        (rule === undefined || (Array.isArray(data.rules) && data.rules.includes(rule))) &&
        is('operation', operation, String(data.operation ?? '')),
    )
    if (likely.length === 0 || (app === undefined && country === undefined)) return { events: likely, opened: 0 }
    const ids = likely.map(({ data }) => String(data.decisionId))
    const decisions = await decisionFacts(tenantId, ids, needs)
    const events = likely.filter(({ data }) => {
      const facts = decisions.get(String(data.decisionId))
      return facts && is('app', app, facts.app) && is('country', country, facts.country)
    })
    return { events, opened: ids.length }
  }
}

async function withLabels(
  tenantId: string,
  events: readonly FoundEvent[],
  { database }: Resources,
): Promise<FoundDecisions['events']> {
  const idOf = ({ data }: FoundEvent) => uuidBytes(String(data.decisionId))
  const labels = await foldedLabels(database, tenantId, events.map(idOf))
  const byId = new Map(labels.map(({ subject, label }) => [uuidText(subject), label]))
  return events.map((event) => {
    const label = byId.get(String(event.data.decisionId))
    return label === undefined ? event : { ...event, label }
  })
}
