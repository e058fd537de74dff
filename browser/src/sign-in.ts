// How does a person sign in? start and verify also send device facts. (specification 4.7, rule 5)

import { collectPlainFacts } from './collect/collect.ts'
import { RingfenceError } from './error.ts'
import type { UpdateInfo } from './fingerprint.ts'
import type { Send } from './http.ts'
import type { PendingSignIn } from './pending-sign-in.ts'
import type { Sessions } from './session.ts'
import { type FingerprintingParts, SignInFingerprints } from './sign-in-fingerprints.ts'
import { openSilently } from './silent.ts'
import type { SignedInUser, SignInStartRequest, SignInStatus, SignInTransaction, WebFacts } from './wire.ts'

export interface SignInRequest extends Omit<SignInStartRequest, 'facts' | 'dfrId'> {
  /**
   * For the fingerprint, if `deviceFingerprintMode` is ASYNC or SYNC; as in `fetchIntelligence`.
   */
  params?: Readonly<Record<string, unknown>>
  updateInfo?: UpdateInfo
}

export interface StartedSignIn extends SignInTransaction {
  /** SILENT: the person has signed in. Absent: an OTP was sent in its place, if `channel` is OTP. */
  user?: SignedInUser
  /** SILENT, with an OTP in its place: why the phone was not verified, `not_on_mobile_network` for example. */
  silentError?: string
}

export interface Verification {
  /** OTP: the digits of the message. */
  otp?: string
  /** OAUTH, MAGIC_LINK: `ringfence_code` in the URL. `completeReturn` reads it for you, and SILENT needs no call. */
  code?: string
  /** Default: the sign-in that was started last. */
  transactionId?: string
}

export interface SignInCalls {
  /**
   * OTP, MAGIC_LINK: sends a message. SILENT: lets the network verify the phone, and returns the `user`; otherwise starts an OTP,
   * unless the app's setting `silentFallback` is NONE.
   */
  start(request: SignInRequest): Promise<StartedSignIn>
  resend(transactionId?: string): Promise<SignInTransaction>
  verify(verification: Verification): Promise<SignedInUser>
  status(transactionId?: string): Promise<SignInStatus>
}

/** What the pages to which a person returns need beside the calls. */
export interface SignInSteps extends SignInCalls {
  /**
   * Waits for the fingerprint of an ASYNC sign-in, at most `limitMs`. If the page that started it is
   * gone, this page takes it again. Never fails.
   */
  fingerprinted(transactionId: string, limitMs: number): Promise<void>
}

export interface SignInParts extends FingerprintingParts {
  readonly send: Send
  readonly sessions: Sessions
  readonly collect: Readonly<Record<string, boolean>>
  /** How long a phone may take to be verified without a message. */
  readonly silentLimitMs: number
  started(transaction: SignInTransaction): void
  signedIn(user: SignedInUser): void
}

/** A sign-in waits so long for the facts that the browser answers at once. */
const plainFactLimitMs = 100

/** What a start sends of the device. A second start of the same sign-in sends the same. */
interface Described {
  readonly facts: WebFacts
  readonly dfrId: string | undefined
  readonly later: Promise<string | undefined> | undefined
}

export class SignIn implements SignInSteps {
  readonly #parts: SignInParts
  readonly #fingerprints: SignInFingerprints

  constructor(parts: SignInParts) {
    this.#parts = parts
    this.#fingerprints = new SignInFingerprints(parts)
  }

  async start(request: SignInRequest): Promise<StartedSignIn> {
    const described = await this.#describe(request)
    const transaction = await this.#begin(request, described)
    // With a redirectUrl, the page itself goes there.
    if (transaction.channel !== 'SILENT' || request.redirectUrl !== undefined) return transaction
    const result = await this.#verifySilently(transaction)
    if (typeof result !== 'string') return { ...transaction, user: result }
    this.#parts.pending.forget(transaction.transactionId)
    if (transaction.fallback === undefined) {
      throw new RingfenceError('refused', `The phone was not verified: ${result}`, { errorCode: result })
    }
    return { ...(await this.#begin({ ...request, channel: transaction.fallback }, described)), silentError: result }
  }

  async resend(transactionId?: string): Promise<SignInTransaction> {
    return call(this.#parts, 'resend', { transactionId: known(this.#parts, transactionId).transactionId })
  }

  async verify({ otp, code, transactionId: given }: Verification): Promise<SignedInUser> {
    const { transactionId } = known(this.#parts, given)
    const [facts] = await Promise.all([plainFacts(this.#parts), this.#fingerprints.awaited(transactionId)])
    const { dfrId } = known(this.#parts, transactionId)
    const body = { transactionId, otp, code, dfrId, facts }
    return this.#signedIn(transactionId, await call(this.#parts, 'verify', body))
  }

  async status(given?: string): Promise<SignInStatus> {
    const { transactionId } = known(this.#parts, given)
    await this.#fingerprints.awaited(transactionId)
    const { dfrId } = known(this.#parts, transactionId)
    const answer = await call<SignInStatus>(this.#parts, 'status', { transactionId, dfrId })
    if (answer.user) this.#signedIn(transactionId, answer.user)
    return answer
  }

  async fingerprinted(transactionId: string, limitMs: number): Promise<void> {
    await this.#fingerprints.isTaken(transactionId, limitMs)
  }

  #signedIn(transactionId: string, user: SignedInUser): SignedInUser {
    this.#parts.pending.forget(transactionId)
    this.#fingerprints.forget(transactionId)
    this.#parts.signedIn(user)
    return user
  }

  async #describe(request: SignInRequest): Promise<Described> {
    const mode = request.deviceFingerprintMode ?? 'NONE'
    const later = mode === 'ASYNC' ? this.#fingerprints.take(request) : undefined
    const dfrId = mode === 'SYNC' ? await this.#fingerprints.takeAtOnce(request) : undefined
    return { facts: await plainFacts(this.#parts), dfrId, later }
  }

  async #begin(request: SignInRequest, { facts, dfrId, later }: Described): Promise<SignInTransaction> {
    const { params, updateInfo, ...fields } = request
    const transaction = await call<SignInTransaction>(this.#parts, 'start', {
      ...fields,
      facts,
      ...(dfrId && { dfrId }),
    })
    const { transactionId } = transaction
    this.#parts.pending.save({
      transactionId,
      ...(later && { awaits: { params, updateInfo } }),
    })
    if (later) this.#fingerprints.track(transactionId, later)
    this.#parts.started(transaction)
    return transaction
  }

  /** Returns the user, or why the phone was not verified. */
  async #verifySilently({ transactionId, authorizationUrl }: SignInTransaction): Promise<SignedInUser | string> {
    const { code, error = 'timeout' } = await openSilently(authorizationUrl as string, this.#parts.silentLimitMs)
    if (code === undefined) return error
    try {
      return await this.verify({ code, transactionId })
    } catch (refusal) {
      if (refusal instanceof RingfenceError && refusal.code === 'refused') return refusal.errorCode ?? refusal.code
      throw refusal
    }
  }
}

function call<Answer>({ sessions, send }: SignInParts, name: string, body: object): Promise<Answer> {
  return sessions.run(async ({ headers }) => (await send<Answer>(`/sdk/v1/auth/${name}`, headers, body)).body)
}

async function plainFacts({ sessions, collect }: SignInParts): Promise<WebFacts> {
  const { collect: ofApp } = await sessions.current()
  return collectPlainFacts({
    context: { deviceToken: undefined },
    switches: [ofApp, collect],
    limitMs: plainFactLimitMs,
  })
}

function known({ pending }: SignInParts, transactionId: string | undefined): PendingSignIn {
  if (transactionId !== undefined) return pending.of(transactionId) ?? { transactionId }
  const last = pending.last()
  if (!last) throw new RingfenceError('noSignIn', 'No sign-in is in progress in this browser. Call signIn.start first')
  return last
}
