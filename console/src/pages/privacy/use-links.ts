// Who is linked to the subject that somebody types? Looked up when the typing pauses and the value can be one.

import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useMay, useSession } from '../../api/session.tsx'
import { findLinks, type Links, neededToLink } from './find-links.ts'
import type { Subject } from './subject-names.ts'

const pauseMs = 300

/** As the service checks them: anything else is linked to nobody. */
const forms: Readonly<Record<Subject['kind'], RegExp>> = {
  phoneNumber: /^[0-9]{5,15}$/,
  email: /^[^\s@]+@[^\s@]+$/,
  userId: /^[\s\S]+$/,
  deviceId: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
}

export interface FoundLinks {
  readonly links: Links | undefined
  readonly error: Error | null
  /** An erasure waits for it: afterwards, nothing says who was linked. */
  readonly isLooking: boolean
  /** The role may not see who is linked. */
  readonly isForbidden: boolean
}

export function useLinks(subject: Subject): FoundLinks {
  const { call } = useSession()
  const may = useMay()
  const { kind, value } = useSettled(subject)
  const isForbidden = !may(neededToLink[subject.kind])
  const isSettled = kind === subject.kind && value === subject.value
  const { data, error, isFetching } = useQuery({
    queryKey: ['links', kind, value],
    queryFn: ({ signal }) => findLinks({ kind, value }, call, may, signal),
    enabled: forms[kind].test(value) && may(neededToLink[kind]),
  })
  return {
    links: isSettled ? data : undefined,
    error: isSettled ? error : null,
    isLooking: !isForbidden && forms[subject.kind].test(subject.value) && (!isSettled || isFetching),
    isForbidden,
  }
}

/** The subject when it has stayed the same for a moment. */
function useSettled({ kind, value }: Subject): Subject {
  const [settled, setSettled] = useState<Subject>({ kind, value })
  useEffect(() => {
    const timer = setTimeout(() => setSettled({ kind, value }), pauseMs)
    return () => clearTimeout(timer)
  }, [kind, value])
  return settled
}
