// How are events read? In pages while somebody scrolls.

import type { RequestOf } from '../../api/call.ts'
import { usePages } from '../../api/use-call.ts'

type Filters = Omit<RequestOf<'searchEvents'>, 'cursor' | 'limit'>

/** Pages of 100. A page may be empty although there are more, so the next one is read until one is not. */
export const useEvents = (filters: Filters) =>
  usePages('searchEvents', { ...filters, limit: 100 }, (pages) => pages.flatMap(({ events }) => events))
