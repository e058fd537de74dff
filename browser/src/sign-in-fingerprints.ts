// Which device fingerprint does a sign-in send? SYNC waits for one; ASYNC takes one meanwhile. None of them stops a sign-in.

import { messageOf } from './error.ts'
import type { Intelligence, UpdateInfo } from './fingerprint.ts'
import type { FingerprintRequest, PendingSignIns } from './pending-sign-in.ts'

export interface FingerprintingParts {
  readonly pending: PendingSignIns
  /** Throws if the SDK is not initialised or the fingerprint fails. */
  fingerprint(params: Readonly<Record<string, unknown>>, updateInfo?: UpdateInfo): Promise<Intelligence>
  /**
   * A sign-in waits at most this many milliseconds for a fingerprint, which must not block it.
   */
  readonly fingerprintLimitMs: number
  warn(message: string): void
}

/**
 * `verify` and `status` wait so long for an ASYNC fingerprint that is still in progress. Collecting
 * facts takes 3 s at most.
 */
const lateLimitMs = 5_000

export interface SignInFingerprints {
  /** Never fails. Without a dfrId the sign-in continues, and the warning says why. */
  take(request: FingerprintRequest): Promise<string | undefined>
  takeAtOnce(request: FingerprintRequest): Promise<string | undefined>
  /** The dfrId is stored, so that any page of this browser can send it. */
  track(transactionId: string, taken: Promise<string | undefined>): Promise<string | undefined>
  /** False if it is late. A page that did not start the sign-in takes it again. */
  isTaken(transactionId: string, limitMs: number): Promise<boolean>
  /** For the calls that may complete the sign-in. */
  awaited(transactionId: string): Promise<void>
  forget(transactionId: string): void
}

export function signInFingerprints(parts: FingerprintingParts): SignInFingerprints {
  const { pending, fingerprint, fingerprintLimitMs } = parts
  /** ASYNC fingerprints of this page, by transaction. */
  const started = new Map<string, Promise<string | undefined>>()
  /** Transactions whose fingerprint was late once: no other call waits for it. */
  const late = new Set<string>()

  const warn = (reason: string) => parts.warn(`Signing in without a device fingerprint: ${reason}`)
  const warnLate = (limitMs: number) => warn(`it took longer than ${limitMs} ms`)

  async function take({ params = {}, updateInfo }: FingerprintRequest): Promise<string | undefined> {
    try {
      return (await fingerprint(params, updateInfo)).dfrId
    } catch (error) {
      warn(messageOf(error))
      return undefined
    }
  }

  function track(transactionId: string, taken: Promise<string | undefined>): Promise<string | undefined> {
    started.set(transactionId, taken)
    taken.then((dfrId) => dfrId && pending.addFingerprint(transactionId, dfrId))
    return taken
  }

  async function isTaken(transactionId: string, limitMs: number): Promise<boolean> {
    const awaits = pending.of(transactionId)?.awaits
    if (!awaits) return true
    const taken = started.get(transactionId) ?? track(transactionId, take(awaits))
    return (await within(limitMs, taken)) !== 'late'
  }

  return {
    take,
    track,
    isTaken,
    async takeAtOnce(request) {
      const taken = await within(fingerprintLimitMs, take(request))
      if (taken !== 'late') return taken
      warnLate(fingerprintLimitMs)
      return undefined
    },
    async awaited(transactionId) {
      const limitMs = Math.min(fingerprintLimitMs, lateLimitMs)
      if (late.has(transactionId) || (await isTaken(transactionId, limitMs))) return
      late.add(transactionId)
      warnLate(limitMs)
    },
    forget: (transactionId) => void started.delete(transactionId),
  }
}

/** `late` if it takes too long. */
async function within<Value>(limitMs: number, work: Promise<Value>): Promise<Value | 'late'> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const end = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), limitMs)
  })
  return Promise.race([work, end]).finally(() => clearTimeout(timer))
}
