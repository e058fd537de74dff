// How does a person sign in? start and verify also send device facts. (specification 4.7, rule 5)

import { newCodeVerifier } from './code-verifier.ts'
import { collectPlainFacts } from './collect/collect.ts'
import { RingfenceError } from './error.ts'
import type { UpdateInfo } from './fingerprint.ts'
import type { Send } from './http.ts'
import type { PendingSignIn, PendingSignIns } from './pending-sign-in.ts'
import type { Sessions } from './session.ts'
import { type FingerprintingParts, signInFingerprints } from './sign-in-fingerprints.ts'
import { openSilently } from './silent.ts'
import type { SignedInUser, SignInStartRequest, SignInStatus, SignInTransaction, WebFacts } from './wire.ts'

export interface SignInRequest extends Omit<SignInStartRequest, 'facts' | 'dfrId' | 'codeChallenge'> {
  /** With `redirectUrl`, if your backend exchanges the code: that of its code verifier, or `undefined` for a backend without one. Default: of the SDK's own. */
  codeChallenge?: string | undefined
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

export function signInSteps(parts: SignInParts): SignInSteps {
  const { send, sessions, collect, pending, started, silentLimitMs } = parts
  const fingerprints = signInFingerprints(parts)
  /** The same until a person has signed in, because a repeated start is the same sign-in. */
  let verifier: ReturnType<typeof newCodeVerifier> | undefined

  const call = <Answer>(name: string, body: object): Promise<Answer> =>
    sessions.run(async ({ headers }) => (await send<Answer>(`/sdk/v1/auth/${name}`, headers, body)).body)

  async function plainFacts(): Promise<WebFacts> {
    const switches = [(await sessions.current()).collect, collect]
    return collectPlainFacts({ context: { deviceToken: undefined }, switches, limitMs: plainFactLimitMs })
  }

  function signedIn(transactionId: string, user: SignedInUser): SignedInUser {
    pending.forget(transactionId)
    fingerprints.forget(transactionId)
    verifier = undefined
    parts.signedIn(user)
    return user
  }

  async function describe(request: SignInRequest): Promise<Described> {
    const mode = request.deviceFingerprintMode
    const later = mode === 'ASYNC' ? fingerprints.take(request) : undefined
    const dfrId = mode === 'SYNC' ? await fingerprints.takeAtOnce(request) : undefined
    return { facts: await plainFacts(), dfrId, later }
  }

  /** Without a redirectUrl no backend gets a code, so this page must be able to finish. */
  async function challengeFor(
    request: SignInRequest,
  ): Promise<{ codeVerifier?: string; codeChallenge?: string | undefined }> {
    if ('codeChallenge' in request && request.redirectUrl !== undefined) return { codeChallenge: request.codeChallenge }
    verifier ??= newCodeVerifier().catch((error) => {
      verifier = undefined // the next start tries again
      throw error
    })
    return (await verifier) ?? {}
  }

  async function begin(request: SignInRequest, { facts, dfrId, later }: Described): Promise<SignInTransaction> {
    const { params, updateInfo, ...fields } = request
    const { codeVerifier, codeChallenge } = await challengeFor(request)
    const body = { ...fields, codeChallenge, facts, ...(dfrId && { dfrId }) }
    const transaction = await call<SignInTransaction>('start', body)
    const { transactionId } = transaction
    pending.save({
      transactionId,
      ...(codeVerifier && { codeVerifier }),
      ...(later && { awaits: { params, updateInfo } }),
    })
    if (later) fingerprints.track(transactionId, later)
    started(transaction)
    return transaction
  }

  async function verify({ otp, code, transactionId: given }: Verification): Promise<SignedInUser> {
    const { transactionId } = known(pending, given)
    const [facts] = await Promise.all([plainFacts(), fingerprints.awaited(transactionId)])
    const { dfrId, codeVerifier } = known(pending, transactionId)
    const proof = code === undefined ? { otp } : { otp, code, codeVerifier }
    return signedIn(transactionId, await call('verify', { transactionId, ...proof, dfrId, facts }))
  }

  return {
    async start(request) {
      const described = await describe(request)
      const transaction = await begin(request, described)
      // With a redirectUrl, the page itself goes there.
      if (transaction.channel !== 'SILENT' || request.redirectUrl !== undefined) return transaction
      const result = await verifySilently(transaction, verify, silentLimitMs)
      if (typeof result !== 'string') return { ...transaction, user: result }
      pending.forget(transaction.transactionId)
      if (transaction.fallback === undefined) {
        throw new RingfenceError('refused', `The phone was not verified: ${result}`, { errorCode: result })
      }
      return { ...(await begin({ ...request, channel: transaction.fallback }, described)), silentError: result }
    },
    resend: async (given) => call('resend', { transactionId: known(pending, given).transactionId }),
    verify,
    async status(given) {
      const { transactionId } = known(pending, given)
      await fingerprints.awaited(transactionId)
      const { dfrId } = known(pending, transactionId)
      const answer = await call<SignInStatus>('status', { transactionId, dfrId })
      if (answer.user) signedIn(transactionId, answer.user)
      return answer
    },
    fingerprinted: async (transactionId, limitMs) => {
      await fingerprints.isTaken(transactionId, limitMs)
    },
  }
}

/** Otherwise an attacker could sign the person in to the attacker's account. */
export function known({ of, last }: PendingSignIns, transactionId: string | undefined): PendingSignIn {
  const signIn = transactionId === undefined ? last() : of(transactionId)
  if (signIn) return signIn
  throw new RingfenceError('noSignIn', 'This sign-in was not started in this browser. Call signIn.start first')
}

/** Returns the user, or why the phone was not verified. */
async function verifySilently(
  { transactionId, authorizationUrl }: SignInTransaction,
  verify: SignInCalls['verify'],
  limitMs: number,
): Promise<SignedInUser | string> {
  const { code, error = 'timeout' } = await openSilently(authorizationUrl as string, limitMs)
  if (code === undefined) return error
  try {
    return await verify({ code, transactionId })
  } catch (refusal) {
    if (refusal instanceof RingfenceError && refusal.code === 'refused') return refusal.errorCode ?? refusal.code
    throw refusal
  }
}
