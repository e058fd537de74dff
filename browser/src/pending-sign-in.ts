// Which sign-ins are in progress? Stored while a person is at an identity provider or reads email.

import type { UpdateInfo } from './fingerprint.ts'
import type { PersistentStorage } from './persistent-storage.ts'

export interface PendingSignIn {
  readonly transactionId: string
  /** Must come with the code of its return URL. (RFC 7636) */
  readonly codeVerifier?: string
  /** Milliseconds since 1970. */
  readonly savedAt?: number
  readonly dfrId?: string
  /**
   * The fingerprint is not ready yet. If the page is gone before it is, the next page takes it again.
   */
  readonly awaits?: FingerprintRequest
  /** The page that opened the pop-up waits for its result. */
  readonly isInPopup?: boolean
}

/** As in `fetchIntelligence`. */
export interface FingerprintRequest {
  readonly params?: Readonly<Record<string, unknown>> | undefined
  readonly updateInfo?: UpdateInfo | undefined
}

export interface PendingSignIns {
  /** The last sign-in of this page, else the newest one of any page of this origin. */
  last(): PendingSignIn | undefined
  of(transactionId: string): PendingSignIn | undefined
  /** Stores a sign-in as the last one, or updates it. */
  save(signIn: PendingSignIn): void
  /** Adds the fingerprint to a sign-in that is still in progress. The order does not change. */
  addFingerprint(transactionId: string, dfrId: string): void
  forget(transactionId: string): void
}

/** So many pages of an origin can sign in at the same time. */
const maxPending = 5
/** No sign-in takes longer. */
const lifetimeMs = 86_400_000

/** Sign-ins of one app. */
export function pendingSignIns(storage: PersistentStorage, appId: string): PendingSignIns {
  const name = `signIns.${appId}`
  let lastHere: string | undefined
  const all = () => read(storage.get(name))
  const of = (transactionId: string) => all().find((signIn) => signIn.transactionId === transactionId)
  const others = (transactionId: string) => all().filter((signIn) => signIn.transactionId !== transactionId)

  return {
    last: () => (lastHere === undefined ? all()[0] : of(lastHere)),
    of,
    save(signIn) {
      const { transactionId } = signIn
      lastHere = transactionId
      const all = [{ ...of(transactionId), ...signIn, savedAt: Date.now() }, ...others(transactionId)]
      storage.set(name, JSON.stringify(all.slice(0, maxPending)))
    },
    addFingerprint(transactionId, dfrId) {
      if (!of(transactionId)) return
      const signIns = all().map(({ awaits, ...signIn }) => ({
        ...signIn,
        ...(signIn.transactionId === transactionId ? { dfrId } : awaits && { awaits }),
      }))
      storage.set(name, JSON.stringify(signIns))
    },
    forget(transactionId) {
      if (lastHere === transactionId) lastHere = undefined
      const left = others(transactionId)
      storage.set(name, left.length === 0 ? undefined : JSON.stringify(left))
    },
  }
}

function read(text: string | undefined): PendingSignIn[] {
  try {
    const signIns: unknown = JSON.parse(text ?? '[]')
    if (!Array.isArray(signIns)) return []
    return signIns.filter(
      (signIn) => typeof signIn?.transactionId === 'string' && Date.now() - signIn.savedAt < lifetimeMs,
    )
  } catch {
    return [] // the page's own value, or a damaged one
  }
}
