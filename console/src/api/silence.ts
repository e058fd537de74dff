// Which reads does the service leave without an answer? The cache knows all of them, so no page has to ask.

import type { Query, QueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'

/** Pages take a tenth of it: after that something is wrong, and the page says so. */
const silentMs = 2_000

export interface Silence {
  readonly isSilent: boolean
  /** Reads again what was not answered. */
  readonly readAgain: () => void
}

export function useSilence(client: QueryClient): Silence {
  const [isSilent, setSilent] = useState(false)
  useEffect(() => {
    const cache = client.getQueryCache()
    const since = new Map<string, number>()
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = () => {
      clearTimeout(timer)
      const waiting = cache.findAll({ fetchStatus: 'fetching' }).map(({ queryHash }) => queryHash)
      for (const hash of since.keys()) if (!waiting.includes(hash)) since.delete(hash)
      for (const hash of waiting) if (!since.has(hash)) since.set(hash, Date.now())
      const silentAt = Math.min(...since.values()) + silentMs
      const isLate = silentAt <= Date.now()
      setSilent(isLate)
      if (since.size > 0 && !isLate) timer = setTimeout(look, silentAt - Date.now())
    }
    const stop = cache.subscribe(look)
    look()
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [client])
  return { isSilent, readAgain: useCallback(() => void readAgain(client), [client]) }
}

async function readAgain(client: QueryClient): Promise<void> {
  const hung = new Set<Query>(client.getQueryCache().findAll({ fetchStatus: 'fetching' }))
  const predicate = (query: Query) => hung.has(query)
  await client.cancelQueries({ predicate })
  await client.refetchQueries({ predicate, type: 'active' })
}
