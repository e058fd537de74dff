// What is usual for a person who had two ids? The sources of both. Of a session that taught both of them, nothing counts twice.

import {
  type BeforeSession,
  type Counts,
  type Knowledge,
  kinds,
  mostSources,
  mostValues,
  noValues,
  type Source,
  sessionMs,
  strongest,
} from './knowledge.ts'

export function joined(own: Knowledge, added: Knowledge): Knowledge {
  const both = own.map((source) => {
    const other = added.find(({ id }) => id === source.id)
    return other ? joinedSource(source, other) : source
  })
  const only = added.filter(({ id }) => own.every((source) => source.id !== id))
  return strongest([...both, ...only], mostSources)
}

/** A source that either id revoked stays revoked. */
function joinedSource(one: Source, other: Source): Source {
  const [older, newer] = one.lastAt <= other.lastAt ? [one, other] : [other, one]
  const { last: _, before: __, ...rest } = newer
  const seen = { ...rest, firstAt: Math.min(one.firstAt, other.firstAt) }
  const revoked = [one, other].flatMap(({ revokedAt }) => (revokedAt === undefined ? [] : [revokedAt]))
  if (revoked.length > 0) return { ...seen, sessions: 0, values: noValues, revokedAt: Math.max(...revoked) }
  const last = newer.last ?? older.last
  const values = Object.fromEntries(kinds.map((kind) => [kind, larger(one.values[kind], other.values[kind])]))
  return {
    ...seen,
    sessions: Math.max(one.sessions, other.sessions),
    values: values as unknown as Source['values'],
    ...(last && { last }),
    ...beforeNewest(newer, older),
  }
}

function beforeNewest(newer: Source, older: Source): { before?: BeforeSession } {
  if (!newer.before) return {}
  const rest = newer.lastAt - older.lastAt < sessionMs ? older.before : older
  const { sessions, lastAt, last } = rest && rest.sessions > newer.before.sessions ? rest : newer.before
  return { before: { sessions, lastAt, ...(last && { last }), added: newer.before.added } }
}

function larger(one: Counts, other: Counts): Counts {
  const values = new Map(one)
  for (const [value, { sessions, day }] of other) {
    const own = values.get(value)
    values.set(value, { sessions: Math.max(sessions, own?.sessions ?? 0), day: Math.max(day, own?.day ?? day) })
  }
  const most = [...values].sort(([, a], [, b]) => b.sessions - a.sessions || b.day - a.day)
  return new Map(most.slice(0, mostValues))
}
