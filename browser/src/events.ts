// Which events can a page listen to?

import type { Intelligence } from './fingerprint.ts'
import type { SignedInUser, SignInTransaction } from './wire.ts'

export interface RingfenceEvents {
  /** `initialize` has finished. */
  initialized: { success: boolean }
  /** A message was sent, or the identity provider's sign-in page is ready to open. */
  signInStarted: SignInTransaction
  /** A person has signed in, on this page or, with a magic link, on another. */
  signedIn: SignedInUser
  /** The device was analysed. */
  fingerprinted: Intelligence
  /** The SDK continued without something it needed, for example a device fingerprint. */
  warning: { message: string }
}

export type Listener<Name extends keyof RingfenceEvents> = (event: RingfenceEvents[Name]) => void

export interface Emitter {
  /** Returns a function that removes the listener. */
  on<Name extends keyof RingfenceEvents>(name: Name, listener: Listener<Name>): () => void
  emit<Name extends keyof RingfenceEvents>(name: Name, event: RingfenceEvents[Name]): void
}

export function emitter(): Emitter {
  const listeners = new Map<string, Set<(event: never) => void>>()
  return {
    on(name, listener) {
      const current = listeners.get(name) ?? new Set()
      listeners.set(name, current.add(listener))
      return () => current.delete(listener)
    },
    emit(name, event) {
      for (const listener of [...(listeners.get(name) ?? [])]) {
        try {
          listener(event as never)
        } catch (error) {
          reportError(error) // the page's error must not stop the SDK
        }
      }
    },
  }
}
