// How does a React component use the SDK? With a hook that holds one Ringfence while it is mounted.

import { useEffect, useState } from 'react'
import { createRingfence, type Ringfence, type RingfenceOptions, type SignedInUser } from './index.ts'

export interface UseRingfence {
  /** The same object in every render. */
  ringfence: Ringfence
  /** `undefined` until `initialize` has finished. */
  isInitialized: boolean | undefined
  user: SignedInUser | undefined
}

/** Initialises the SDK. Renders again when that has finished and when a person has signed in. */
export function useRingfence(appId: string, options?: RingfenceOptions): UseRingfence {
  const [ringfence] = useState(() => createRingfence())
  const [isInitialized, setInitialized] = useState<boolean>()
  const [user, setUser] = useState<SignedInUser>()
  const settings = JSON.stringify(options ?? {})
  useEffect(() => {
    const removals = [
      ringfence.on('initialized', ({ success }) => setInitialized(success)),
      ringfence.on('signedIn', setUser),
    ]
    ringfence.initialize(appId, JSON.parse(settings) as RingfenceOptions)
    return () => {
      for (const remove of removals) remove()
    }
  }, [ringfence, appId, settings])
  return { ringfence, isInitialized, user }
}
