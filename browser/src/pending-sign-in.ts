// Which sign-in is under way in this browser? Kept while the person is away at a provider, or reads their mail.

import type { Kept } from './kept.ts'

export interface PendingSignIn {
  readonly transactionId: string
  readonly dfrId?: string
  /** A page waits for what a pop-up brings back. */
  readonly isInPopup?: boolean
}

export interface PendingSignIns {
  last(): PendingSignIn | undefined
  keep(signIn: PendingSignIn): void
  /** Adds to it, if it is still the one under way. */
  add(transactionId: string, more: Partial<PendingSignIn>): void
  forget(): void
}

/** Of one app; this page's own sign-in first, then the last one that any page of the same origin began. */
export function pendingSignIns(kept: Kept, appId: string): PendingSignIns {
  const name = `signIn.${appId}`
  let own: PendingSignIn | undefined

  function keep(signIn: PendingSignIn): void {
    own = signIn
    kept.set(name, JSON.stringify(signIn))
  }

  return {
    last: () => own ?? read(kept.get(name)),
    keep,
    add(transactionId, more) {
      if (own?.transactionId === transactionId) keep({ ...own, ...more })
    },
    forget() {
      own = undefined
      kept.set(name, undefined)
    },
  }
}

function read(text: string | undefined): PendingSignIn | undefined {
  try {
    const signIn = JSON.parse(text ?? 'null') as PendingSignIn | null
    return typeof signIn?.transactionId === 'string' ? signIn : undefined
  } catch {
    return undefined // not ours
  }
}
