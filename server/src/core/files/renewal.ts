// What did `ringfence data update` do with each list that a publisher has? A newer one is used from now on, or else the previous one.

import { failureText } from './fetched-text.ts'

export interface Renewal {
  readonly name: string
  /** kept: the previous one stays in use. missing: there is none. */
  readonly outcome: 'updated' | 'kept' | 'missing'
  readonly entries: number
  /** Why it was not updated. */
  readonly reason?: string
}

const leastShareOfPrevious = 0.5
/** How far clocks of machines differ that share a data folder. */
const skewMs = 300_000

/** How far a day may be ahead that has no time: it begins up to 14 hours earlier elsewhere. */
export const dayAheadMs = 86_400_000

export interface Dated {
  readonly datedMs: number
  /** How far it may be ahead of our clock; default: as far as clocks differ. */
  readonly aheadMs?: number
}

/** Whether it is dated in the future: then nobody knows how old it is. */
export const isInFuture = ({ datedMs, aheadMs = skewMs }: Dated, now: number): boolean => datedMs - now > aheadMs

/** How old it is; infinitely, if that is not known. */
export const ageMs = (dated: Dated, now: number): number =>
  isInFuture(dated, now) ? Number.POSITIVE_INFINITY : Math.max(0, now - dated.datedMs)

/** Whether something was fetched longer ago. What is dated in the future may be of any age. */
export const isOlder = (datedMs: number, thanMs: number, now: number): boolean => ageMs({ datedMs }, now) > thanMs

/** The previous content stays in use when nothing newer can be fetched, and when the newer one lost more than half of its entries. */
export async function renewed<Content>({
  name,
  fetch,
  previous,
  entriesOf,
  mayShrink,
}: {
  name: string
  /** Rejects with the reason when it cannot be used. */
  fetch: () => Promise<Content>
  previous: Content | undefined
  entriesOf: (content: Content) => number
  mayShrink: boolean
}): Promise<{ readonly renewal: Renewal; readonly used: Content | undefined }> {
  const before = previous === undefined ? 0 : entriesOf(previous)
  try {
    const newer = await fetch()
    const entries = entriesOf(newer)
    if (!mayShrink && entries < leastShareOfPrevious * before) {
      throw new Error(`it has ${entries} entries, and the one in use ${before}; --force accepts it`)
    }
    return { renewal: { name, outcome: 'updated', entries }, used: newer }
  } catch (error) {
    const outcome = previous === undefined ? 'missing' : 'kept'
    return { renewal: { name, outcome, entries: before, reason: failureText(error) }, used: previous }
  }
}
