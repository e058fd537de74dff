// How does the live page follow what happens? One stream while it is visible, drawn once per frame.

import { useCallback, useEffect, useRef, useState } from 'react'
import { followEvents } from '../../api/event-stream.ts'
import type { CallFailed } from '../../api/problem.ts'
import { useSession } from '../../api/session.tsx'
import { isOfEndedSession } from '../../api/session-end.ts'
import type { FoundEvent } from '../../api/types.ts'
import { type LiveRows, noRows, withEvents } from './rows.ts'

interface LiveState extends LiveRows {
  /** `connecting` also after a connection was lost. */
  readonly state: 'connecting' | 'watching'
  /** The newest events have been read once. */
  readonly isReady: boolean
  readonly error: CallFailed | undefined
  readonly retry: () => void
}

const newestEvents = 100

/** @param isHeld rows stand still; what comes waits */
export function useLive(filters: { types?: string[]; outcome?: string }, isHeld: boolean): LiveState {
  const { call, me } = useSession()
  const tenantId = me?.tenant.tenantId
  const sessionId = me?.session?.sessionId
  const [rows, setRows] = useState<LiveRows>(noRows)
  const [state, setState] = useState<LiveState['state']>('connecting')
  const [isReady, setReady] = useState(false)
  const [error, setError] = useState<CallFailed>()
  const [attempt, setAttempt] = useState(0)
  const held = useRef(isHeld)
  const isVisible = useVisible()
  const key = JSON.stringify(filters)

  useEffect(() => {
    held.current = isHeld
    if (!isHeld) setRows((before) => withEvents(before, [], false))
  }, [isHeld])

  // biome-ignore lint/correctness/useExhaustiveDependencies: another filter begins again
  useEffect(() => {
    setRows(noRows)
    setReady(false)
  }, [key])

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt or session connects again
  useEffect(() => {
    if (!isVisible) return
    const ending = new AbortController()
    const { signal } = ending
    let arrived: FoundEvent[] = []
    let frame: number | undefined
    const draw = () => {
      frame = undefined
      const events = arrived
      arrived = []
      setRows((before) => withEvents(before, events, held.current))
    }
    const add = (events: readonly FoundEvent[]) => {
      arrived.push(...events)
      frame ??= requestAnimationFrame(draw)
    }
    const wanted = JSON.parse(key) as typeof filters
    setError(undefined)
    setState('connecting')
    void followEvents(urlOf(wanted), {
      signal,
      headers: () => (tenantId === undefined ? {} : { 'x-ringfence-tenant': tenantId }),
      onEvents: (events) => add(events.map(({ data }) => JSON.parse(data) as FoundEvent)),
      onOpen() {
        setState('watching')
        setError(undefined)
        // After the stream is open, so that nothing is lost in between.
        call('searchEvents', { ...wanted, limit: newestEvents } as never, { signal })
          .then(({ events }) => {
            add(events)
            setReady(true)
          })
          .catch((failed) => !signal.aborted && setError(failed))
      },
      onError(failed) {
        setState('connecting')
        setError(failed)
        // A stream is no call: this one says it where the session has ended.
        if (isOfEndedSession(failed)) call('me', {}, { signal }).catch(() => undefined)
      },
    })
    return () => {
      ending.abort()
      if (frame !== undefined) cancelAnimationFrame(frame)
    }
  }, [call, tenantId, sessionId, key, isVisible, attempt])

  return { ...rows, state, isReady, error, retry: useCallback(() => setAttempt((before) => before + 1), []) }
}

function urlOf({ types, outcome }: { types?: string[]; outcome?: string }): string {
  const query = new URLSearchParams()
  if (types) query.set('types', types.join(','))
  if (outcome !== undefined) query.set('outcome', outcome)
  return query.size > 0 ? `/admin/v1/events/live?${query}` : '/admin/v1/events/live'
}

/** A hidden page watches nothing. */
function useVisible(): boolean {
  const [isVisible, setVisible] = useState(() => !document.hidden)
  useEffect(() => {
    const change = () => setVisible(!document.hidden)
    document.addEventListener('visibilitychange', change)
    return () => document.removeEventListener('visibilitychange', change)
  }, [])
  return isVisible
}
