// Which reviews are shown, and which of them is open? All of it is in the URL.

import { texts } from '../../texts.ts'

export const reviewStates = texts.reviews.states
export type ReviewState = keyof typeof reviewStates

/** Of open reviews. */
export const reviewFilters = texts.reviews.filters
export type ReviewFilter = keyof typeof reviewFilters

export interface ReviewSearch {
  readonly state?: ReviewState
  readonly filter?: ReviewFilter
  readonly decisionId?: string | undefined
  /** By what the queue is sorted: see order.ts. */
  readonly order?: string
  /** Only what this rule sent. */
  readonly rule?: string
}

export function readReviewSearch({
  state,
  filter,
  decisionId,
  order,
  rule,
}: Readonly<Record<string, unknown>>): ReviewSearch {
  return {
    ...(isKey(reviewStates, state) && { state }),
    ...(isKey(reviewFilters, filter) && { filter }),
    ...(typeof decisionId === 'string' && { decisionId }),
    ...(typeof order === 'string' && { order }),
    ...(typeof rule === 'string' && { rule }),
  }
}

/** What is usual is left out. */
export const reviewSearch = ({
  state = 'open',
  filter = 'all',
  decisionId,
  order,
  rule,
}: ReviewSearch): ReviewSearch => ({
  ...(state !== 'open' && { state }),
  ...(filter !== 'all' && state === 'open' && { filter }),
  ...(decisionId !== undefined && { decisionId }),
  ...(order !== undefined && order !== 'age' && { order }),
  ...(rule !== undefined && { rule }),
})

const isKey = <Keys extends object>(keys: Keys, value: unknown): value is keyof Keys =>
  typeof value === 'string' && Object.hasOwn(keys, value)
