// How are events read? In pages while somebody scrolls.

import { useInfiniteQuery } from '@tanstack/react-query'
import type { RequestOf } from '../../api/call.ts'
import { useSession } from '../../api/session.tsx'

type Filters = Omit<RequestOf<'searchEvents'>, 'cursor' | 'limit'>

/** Pages of 100. A page may be empty although there are more, so the next one is read until one is not. */
export function useEvents(filters: Filters, isEnabled = true) {
  const { call } = useSession()
  return useInfiniteQuery({
    queryKey: ['searchEvents', 'pages', filters],
    queryFn: ({ pageParam, signal }) => call('searchEvents', { ...filters, limit: 100, cursor: pageParam }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    select: ({ pages }) => pages.flatMap(({ events }) => events),
    enabled: isEnabled,
  })
}
