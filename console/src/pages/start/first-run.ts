// How far is the first run? Derived from what exists: a key, an app, a decision. Nothing is stored about it.

import { useQuery } from '@tanstack/react-query'
import { useMay, useSession } from '../../api/session.tsx'

const pollMs = 4_000
const never = Number.POSITIVE_INFINITY

/** The newest decision. `null`: there is none yet. Undefined: not known yet, or the role may not read it. */
export function useFirstDecision({ isWatching = false } = {}) {
  const { call, me } = useSession()
  const may = useMay()
  const { data, error } = useQuery({
    queryKey: ['first-decision', me?.tenant.tenantId],
    queryFn: ({ signal }) => call('searchEvents', { types: ['decision.created'], limit: 1 }, { signal }),
    enabled: me !== undefined && may('decisions.read') && may('apps.write'),
    // Once there is one, there is no reason to look again.
    staleTime: ({ state }) => (state.data?.events.length ? never : pollMs),
    refetchInterval: ({ state }) => (isWatching && !state.data?.events.length ? pollMs : false),
    refetchIntervalInBackground: false,
  })
  return { decision: data ? (data.events[0] ?? null) : undefined, error }
}

/** Whether the navigation shows the checklist: nobody has decided anything yet. */
export const useIsFirstRun = (): boolean => useFirstDecision().decision === null
