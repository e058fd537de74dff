// How far is the first run? Derived from what exists beside the demo: a key, an app, a decision. Nothing is stored about it.

import { useQuery } from '@tanstack/react-query'
import { useMay, useSession } from '../../api/session.tsx'
import { useRead } from '../../api/use-call.ts'

const pollMs = 4_000
const never = Number.POSITIVE_INFINITY

/** What the newcomer did is not older than this; `none` without demo traffic; undefined while it is not known. */
export function useOwnSince(): string | undefined {
  const { me } = useSession()
  const { data, isError } = useRead('readDemo', {}, { enabled: me !== undefined, staleTime: 60_000 })
  return isError ? 'none' : data && (data.until ?? 'none')
}

/** Of a time in a record: the demo's clock ran before the first start (decision 0064). */
export const isOwn = (at: string | undefined, since: string | undefined): boolean =>
  at !== undefined && since !== undefined && (since === 'none' || Date.parse(at) >= Date.parse(since))

/** The newest decision that is not the demo's. `null`: there is none yet. Undefined: not known yet, or the role may not read it. */
export function useFirstDecision({ isWatching = false } = {}) {
  const { call, me } = useSession()
  const may = useMay()
  const since = useOwnSince()
  const { data, error } = useQuery({
    queryKey: ['first-decision', me?.tenant.tenantId, since],
    queryFn: ({ signal }) =>
      call(
        'searchEvents',
        { types: ['decision.created'], ...(since !== undefined && since !== 'none' && { from: since }), limit: 1 },
        { signal },
      ),
    enabled: me !== undefined && since !== undefined && may('decisions.read') && may('apps.write'),
    // Once there is one, there is no reason to look again.
    staleTime: ({ state }) => (state.data?.events.length ? never : pollMs),
    refetchInterval: ({ state }) => (isWatching && !state.data?.events.length ? pollMs : false),
    refetchIntervalInBackground: false,
  })
  return { decision: data ? (data.events[0] ?? null) : undefined, error }
}

/** Whether the navigation shows the checklist: nobody has decided anything yet. */
export const useIsFirstRun = (): boolean => useFirstDecision().decision === null
