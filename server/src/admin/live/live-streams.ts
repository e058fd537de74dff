// Who watches live? Opens streams of events, a bounded number for each person, tenant and server, and resumes them from the event log.

import type { FoundEvent, LiveEventsRequest } from '@ringfence/contract'
import { Refusal } from '../../core/errors.ts'
import { lowestIdAt } from '../../core/storage/ids/event-id.ts'
import { uuidBytes } from '../../core/storage/uuid.ts'
import { type EventOutlet, StreamAnswer } from '../../core/stream-answer.ts'
import { typesOf } from '../../decisions/search/event-types.ts'
import { foundEvents } from '../../decisions/search/found-events.ts'
import { eventsAfter } from '../../events/store/search.ts'
import type { Actor } from '../actor.ts'
import { type LiveFeed, type LiveFeedResources, type LiveFilter, lateMs, liveFeed, matches } from './live-feed.ts'

/** Tabs of one person. */
export const mostStreamsOfActor = 5
/** So that one tenant cannot keep all others from watching. */
export const mostStreamsOfTenant = 25
const mostStreamsOfServer = 100
/** Who was away for longer, or missed more, reads the rest with a search. */
const longestAwayMs = 3_600_000
const mostMissed = 10_000
const pageRows = 200
/** Events that arrive while a stream catches up. */
const mostWaiting = 5_000

export interface LiveStreams {
  /** Its stream refuses with `rateLimited` and `unavailable` when there are too many. */
  open(request: LiveEventsRequest, actor: Actor): StreamAnswer
  readonly feed: LiveFeed
  close(): void
}

export function liveStreams(resources: LiveFeedResources): LiveStreams {
  const feed = liveFeed(resources)
  const ofActor = new Map<string, number>()
  const ofTenant = new Map<string, number>()
  let open = 0

  function enter({ id, tenantId }: Actor): void {
    const own = ofActor.get(id) ?? 0
    const ofOwnTenant = ofTenant.get(tenantId) ?? 0
    if (own >= mostStreamsOfActor || ofOwnTenant >= mostStreamsOfTenant)
      throw new Refusal('rateLimited', { retryAfterSeconds: 30 })
    if (open >= mostStreamsOfServer) throw new Refusal('unavailable', { retryAfterSeconds: 30 })
    ofActor.set(id, own + 1)
    ofTenant.set(tenantId, ofOwnTenant + 1)
    open++
  }

  function leave({ id, tenantId }: Actor): void {
    lower(ofActor, id)
    lower(ofTenant, tenantId)
    open--
  }

  return {
    feed,
    open({ types, outcome, lastEventId }, actor) {
      const filter = { types: types === undefined ? undefined : new Set(typesOf(types.split(','))), outcome }
      return new StreamAnswer({
        enter: () => {
          enter(actor)
          return () => leave(actor)
        },
        open: (outlet) => follow(outlet, { tenantId: actor.tenantId, filter, lastEventId }, { feed, ...resources }),
      })
    },
    close: () => feed.close(),
  }
}

function lower(counts: Map<string, number>, key: string): void {
  const left = counts.get(key)! - 1
  if (left === 0) counts.delete(key)
  else counts.set(key, left)
}

interface Followed {
  readonly tenantId: string
  readonly filter: LiveFilter
  readonly lastEventId: string | undefined
}

/** Watches before it catches up, so that nothing is lost in between; what both bring is sent once. */
async function follow(
  outlet: EventOutlet,
  { tenantId, filter, lastEventId }: Followed,
  { feed, ...resources }: LiveFeedResources & { readonly feed: LiveFeed },
): Promise<void> {
  const sent = new Set<string>()
  let waiting: FoundEvent[] | undefined = []
  const unwatch = await feed.watch(tenantId, filter, (events) => {
    if (!waiting) outlet.send(events.map(streamed))
    else if (waiting.length + events.length > mostWaiting) outlet.end()
    else waiting.push(...events)
  })
  if (outlet.signal.aborted) return unwatch()
  outlet.signal.addEventListener('abort', unwatch, { once: true })
  outlet.begin()
  if (lastEventId !== undefined) {
    for await (const events of missed(lastEventId, { tenantId, filter }, resources)) {
      for (const { id } of events) sent.add(id)
      outlet.send(events.map(streamed))
      await outlet.drained()
      if (outlet.signal.aborted) return
    }
  }
  outlet.send(waiting.filter(({ id }) => !sent.has(id)).map(streamed))
  waiting = undefined
}

const streamed = (event: FoundEvent) => ({ id: event.id, data: JSON.stringify(event) })

/** What has been committed since an event was sent. It begins a little before, since ids may appear late: some come twice. */
async function* missed(
  lastEventId: string,
  { tenantId, filter }: Omit<Followed, 'lastEventId'>,
  { database, tenantKeyring, clock }: LiveFeedResources,
): AsyncGenerator<FoundEvent[]> {
  const last = Buffer.from(uuidBytes(lastEventId))
  const now = clock.now()
  let after: Uint8Array = lowestIdAt(Math.max(last.readUIntBE(0, 6) - lateMs, now - longestAwayMs))
  const before = Buffer.alloc(16, 255)
  const types = filter.types && [...filter.types]
  for (let read = 0; read < mostMissed; read += pageRows) {
    const rows = await database.within(performance.now() + 5_000, () =>
      eventsAfter(database, { tenantId, after, before, types }, pageRows),
    )
    const wanted = rows.filter((row) => matches(filter, row) && Buffer.compare(row.id, last) !== 0)
    if (wanted.length > 0) yield await foundEvents(wanted, tenantId, tenantKeyring)
    if (rows.length < pageRows) return
    after = rows.at(-1)!.id
  }
}
