// What can a page listen to?

import type { Intelligence } from './fingerprint.ts'
import type { SignedInUser, SignInTransaction } from './wire.ts'

export interface RingfenceEvents {
  /** `initialize` has ended. */
  initialized: { success: boolean }
  /** A message has gone out, or a provider can be asked. */
  signInStarted: SignInTransaction
  /** A person has signed in, on this page or, by a magic link, on another. */
  signedIn: SignedInUser
  /** The device was analysed. */
  fingerprinted: Intelligence
  /** Something went on without what it lacked. */
  warning: { message: string }
}

export type Listener<Name extends keyof RingfenceEvents> = (event: RingfenceEvents[Name]) => void

export interface Emitter {
  /** Answers a function that ends the listening. */
  on<Name extends keyof RingfenceEvents>(name: Name, listener: Listener<Name>): () => void
  emit<Name extends keyof RingfenceEvents>(name: Name, event: RingfenceEvents[Name]): void
}

export function emitter(): Emitter {
  const listeners = new Map<string, Set<(event: never) => void>>()
  return {
    on(name, listener) {
      const those = listeners.get(name) ?? new Set()
      listeners.set(name, those.add(listener))
      return () => those.delete(listener)
    },
    emit(name, event) {
      for (const listener of [...(listeners.get(name) ?? [])]) {
        try {
          listener(event as never)
        } catch (error) {
          reportError(error) // the page's own failure, which is none of ours
        }
      }
    },
  }
}
