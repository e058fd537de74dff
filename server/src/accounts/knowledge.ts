// What do proven sessions show of an account? Stored by who showed it, so that it can be withdrawn with a device. Bounded.

import type { ShownSession } from './session.ts'
import type { PlaceAt } from './travel.ts'

/** Stored by place: append, never move. Hours are those of UTC, `0` to `23`. */
export const kinds = ['country', 'network', 'operator', 'number', 'hour'] as const
export type Kind = (typeof kinds)[number]

/** How many sessions showed a value, and on which day the last one did (days since 1970, UTC). */
export interface Count {
  readonly sessions: number
  readonly day: number
}

export type Counts = ReadonlyMap<string, Count>

/** An installation, or what stands for it in a session without one. */
export interface Source {
  readonly id: string
  readonly device?: string
  /** Epoch milliseconds, of its proven sessions. */
  readonly firstAt: number
  readonly lastAt: number
  readonly sessions: number
  readonly values: Readonly<Record<Kind, Counts>>
  readonly last?: PlaceAt
  /** What it was before its newest session; absent where an older version stored it. */
  readonly before?: BeforeSession
  /** Since then it is not trusted: what it showed is gone, and no session from before counts again. */
  readonly revokedAt?: number
}

/** A source before its newest session, without the values: those that the session added are listed. */
export interface BeforeSession extends Pick<Source, 'lastAt' | 'sessions' | 'last'> {
  readonly added: readonly (readonly [Kind, string])[]
}

/** Sources of an account. */
export type Knowledge = readonly Source[]

/** Sessions of a source within this time are one. */
export const sessionMs = 30 * 60_000
const dayMs = 86_400_000
const hourMs = 3_600_000

/** An account with more loses the source with the fewest sessions. */
export const mostSources = 12
/** A source with more values of a kind loses the one with the fewest sessions. All hours fit. */
export const mostValues = 24
/** At this count, all counts of its kind are halved: a person who moves is at home after a few sessions. */
export const mostCounted = 100

export const noValues: Source['values'] = {
  country: new Map(),
  network: new Map(),
  operator: new Map(),
  number: new Map(),
  hour: new Map(),
}

const dayOf = (at: number) => Math.floor(at / dayMs)

/** The values of a session by kind. */
export const valuesOf = ({ at, country, network, operator, number }: ShownSession): [Kind, string][] => {
  const values = { country, network, operator, number, hour: `${Math.floor(at / hourMs) % 24}` }
  return kinds.flatMap((kind) => (values[kind] === undefined ? [] : [[kind, values[kind]] as [Kind, string]]))
}

/** The sources that count: not revoked, seen since this time, and without values that were not. */
export function trusted(knowledge: Knowledge, since: number): Source[] {
  return knowledge
    .filter(({ revokedAt, lastAt }) => revokedAt === undefined && lastAt >= since)
    .map((source) => withoutExpired(source, since))
}

/**
 * The knowledge after a proven session; the same object when nothing has to be stored. `since`: what is older has expired.
 *
 * A session that goes on, or one from before the last, adds what is new and counts nothing again.
 */
export function learned(knowledge: Knowledge, shown: ShownSession, since: number): Knowledge {
  const before = knowledge.find(({ id }) => id === shown.source)
  if (shown.at < since || shown.at <= (before?.revokedAt ?? 0)) return knowledge
  const isKnown = before !== undefined && before.revokedAt === undefined && before.lastAt >= since
  const source = isKnown ? continued(before, shown, since) : started(shown)
  if (source === before) return knowledge
  const others = knowledge.filter((other) => other !== before && other.lastAt >= since)
  return [source, ...strongest(others, mostSources - 1)]
}

/** Without what these sources showed. Each stays as revoked, so that its past sessions are not learned again. */
export function withdrawn(knowledge: Knowledge, isWithdrawn: (source: Source) => boolean, now: number): Knowledge {
  if (!knowledge.some((source) => source.revokedAt === undefined && isWithdrawn(source))) return knowledge
  return knowledge.map((source) => {
    if (source.revokedAt !== undefined || !isWithdrawn(source)) return source
    const { last: _, before: __, ...rest } = source
    return { ...rest, sessions: 0, values: noValues, revokedAt: now }
  })
}

function withoutExpired({ last, ...source }: Source, since: number): Source {
  return {
    ...source,
    values: eachKind((kind) => fresh(source.values[kind], since)),
    ...(last && last.at >= since && { last }),
  }
}

function started(shown: ShownSession): Source {
  const { at, source: id, device, place } = shown
  const values = valuesOf(shown)
  return {
    id,
    ...(device !== undefined && { device }),
    firstAt: at,
    lastAt: at,
    sessions: 1,
    values: withValues(noValues, values, dayOf(at)),
    ...(place && { last: { place, at } }),
    before: { sessions: 0, lastAt: at, added: values },
  }
}

/** The same object when the session adds nothing. */
function continued(stored: Source, shown: ShownSession, since: number): Source {
  const { at, device, place } = shown
  const before = withoutExpired(stored, since)
  const isNext = at >= before.lastAt + sessionMs
  const shownValues = valuesOf(shown)
  // The hour of a session is that of its beginning.
  const added = shownValues.filter(([kind, value]) => kind !== 'hour' && !before.values[kind].has(value))
  const values = isNext ? shownValues : added
  if (values.length === 0 && (!place || before.last)) return stored
  const last = place && (isNext || !before.last) ? { place, at } : before.last
  return {
    ...before,
    ...(device !== undefined && { device }),
    firstAt: Math.min(before.firstAt, at),
    lastAt: isNext ? at : before.lastAt,
    sessions: before.sessions + (isNext ? 1 : 0),
    values: withValues(before.values, values, dayOf(at)),
    ...(last && { last }),
    ...beforeIt(before, values, isNext),
  }
}

function beforeIt(
  { before, last, ...source }: Source,
  values: [Kind, string][],
  isNext: boolean,
): Pick<Source, 'before'> {
  if (!isNext) return before ? { before: { ...before, added: [...before.added, ...values] } } : {}
  const { sessions, lastAt } = source
  return { before: { sessions, lastAt, ...(last && { last }), added: values } }
}

function withValues(before: Source['values'], shown: readonly [Kind, string][], day: number): Source['values'] {
  return eachKind((kind) => {
    const values = shown.flatMap(([its, value]) => (its === kind ? [value] : []))
    return values.reduce((counts, value) => counted(counts, value, day), before[kind])
  })
}

function counted(before: Counts, value: string, day: number): Counts {
  const own = before.get(value)
  const one = { sessions: (own?.sessions ?? 0) + 1, day: Math.max(day, own?.day ?? day) }
  const others = [...before]
    .filter(([other]) => other !== value)
    .sort(([, a], [, b]) => b.sessions - a.sessions || b.day - a.day)
  const all: [string, Count][] = [[value, one], ...others.slice(0, mostValues - 1)]
  if (one.sessions < mostCounted) return new Map(all)
  return new Map(all.map(([of, count]) => [of, { ...count, sessions: Math.ceil(count.sessions / 2) }]))
}

const fresh = (counts: Counts, since: number): Counts => {
  const day = dayOf(since)
  return [...counts.values()].every((count) => count.day >= day)
    ? counts
    : new Map([...counts].filter(([, count]) => count.day >= day))
}

/** Those with the most sessions, then the newest: revoked ones go first. */
export const strongest = (sources: readonly Source[], most: number): readonly Source[] =>
  sources.length <= most
    ? sources
    : sources.toSorted((a, b) => b.sessions - a.sessions || b.lastAt - a.lastAt).slice(0, most)

const eachKind = (of: (kind: Kind) => Counts): Source['values'] => ({
  country: of('country'),
  network: of('network'),
  operator: of('operator'),
  number: of('number'),
  hour: of('hour'),
})
