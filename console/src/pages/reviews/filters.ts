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
  readonly decisionId?: string
}

export function readReviewSearch({ state, filter, decisionId }: Readonly<Record<string, unknown>>): ReviewSearch {
  return {
    ...(isKey(reviewStates, state) && { state }),
    ...(isKey(reviewFilters, filter) && { filter }),
    ...(typeof decisionId === 'string' && { decisionId }),
  }
}

/** What is usual is left out. */
export const reviewSearch = ({ state = 'open', filter = 'all', decisionId }: ReviewSearch): ReviewSearch => ({
  ...(state !== 'open' && { state }),
  ...(filter !== 'all' && state === 'open' && { filter }),
  ...(decisionId !== undefined && { decisionId }),
})

const isKey = <Keys extends object>(keys: Keys, value: unknown): value is keyof Keys =>
  typeof value === 'string' && Object.hasOwn(keys, value)
