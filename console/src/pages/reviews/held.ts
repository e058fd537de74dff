// What has a reviewer decided in the last seconds? It is sent after eight seconds, or when the desk is left; until then it can be undone.

import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useSession } from '../../api/session.tsx'
import { type Act, sendAct } from './resolve.tsx'
import { undoMs } from './undo-time.ts'

const changed = ['listReviews', 'readReview', 'readDecision', 'searchEvents']

export interface Held extends Act {
  /** Who it is about, for the line that offers to undo it. */
  readonly who: string
  /** Sends what was written and not sent. */
  readonly sendComment: () => Promise<unknown>
}

interface Failure {
  readonly of: Held
  readonly error: Error
}

export function useHeld() {
  const { call } = useSession()
  const queries = useQueryClient()
  const [held, setHeld] = useState<readonly Held[]>([])
  const [sending, setSending] = useState<readonly Held[]>([])
  const [failure, setFailure] = useState<Failure>()
  const timers = useRef(new Map<Held, ReturnType<typeof setTimeout>>())

  /** @returns whether it was still held */
  const release = (one: Held): boolean => {
    clearTimeout(timers.current.get(one))
    setHeld((all) => all.filter((each) => each !== one))
    return timers.current.delete(one)
  }
  const send = async (one: Held, isLeaving = false) => {
    if (!release(one)) return
    setSending((all) => [...all, one])
    try {
      // First: what the person wrote is a reason of the decision. A page that is being closed has no time to wait.
      const comment = one.sendComment()
      if (!isLeaving) await comment
      await sendAct(call, one, { outlivesPage: isLeaving })
    } catch (error) {
      setFailure({ of: one, error: error as Error })
    }
    await Promise.all(changed.map((name) => queries.invalidateQueries({ queryKey: [name] })))
    // A page that comes back must not begin with rows that are resolved.
    for (const name of changed) queries.removeQueries({ queryKey: [name], type: 'inactive' })
    setSending((all) => all.filter((each) => each !== one))
  }
  const current = useRef(send)
  useEffect(() => {
    current.current = send
  })
  useEffect(() => {
    const all = timers.current
    const flush = (isLeaving: boolean) => {
      for (const one of [...all.keys()]) void current.current(one, isLeaving)
    }
    const leave = () => flush(true)
    addEventListener('pagehide', leave)
    return () => {
      removeEventListener('pagehide', leave)
      flush(false)
    }
  }, [])
  return {
    /** Newest last. */
    held,
    /** Decided here: the queue does not show them. */
    decided: new Set([...held, ...sending].map(({ decisionId }) => decisionId)),
    failure,
    hold(one: Held) {
      setFailure(undefined)
      setHeld((all) => [...all, one])
      timers.current.set(
        one,
        setTimeout(() => void current.current(one), undoMs),
      )
    },
    undo: release,
  }
}
