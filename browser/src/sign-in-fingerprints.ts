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

export class SignInFingerprints {
  readonly #parts: FingerprintingParts
  /** ASYNC fingerprints of this page, by transaction. */
  readonly #started = new Map<string, Promise<string | undefined>>()
  /** Transactions whose fingerprint was late once: no other call waits for it. */
  readonly #late = new Set<string>()

  constructor(parts: FingerprintingParts) {
    this.#parts = parts
  }

  /** Never fails. Without a dfrId the sign-in continues, and the warning says why. */
  async take({ params = {}, updateInfo }: FingerprintRequest): Promise<string | undefined> {
    try {
      return (await this.#parts.fingerprint(params, updateInfo)).dfrId
    } catch (error) {
      this.#warn(messageOf(error))
      return undefined
    }
  }

  async takeAtOnce(request: FingerprintRequest): Promise<string | undefined> {
    const { fingerprintLimitMs } = this.#parts
    const taken = await within(fingerprintLimitMs, this.take(request))
    if (taken !== 'late') return taken
    this.#warn(`it took longer than ${fingerprintLimitMs} ms`)
    return undefined
  }

  /** The dfrId is stored, so that any page of this browser can send it. */
  track(transactionId: string, taken: Promise<string | undefined>): Promise<string | undefined> {
    this.#started.set(transactionId, taken)
    taken.then((dfrId) => dfrId && this.#parts.pending.addFingerprint(transactionId, dfrId))
    return taken
  }

  /** False if it is late. A page that did not start the sign-in takes it again. */
  async isTaken(transactionId: string, limitMs: number): Promise<boolean> {
    const awaits = this.#parts.pending.of(transactionId)?.awaits
    if (!awaits) return true
    const taken = this.#started.get(transactionId) ?? this.track(transactionId, this.take(awaits))
    return (await within(limitMs, taken)) !== 'late'
  }

  /** For the calls that may complete the sign-in. */
  async awaited(transactionId: string): Promise<void> {
    const limitMs = Math.min(this.#parts.fingerprintLimitMs, lateLimitMs)
    if (this.#late.has(transactionId) || (await this.isTaken(transactionId, limitMs))) return
    this.#late.add(transactionId)
    this.#warn(`it took longer than ${limitMs} ms`)
  }

  forget(transactionId: string): void {
    this.#started.delete(transactionId)
  }

  #warn(reason: string): void {
    this.#parts.warn(`Signing in without a device fingerprint: ${reason}`)
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
