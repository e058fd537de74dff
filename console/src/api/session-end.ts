// What becomes of calls when the session has ended? What only reads is sent again when the same person is back; an act is refused, and offered again.

import type { QueryClient } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import type { Call } from './call.ts'
import { endpoints } from './endpoints.ts'
import { problemName } from './problem.ts'
import type { Me } from './types.ts'

/** Whether a call was refused since the session of its person has ended. */
export const isOfEndedSession = (error: unknown): boolean => problemName(error) === 'not-signed-in'

/** Of another person or tenant nothing may stay on the page. */
export const identityOf = ({ person, tenant }: Me): string => `${person?.personId} ${tenant.tenantId}`

/** `ended`: the id of the session that a call was refused for. `meNow`: who is signed in, as the cache of the client has it. */
export function useSessionEnd(
  client: QueryClient,
  meNow: () => Me | undefined,
): { readonly ended: string | undefined; readonly outliving: (call: Call) => Call } {
  const [ended, setEnded] = useState<string>()
  const outliving = useCallback(
    (call: Call): Call =>
      async (name, request, options) => {
        for (;;) {
          const before = meNow()
          try {
            return await call(name, request, options)
          } catch (error) {
            if (!isOfEndedSession(error) || !before?.session) throw error
            setEnded(before.session.sessionId)
            // What the cache reads has a signal, and is read again at the next sign-in.
            if (endpoints[name].effect !== 'read' || options?.signal) throw error
            if (!(await comesBack(before, client, meNow))) throw error
          }
        }
      },
    [client, meNow],
  )
  return { ended, outliving }
}

/** Resolves at the next sign-in. @returns whether it is the same person */
const comesBack = (before: Me, client: QueryClient, meNow: () => Me | undefined): Promise<boolean> =>
  new Promise((resolve) => {
    const look = () => {
      const me = meNow()
      if (me?.session?.sessionId === before.session?.sessionId) return
      stop()
      resolve(me !== undefined && identityOf(me) === identityOf(before))
    }
    const stop = client.getQueryCache().subscribe(look)
    look()
  })
