// Who uses the console, and what may they do?

import { QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from 'react'
import { type Call, type CallName, callerOf, calling, type RequestOf } from './call.ts'
import type { Permission } from './endpoints.ts'
import { CallFailed, problemName } from './problem.ts'
import { identityOf, useSessionEnd } from './session-end.ts'
import { type Silence, useSilence } from './silence.ts'
import type { Me } from './types.ts'

const meKey = ['me'] as const
const tenantKey = 'ringfence-tenant'

interface Session extends Silence {
  readonly call: Call
  /** Undefined while nobody is signed in. */
  readonly me: Me | undefined
  readonly error: Error | null
  readonly isLoading: boolean
  /** The service has refused a call since: `me` has to sign in again, and the page stays as it is. */
  readonly hasEnded: boolean
  /** The last call got no answer of the service. It is said at once, while the call is tried again. */
  readonly isUnreachable: boolean
}

const SessionContext = createContext<Session | undefined>(undefined)

/** Answers stay fresh for a few seconds, so that going back to a page does not wait; temporary failures are tried again twice. */
export const newQueryClient = () =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        // Whether there is an internet says nothing about a service in the same house.
        networkMode: 'always',
        retry: (failures, error) => failures < 2 && error instanceof CallFailed && error.isTemporary,
      },
    },
  })

export function SessionProvider({ children }: { children: ReactNode }) {
  const client = useQueryClient()
  const { silent, readAgain, noting } = useSilence(client)
  const meNow = useCallback(() => client.getQueryData<Me>(meKey), [client])
  const { ended, outliving } = useSessionEnd(client, meNow)
  const call = useMemo(() => {
    const caller = () => {
      const me = meNow()
      return me ? callerOf(me) : { ...chosenTenant() }
    }
    return outliving(noting(calling(caller)))
  }, [meNow, noting, outliving])
  const { data, error, isLoading } = useQuery({
    queryKey: meKey,
    queryFn: async ({ signal }) => {
      try {
        return await call('me', {}, { signal })
      } catch (error) {
        // The chosen tenant is gone, or the person has no role in it any more.
        if (problemName(error) !== 'tenant-unknown' || sessionStorage.getItem(tenantKey) === null) throw error
        sessionStorage.removeItem(tenantKey)
        return call('me', {}, { signal })
      }
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
  // Whoever may use the tenant only with its identity provider signs in again.
  const isSignedOut = ['not-signed-in', 'sso-required'].includes(problemName(error) ?? '')
  const isUnreachable = useUnreachable(client)
  const hasEnded = ended !== undefined && ended === data?.session?.sessionId
  const session = useMemo(
    () => ({
      call,
      me: isSignedOut ? undefined : data,
      error: isSignedOut ? null : error,
      isLoading,
      hasEnded,
      isUnreachable,
      silent,
      readAgain,
    }),
    [call, data, error, isLoading, isSignedOut, hasEnded, isUnreachable, silent, readAgain],
  )
  return <SessionContext value={session}>{children}</SessionContext>
}

/** Whether the last call got no answer of the service. */
function useUnreachable(client: QueryClient): boolean {
  const [isUnreachable, setUnreachable] = useState(false)
  useEffect(() => {
    const note = ({ action }: { action?: { type: string; error?: unknown } }) => {
      if (action?.type === 'success') setUnreachable(false)
      if (action?.type !== 'error' && action?.type !== 'failed') return
      if (action.error instanceof CallFailed) setUnreachable(action.error.problem === undefined)
    }
    const stops = [
      client.getQueryCache().subscribe((event) => note(event as object)),
      client.getMutationCache().subscribe((event) => note(event as object)),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }, [client])
  return isUnreachable
}

export function useSession(): Session {
  const session = useContext(SessionContext)
  if (!session) throw new Error('useSession needs a SessionProvider around it')
  return session
}

/** Whether the person may do this. The service checks it again at each call. */
export function useMay(): (permission: Permission) => boolean {
  const { me } = useSession()
  return (permission) => me?.permissions.includes(permission) ?? false
}

/**
 * Puts who has just signed in, or nobody, in place of the session; everything read before is forgotten. Of the same person, who signs in
 * again, it is read again, and the page stays.
 */
export function useChangeSession(): (me: Me | undefined) => void {
  const client = useQueryClient()
  return (me) => {
    const before = client.getQueryData<Me>(meKey)
    if (!me || !before || identityOf(me) !== identityOf(before)) return forget(client, me)
    client.setQueryData(meKey, me)
    void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== meKey[0] })
  }
}

/** Reads with another tenant from now on. */
export function useChangeTenant(): (tenantId: string) => void {
  const client = useQueryClient()
  return (tenantId) => {
    sessionStorage.setItem(tenantKey, tenantId)
    forget(client, undefined)
  }
}

/** Everything that was read; without `me`, who is signed in is read again, which the page waits for. */
function forget(client: QueryClient, me: Me | undefined): void {
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== meKey[0] })
  if (me) client.setQueryData(meKey, me)
  else void client.resetQueries({ queryKey: meKey })
}

function chosenTenant(): { tenantId?: string } {
  const tenantId = sessionStorage.getItem(tenantKey)
  return tenantId === null ? {} : { tenantId }
}

/** For `useQuery`: a call and its cache key. */
export function reading<Name extends CallName>(call: Call, name: Name, request: RequestOf<Name>) {
  return queryOptions({
    queryKey: [name, request],
    queryFn: ({ signal }) => call(name, request, { signal }),
  })
}
