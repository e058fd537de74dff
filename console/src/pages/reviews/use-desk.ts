// How does a reviewer go through the queue? What is decided leaves it at once, and the next case, read before, is open.

import { useNavigate } from '@tanstack/react-router'
import type { QueuedReview } from '../../api/types.ts'
import { useRead } from '../../api/use-call.ts'
import { useDeskKeys } from './desk-keys.ts'
import { type ReviewSearch, reviewSearch } from './filters.ts'
import { type Held, useHeld } from './held.ts'
import { ordered } from './order.ts'
import type { Decide } from './resolve.tsx'

const keysOfCase = ['a', 'b', 'h', 'c', 'i', '1', '2', '3', '4', '5']

export type DeskState = ReturnType<typeof useDesk>

export function useDesk(found: readonly QueuedReview[] = [], search: ReviewSearch) {
  const navigate = useNavigate()
  const held = useHeld()
  const { decisionId, order = 'age', rule } = search
  const open = found.filter((each) => !held.decided.has(each.decisionId))
  const reviews = ordered(rule === undefined ? open : open.filter(({ ruleName }) => ruleName === rule), order)
  const index = reviews.findIndex((review) => review.decisionId === decisionId)
  const next = reviews[index + 1] ?? reviews[index - 1]

  const isShown = useCase(decisionId)
  useCase(next?.decisionId)

  const go = (to: string | undefined): string | undefined => {
    if (to === decisionId) return undefined
    void navigate({ to: '/reviews', search: reviewSearch({ ...search, decisionId: to }), replace: true })
    return to
  }
  const move = (by: number) => () =>
    go(reviews[Math.max(0, Math.min(reviews.length - 1, index + by))]?.decisionId ?? decisionId)
  const undo = (one: Held | undefined): string | undefined => {
    if (!one || !held.undo(one)) return undefined
    return go(one.decisionId)
  }
  const keys = useDeskKeys({
    decisionId,
    isShown,
    moves: { j: move(1), k: move(-1), u: () => undo(held.held.at(-1)) },
    ofCase: keysOfCase,
  })
  const decide: Decide = (made) => {
    const review = found.find((each) => each.decisionId === decisionId)
    if (decisionId === undefined || held.decided.has(decisionId)) return
    held.hold({ ...made, decisionId, who: review?.userId ?? review?.phoneNumber ?? decisionId })
    keys.opens(go(next?.decisionId))
  }
  return { reviews, found: open, search, held, decide, undo, registered: keys.registered }
}

/** Reads all of a case. @returns whether it is there, or will not be */
function useCase(decisionId = ''): boolean {
  const options = { enabled: decisionId !== '', staleTime: 30_000 }
  const answers = [useRead('readDecision', { decisionId }, options), useRead('readReview', { decisionId }, options)]
  return answers.every(({ data, error }) => data !== undefined || error !== null)
}
