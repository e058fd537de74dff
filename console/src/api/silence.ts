// Which calls does the service leave without an answer? The cache knows all reads and the session all changes, so no page has to ask.

import type { Query, QueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { type Call, isOfCache } from './call.ts'

/** Pages take a tenth of it: after that something is wrong, and the page says so. */
const silentMs = 2_000

export interface Silence {
  /** What waits for an answer. Only what was read may be sent again: a change may have happened. */
  readonly silent: 'reads' | 'changes' | undefined
  /** Reads again what was not answered. */
  readonly readAgain: () => void
}

interface Changes {
  readonly since: Map<object, number>
  /** Is called when one begins or ends. */
  look: () => void
}

/** `noting`: the call, whose changes are noted while they wait. */
export function useSilence(client: QueryClient): Silence & { readonly noting: (call: Call) => Call } {
  const [silent, setSilent] = useState<Silence['silent']>()
  const changes = useRef<Changes>({ since: new Map(), look: () => {} })
  useEffect(() => {
    const cache = client.getQueryCache()
    const noted = changes.current
    const since = new Map<string, number>()
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = () => {
      clearTimeout(timer)
      const waiting = cache.findAll({ fetchStatus: 'fetching' }).map(({ queryHash }) => queryHash)
      for (const hash of since.keys()) if (!waiting.includes(hash)) since.delete(hash)
      for (const hash of waiting) if (!since.has(hash)) since.set(hash, Date.now())
      const [read, changed] = [since, noted.since].map((each) => Math.min(...each.values()) + silentMs)
      const now = Date.now()
      setSilent(read! <= now ? 'reads' : changed! <= now ? 'changes' : undefined)
      const next = [read!, changed!].filter((at) => at > now && at < Number.POSITIVE_INFINITY)
      if (next.length > 0) timer = setTimeout(look, Math.min(...next) - now)
    }
    noted.look = look
    const stop = cache.subscribe(look)
    look()
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [client])
  return { silent, readAgain: useCallback(() => void readAgain(client), [client]), noting: useNoting(changes.current) }
}

function useNoting(changes: Changes): (call: Call) => Call {
  return useCallback(
    (call) => (name, request, options) => {
      const answer = call(name, request, options)
      // What the cache reads can be ended.
      if (isOfCache(options)) return answer
      const change = {}
      changes.since.set(change, Date.now())
      changes.look()
      return answer.finally(() => {
        changes.since.delete(change)
        changes.look()
      })
    },
    [changes],
  )
}

async function readAgain(client: QueryClient): Promise<void> {
  const hung = new Set<Query>(client.getQueryCache().findAll({ fetchStatus: 'fetching' }))
  const predicate = (query: Query) => hung.has(query)
  await client.cancelQueries({ predicate })
  await client.refetchQueries({ predicate, type: 'active' })
}
