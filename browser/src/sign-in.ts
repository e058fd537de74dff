// How does a person sign in? start and verify also send device facts. (specification 4.7, rule 5)

import { collectPlainFacts } from './collect/collect.ts'
import { messageOf, RingfenceError } from './error.ts'
import type { Intelligence, UpdateInfo } from './fingerprint.ts'
import type { Send } from './http.ts'
import type { PendingSignIn, PendingSignIns } from './pending-sign-in.ts'
import type { Sessions } from './session.ts'
import type { SignedInUser, SignInStartRequest, SignInStatus, SignInTransaction, WebFacts } from './wire.ts'

export interface SignInRequest extends Omit<SignInStartRequest, 'facts' | 'dfrId'> {
  /**
   * For the fingerprint, if `deviceFingerprintMode` is ASYNC or SYNC; as in `fetchIntelligence`.
   */
  params?: Readonly<Record<string, unknown>>
  updateInfo?: UpdateInfo
}

export interface Verification {
  /** OTP: the digits of the message. */
  otp?: string
  /** OAUTH, MAGIC_LINK: `ringfence_code` in the URL. `completeReturn` reads it for you. */
  code?: string
  /** Default: the sign-in that was started last. */
  transactionId?: string
}

export interface SignInCalls {
  start(request: SignInRequest): Promise<SignInTransaction>
  resend(transactionId?: string): Promise<SignInTransaction>
  verify(verification: Verification): Promise<SignedInUser>
  status(transactionId?: string): Promise<SignInStatus>
}

export interface SignInParts {
  readonly send: Send
  readonly sessions: Sessions
  readonly pending: PendingSignIns
  readonly collect: Readonly<Record<string, boolean>>
  /** Throws if the SDK is not initialised or the fingerprint fails. */
  fingerprint(params: Readonly<Record<string, unknown>>, updateInfo?: UpdateInfo): Promise<Intelligence>
  /**
   * A sign-in waits at most this many milliseconds for a fingerprint, because SYNC must not block
   * it.
   */
  readonly fingerprintLimitMs: number
  readonly plainFactLimitMs: number
  started(transaction: SignInTransaction): void
  signedIn(user: SignedInUser): void
  warn(message: string): void
}

export function signInCalls(parts: SignInParts): SignInCalls {
  const { send, sessions, pending } = parts

  function call<Answer>(name: string, body: object): Promise<Answer> {
    return sessions.run(async ({ headers }) => (await send<Answer>(`/sdk/v1/auth/${name}`, headers, body)).body)
  }

  async function plainFacts(): Promise<WebFacts> {
    const { collect } = await sessions.current()
    return collectPlainFacts({
      context: { deviceToken: undefined },
      switches: [collect, parts.collect],
      limitMs: parts.plainFactLimitMs,
    })
  }

  /** Never fails. Without a dfrId the sign-in continues, and the warning says why. */
  async function fingerprint({ params = {}, updateInfo }: SignInRequest): Promise<string | undefined> {
    let timer: ReturnType<typeof setTimeout> | undefined
    const late = new Promise<never>((_, reject) => {
      const message = `it took longer than ${parts.fingerprintLimitMs} ms`
      timer = setTimeout(() => reject(new Error(message)), parts.fingerprintLimitMs)
    })
    try {
      return (await Promise.race([parts.fingerprint(params, updateInfo), late])).dfrId
    } catch (error) {
      parts.warn(`Signing in without a device fingerprint: ${messageOf(error)}`)
      return undefined
    } finally {
      clearTimeout(timer)
    }
  }

  function known(transactionId: string | undefined): PendingSignIn {
    if (transactionId !== undefined) return pending.of(transactionId) ?? { transactionId }
    const last = pending.last()
    if (!last)
      throw new RingfenceError('noSignIn', 'No sign-in is in progress in this browser. Call signIn.start first')
    return last
  }

  function signedIn(transactionId: string, user: SignedInUser): SignedInUser {
    pending.forget(transactionId)
    parts.signedIn(user)
    return user
  }

  return {
    async start(request) {
      const { params: _, updateInfo: __, ...fields } = request
      const mode = request.deviceFingerprintMode ?? 'NONE'
      const later = mode === 'ASYNC' ? fingerprint(request) : undefined
      const dfrId = mode === 'SYNC' ? await fingerprint(request) : undefined
      const facts = await plainFacts()
      const transaction = await call<SignInTransaction>('start', { ...fields, facts, ...(dfrId && { dfrId }) })
      const { transactionId } = transaction
      pending.save({ transactionId })
      // verify sends it, if it is ready by then
      later?.then((id) => id && pending.addFingerprint(transactionId, id))
      parts.started(transaction)
      return transaction
    },
    async resend(transactionId) {
      return call<SignInTransaction>('resend', { transactionId: known(transactionId).transactionId })
    },
    async verify({ otp, code, transactionId: given }) {
      const { transactionId } = known(given)
      const facts = await plainFacts()
      const { dfrId } = known(transactionId)
      const body = { transactionId, ...defined({ otp, code, dfrId }), facts }
      return signedIn(transactionId, await call<SignedInUser>('verify', body))
    },
    async status(given) {
      const { transactionId } = known(given)
      const answer = await call<SignInStatus>('status', { transactionId })
      if (answer.user) signedIn(transactionId, answer.user)
      return answer
    },
  }
}

const defined = (fields: Record<string, string | undefined>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
