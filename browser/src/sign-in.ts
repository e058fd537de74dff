// How does a person sign in? start, resend, verify, status, with the device's facts beside them. (specification 4.7, rule 5)

import { collectPlainFacts } from './collect/collect.ts'
import { messageOf, RingfenceError } from './error.ts'
import type { Intelligence, UpdateInfo } from './fingerprint.ts'
import type { Ask } from './http.ts'
import type { PendingSignIn, PendingSignIns } from './pending-sign-in.ts'
import type { Sessions } from './session.ts'
import type { SignedInUser, SignInStartRequest, SignInStatus, SignInTransaction, WebFacts } from './wire.ts'

export interface SignInRequest extends Omit<SignInStartRequest, 'facts' | 'dfrId'> {
  /** Of the fingerprint, where `deviceFingerprintMode` asks for one; as for `fetchIntelligence`. */
  params?: Readonly<Record<string, unknown>>
  updateInfo?: UpdateInfo
}

export interface Verification {
  /** OTP: the digits of the message. */
  otp?: string
  /** OAUTH, MAGIC_LINK: `ringfence_code` of the address; `completeReturn` reads it by itself. */
  code?: string
  /** The sign-in that was started last, when it is left out. */
  transactionId?: string
}

export interface SignInCalls {
  start(request: SignInRequest): Promise<SignInTransaction>
  resend(transactionId?: string): Promise<SignInTransaction>
  verify(verification: Verification): Promise<SignedInUser>
  status(transactionId?: string): Promise<SignInStatus>
}

export interface SignInParts {
  readonly ask: Ask
  readonly sessions: Sessions
  readonly pending: PendingSignIns
  readonly collect: Readonly<Record<string, boolean>>
  /** Throws when the collector is missing, not initialised, or fails. */
  fingerprint(params: Readonly<Record<string, unknown>>, updateInfo?: UpdateInfo): Promise<Intelligence>
  /** A fingerprint is waited for no longer than this many milliseconds: SYNC must not block. */
  readonly fingerprintLimitMs: number
  readonly plainFactLimitMs: number
  started(transaction: SignInTransaction): void
  signedIn(user: SignedInUser): void
  warn(message: string): void
}

export function signInCalls(parts: SignInParts): SignInCalls {
  const { ask, sessions, pending } = parts

  function call<Answer>(name: string, body: object): Promise<Answer> {
    return sessions.run(async ({ headers }) => (await ask<Answer>(`/sdk/v1/auth/${name}`, headers, body)).body)
  }

  async function plainFacts(): Promise<WebFacts> {
    const { collect } = await sessions.current()
    return collectPlainFacts({
      context: { deviceToken: undefined },
      switches: [collect, parts.collect],
      limitMs: parts.plainFactLimitMs,
    })
  }

  /** Never fails: without a dfrId the sign-in goes on, and the log says why. */
  async function fingerprint({ params = {}, updateInfo }: SignInRequest): Promise<string | undefined> {
    let timer: ReturnType<typeof setTimeout> | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error('it took too long')), parts.fingerprintLimitMs)
    })
    try {
      return (await Promise.race([parts.fingerprint(params, updateInfo), late])).dfrId
    } catch (error) {
      parts.warn(`The sign-in goes on without a device fingerprint: ${messageOf(error)}`)
      return undefined
    } finally {
      clearTimeout(timer)
    }
  }

  function known(transactionId: string | undefined): PendingSignIn {
    if (transactionId !== undefined) return pending.of(transactionId) ?? { transactionId }
    const last = pending.last()
    if (!last) throw new RingfenceError('noSignIn', 'No sign-in of this browser is under way: call signIn.start first')
    return last
  }

  function signedIn(transactionId: string, user: SignedInUser): SignedInUser {
    pending.forget(transactionId)
    parts.signedIn(user)
    return user
  }

  return {
    async start(request) {
      const { params: _, updateInfo: __, ...asked } = request
      const mode = request.deviceFingerprintMode ?? 'NONE'
      const beside = mode === 'ASYNC' ? fingerprint(request) : undefined
      const dfrId = mode === 'SYNC' ? await fingerprint(request) : undefined
      const facts = await plainFacts()
      const transaction = await call<SignInTransaction>('start', { ...asked, facts, ...(dfrId && { dfrId }) })
      const { transactionId } = transaction
      pending.keep({ transactionId })
      // Sent with verify, when it is there by then.
      beside?.then((later) => later && pending.fingerprinted(transactionId, later))
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
      const told = await call<SignInStatus>('status', { transactionId })
      if (told.user) signedIn(transactionId, told.user)
      return told
    },
  }
}

const defined = (fields: Record<string, string | undefined>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
