// What was known of an account before this session? A decision must not compare the session with what it taught itself.

import { type Counts, type Kind, kinds, type Source, sessionMs } from './knowledge.ts'
import type { ShownSession } from './session.ts'

/** When the session began, epoch milliseconds. */
export interface SessionTimes {
  /** Undefined: nobody says that there was a sign-in. */
  readonly signedInAt?: number | undefined
  /** Of the device's report; undefined without one. */
  readonly visitedAt?: number | undefined
}

/** The sources without the session that has just taught them: its sign-in, or an earlier decision about the same visit. */
export function beforeSession(
  sources: readonly Source[],
  shown: ShownSession,
  { signedInAt, visitedAt }: SessionTimes,
): readonly Source[] {
  // A sign-in with a device begins with its visit; one without has its own time. Sessions of others
  // count, also later ones: whoever copied the token must not hide them.
  const beganAt = signedInAt === undefined ? visitedAt : signedInAt - sessionMs
  const isOfSession = ({ id, lastAt }: Source) =>
    lastAt === signedInAt || (id === shown.source && beganAt !== undefined && lastAt >= beganAt)
  return sources.flatMap((source) => (isOfSession(source) ? withoutNewest(source) : [source]))
}

function withoutNewest(source: Source): Source[] {
  const { before, last: _, ...rest } = source
  if (!before) return [source]
  if (before.sessions === 0) return []
  const { sessions, lastAt, last } = before
  const values = Object.fromEntries(
    kinds.map((kind) => [
      kind,
      before.added.reduce((counts, added) => without(counts, added, kind), source.values[kind]),
    ]),
  ) as Record<Kind, Counts>
  return [{ ...rest, sessions, lastAt, ...(last && { last }), values }]
}

function without(counts: Counts, [of, value]: readonly [Kind, string], kind: Kind): Counts {
  const count = of === kind ? counts.get(value) : undefined
  if (!count) return counts
  const others = [...counts].filter(([other]) => other !== value)
  return new Map(count.sessions > 1 ? [...others, [value, { ...count, sessions: count.sessions - 1 }]] : others)
}
