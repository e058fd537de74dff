// Which sign-ins are under way in this browser? Kept while a person is away at a provider, or reads their mail.

import type { Kept } from './persistent-storage.ts'

export interface PendingSignIn {
  readonly transactionId: string
  readonly dfrId?: string
  /** A page waits for what a pop-up brings back. */
  readonly isInPopup?: boolean
}

export interface PendingSignIns {
  /** This page's own, else the newest that any page of this origin began. */
  last(): PendingSignIn | undefined
  of(transactionId: string): PendingSignIn | undefined
  /** Keeps it, or adds to what is kept of it. */
  keep(signIn: PendingSignIn): void
  /** Adds the fingerprint of one that is still kept; which is the last one stays as it is. */
  fingerprinted(transactionId: string, dfrId: string): void
  forget(transactionId: string): void
}

/** So many pages may sign in at the same time. */
const most = 5

/** Of one app. */
export function pendingSignIns(kept: Kept, appId: string): PendingSignIns {
  const name = `signIns.${appId}`
  let own: string | undefined
  const all = () => read(kept.get(name))
  const of = (transactionId: string) => all().find((signIn) => signIn.transactionId === transactionId)
  const others = (transactionId: string) => all().filter((signIn) => signIn.transactionId !== transactionId)

  return {
    last: () => (own === undefined ? all()[0] : of(own)),
    of,
    keep(signIn) {
      const { transactionId } = signIn
      own = transactionId
      const all = [{ ...of(transactionId), ...signIn }, ...others(transactionId)]
      kept.set(name, JSON.stringify(all.slice(0, most)))
    },
    fingerprinted(transactionId, dfrId) {
      if (!of(transactionId)) return
      const signIns = all().map((signIn) => (signIn.transactionId === transactionId ? { ...signIn, dfrId } : signIn))
      kept.set(name, JSON.stringify(signIns))
    },
    forget(transactionId) {
      if (own === transactionId) own = undefined
      const left = others(transactionId)
      kept.set(name, left.length === 0 ? undefined : JSON.stringify(left))
    },
  }
}

function read(text: string | undefined): PendingSignIn[] {
  try {
    const signIns: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(signIns) ? signIns.filter((signIn) => typeof signIn?.transactionId === 'string') : []
  } catch {
    return [] // not ours
  }
}
