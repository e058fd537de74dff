// How does a person sign in? start and verify also send device facts. (specification 4.7, rule 5)

import { collectPlainFacts } from './collect/collect.ts'
import { messageOf, RingfenceError } from './error.ts'
import type { Intelligence, UpdateInfo } from './fingerprint.ts'
import type { Send } from './http.ts'
import type { FingerprintRequest, PendingSignIn, PendingSignIns } from './pending-sign-in.ts'
import type { Sessions } from './session.ts'
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

export interface SignInParts {
  readonly send: Send
  readonly sessions: Sessions
  readonly pending: PendingSignIns
  readonly collect: Readonly<Record<string, boolean>>
  /** Throws if the SDK is not initialised or the fingerprint fails. */
  fingerprint(params: Readonly<Record<string, unknown>>, updateInfo?: UpdateInfo): Promise<Intelligence>
  /**
   * A sign-in waits at most this many milliseconds for a fingerprint, which must not block it.
   */
  readonly fingerprintLimitMs: number
  readonly plainFactLimitMs: number
  /** How long a phone may take to be verified without a message. */
  readonly silentLimitMs: number
  started(transaction: SignInTransaction): void
  signedIn(user: SignedInUser): void
  warn(message: string): void
}

/**
 * `verify` and `status` wait so long for an ASYNC fingerprint that is still in progress. Collecting
 * facts takes 3 s at most.
 */
const lateLimitMs = 5_000

export function signInCalls(parts: SignInParts): SignInSteps {
  const { send, sessions, pending } = parts
  const asyncLimitMs = Math.min(parts.fingerprintLimitMs, lateLimitMs)
  /** ASYNC fingerprints of this page, by transaction. */
  const started = new Map<string, Promise<string | undefined>>()
  /** Transactions whose fingerprint was late once: no other call waits for it. */
  const late = new Set<string>()

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
  async function fingerprint({ params = {}, updateInfo }: FingerprintRequest): Promise<string | undefined> {
    try {
      return (await parts.fingerprint(params, updateInfo)).dfrId
    } catch (error) {
      warn(messageOf(error))
      return undefined
    }
  }

  const warn = (reason: string) => parts.warn(`Signing in without a device fingerprint: ${reason}`)

  /** Undefined if it takes too long. */
  async function within<Value>(limitMs: number, work: Promise<Value>): Promise<Value | 'late'> {
    let timer: ReturnType<typeof setTimeout> | undefined
    const end = new Promise<'late'>((resolve) => {
      timer = setTimeout(() => resolve('late'), limitMs)
    })
    return Promise.race([work, end]).finally(() => clearTimeout(timer))
  }

  /** The dfrId is stored, so that any page of this browser can send it. */
  function track(transactionId: string, taken: Promise<string | undefined>): Promise<string | undefined> {
    started.set(transactionId, taken)
    taken.then((dfrId) => dfrId && pending.addFingerprint(transactionId, dfrId))
    return taken
  }

  /** False if it is late. */
  async function isFingerprinted(transactionId: string, limitMs: number): Promise<boolean> {
    const awaits = pending.of(transactionId)?.awaits
    if (!awaits) return true
    const taken = started.get(transactionId) ?? track(transactionId, fingerprint(awaits))
    return (await within(limitMs, taken)) !== 'late'
  }

  /** For the calls that may complete the sign-in. */
  async function withFingerprint(transactionId: string): Promise<void> {
    if (late.has(transactionId) || (await isFingerprinted(transactionId, asyncLimitMs))) return
    late.add(transactionId)
    warn(`it took longer than ${asyncLimitMs} ms`)
  }

  async function fingerprintAtOnce(request: SignInRequest): Promise<string | undefined> {
    const taken = await within(parts.fingerprintLimitMs, fingerprint(request))
    if (taken !== 'late') return taken
    warn(`it took longer than ${parts.fingerprintLimitMs} ms`)
    return undefined
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
    started.delete(transactionId)
    parts.signedIn(user)
    return user
  }

  /** What a start sends of the device. A second start of the same sign-in sends the same. */
  interface Described {
    readonly facts: WebFacts
    readonly dfrId: string | undefined
    readonly later: Promise<string | undefined> | undefined
  }

  async function describe(request: SignInRequest): Promise<Described> {
    const mode = request.deviceFingerprintMode ?? 'NONE'
    const later = mode === 'ASYNC' ? fingerprint(request) : undefined
    const dfrId = mode === 'SYNC' ? await fingerprintAtOnce(request) : undefined
    return { facts: await plainFacts(), dfrId, later }
  }

  async function begin(request: SignInRequest, { facts, dfrId, later }: Described): Promise<SignInTransaction> {
    const { params, updateInfo, ...fields } = request
    const transaction = await call<SignInTransaction>('start', { ...fields, facts, ...(dfrId && { dfrId }) })
    const { transactionId } = transaction
    pending.save({
      transactionId,
      ...(later && { awaits: { ...(params && { params }), ...(updateInfo && { updateInfo }) } }),
    })
    if (later) track(transactionId, later)
    parts.started(transaction)
    return transaction
  }

  /** Returns the user, or why the phone was not verified. */
  async function verifySilently({
    transactionId,
    authorizationUrl,
  }: SignInTransaction): Promise<SignedInUser | string> {
    const { code, error = 'timeout' } = await openSilently(authorizationUrl as string, parts.silentLimitMs)
    if (code === undefined) return error
    try {
      return await verify({ code, transactionId })
    } catch (refusal) {
      if (refusal instanceof RingfenceError && refusal.code === 'refused') return refusal.errorCode ?? refusal.code
      throw refusal
    }
  }

  async function verify({ otp, code, transactionId: given }: Verification): Promise<SignedInUser> {
    const { transactionId } = known(given)
    const [facts] = await Promise.all([plainFacts(), withFingerprint(transactionId)])
    const { dfrId } = known(transactionId)
    const body = { transactionId, ...defined({ otp, code, dfrId }), facts }
    return signedIn(transactionId, await call<SignedInUser>('verify', body))
  }

  return {
    async start(request) {
      const described = await describe(request)
      const transaction = await begin(request, described)
      // With a redirectUrl, the page itself goes there.
      if (transaction.channel !== 'SILENT' || request.redirectUrl !== undefined) return transaction
      const result = await verifySilently(transaction)
      if (typeof result !== 'string') return { ...transaction, user: result }
      pending.forget(transaction.transactionId)
      if (transaction.fallback === undefined) {
        throw new RingfenceError('refused', `The phone was not verified: ${result}`, { errorCode: result })
      }
      return { ...(await begin({ ...request, channel: transaction.fallback }, described)), silentError: result }
    },
    async resend(transactionId) {
      return call<SignInTransaction>('resend', { transactionId: known(transactionId).transactionId })
    },
    verify,
    async status(given) {
      const { transactionId } = known(given)
      await withFingerprint(transactionId)
      const { dfrId } = known(transactionId)
      const answer = await call<SignInStatus>('status', { transactionId, ...defined({ dfrId }) })
      if (answer.user) signedIn(transactionId, answer.user)
      return answer
    },
    async fingerprinted(transactionId, limitMs) {
      await isFingerprinted(transactionId, limitMs)
    },
  }
}

const defined = (fields: Record<string, string | undefined>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
