// How does a React component sign people in? A hook that holds one Ringfence for as long as the component is there.

import { useEffect, useState } from 'react'
import { createRingfence, type Ringfence, type RingfenceOptions, type SignedInUser } from './index.ts'

export interface UseRingfence {
  /** The same object at every rendering. */
  ringfence: Ringfence
  /** `undefined` until `initialize` has ended. */
  isInitialized: boolean | undefined
  user: SignedInUser | undefined
}

/** Initialises with the app id, and renders again when that has ended and when somebody has signed in. */
export function useRingfence(appId: string, options?: RingfenceOptions): UseRingfence {
  const [ringfence] = useState(() => createRingfence())
  const [isInitialized, setInitialized] = useState<boolean>()
  const [user, setUser] = useState<SignedInUser>()
  const settings = JSON.stringify(options ?? {})
  useEffect(() => {
    const ends = [
      ringfence.on('initialized', ({ success }) => setInitialized(success)),
      ringfence.on('signedIn', setUser),
    ]
    ringfence.initialize(appId, JSON.parse(settings) as RingfenceOptions)
    return () => {
      for (const end of ends) end()
    }
  }, [ringfence, appId, settings])
  return { ringfence, isInitialized, user }
}
