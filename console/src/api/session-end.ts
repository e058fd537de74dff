// What becomes of calls when the session has ended? A read is sent again when the same person is back; an act is offered again.

import type { QueryClient } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { type Call, isOfCache } from './call.ts'
import { endpoints } from './endpoints.ts'
import { problemName } from './problem.ts'
import type { Me } from './types.ts'

/** Whether a call was refused since the session of its person has ended. */
export const isOfEndedSession = (error: unknown): boolean => problemName(error) === 'not-signed-in'

/** Of another person or tenant nothing may stay on the page. */
export const identityOf = ({ person, tenant }: Me): string => `${person?.personId} ${tenant.tenantId}`

interface Sessions {
  readonly client: QueryClient
  /** Who is signed in, as the cache of the client has it. */
  readonly meNow: () => Me | undefined
}

/** `ended`: the id of the session that a call was refused for. */
export function useSessionEnd(
  client: QueryClient,
  meNow: () => Me | undefined,
): { readonly ended: string | undefined; readonly outliving: (call: Call) => Call } {
  const [ended, setEnded] = useState<string>()
  const outliving = useCallback(
    (call: Call) => outlivingCall(call, { client, meNow, onEnd: setEnded }),
    [client, meNow],
  )
  return { ended, outliving }
}

/** @param sessions `onEnd` gets the id of a session that has ended */
export const outlivingCall =
  (call: Call, { onEnd, ...sessions }: Sessions & { readonly onEnd: (sessionId: string) => void }): Call =>
  async (name, request, options) => {
    for (;;) {
      const before = sessions.meNow()
      try {
        return await call(name, request, options)
      } catch (error) {
        if (!isOfEndedSession(error) || !before?.session) throw error
        onEnd(before.session.sessionId)
        if (endpoints[name].effect !== 'read' || isOfCache(options)) throw error
        if (!(await comesBack(before, sessions, options?.signal))) throw error
      }
    }
  }

/** Resolves at the next sign-in, or when nobody waits for it any more. @returns whether it is the same person */
const comesBack = (before: Me, { client, meNow }: Sessions, signal?: AbortSignal): Promise<boolean> =>
  new Promise((resolve) => {
    const end = (isBack: boolean) => {
      stop()
      signal?.removeEventListener('abort', look)
      resolve(isBack)
    }
    const look = () => {
      if (signal?.aborted) return end(false)
      const me = meNow()
      if (me?.session?.sessionId !== before.session?.sessionId)
        end(me !== undefined && identityOf(me) === identityOf(before))
    }
    const stop = client.getQueryCache().subscribe(look)
    signal?.addEventListener('abort', look)
    look()
  })
