// What was known of an account before a sign-in? A decision about the sign-in must not compare it with what it taught itself.

import { type Counts, type Kind, kinds, type Source, sessionMs } from './knowledge.ts'
import type { ShownSession } from './session.ts'

/**
 * The sources without the session of a sign-in that has just taught them.
 *
 * @param shown the session of the decision
 * @param signedInAt epoch milliseconds; undefined: there was no sign-in
 */
export function beforeSignIn(
  sources: readonly Source[],
  shown: ShownSession,
  signedInAt: number | undefined,
): readonly Source[] {
  if (signedInAt === undefined) return sources
  // A sign-in with a device begins with its visit; one without has its own time. Sessions of others
  // count, also later ones: whoever copied the token must not hide them.
  const isOfSignIn = ({ id, lastAt }: Source) =>
    lastAt === signedInAt || (id === shown.source && lastAt >= signedInAt - sessionMs)
  return sources.flatMap((source) => (isOfSignIn(source) ? withoutNewest(source) : [source]))
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
