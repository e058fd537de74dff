// Has the person proved who they are? With the OTP of the message, or with the code that they came back with.

import type { SignInVerifyRequest } from '@ringfence/contract'
import { Refusal } from '../../core/errors.ts'
import { codeOf } from '../../rules/reasons/reason.ts'
import { claimAttempt, findSignIn, returnAttempt, type SignInRecord } from '../store/sign-ins.ts'
import type { Proof } from './channel.ts'
import { completeSignIn, type SignedIn } from './complete.ts'
import { gateReasons } from './gate.ts'
import { compared } from './messages/gateway-code.ts'
import { hashOfOtp, isOtp } from './messages/otp.ts'
import { readCode } from './one-time-code.ts'
import type { SignInNeeds } from './room.ts'
import type { SignInContext } from './sign-in-context.ts'
import { failed, placeOf } from './sign-in-events.ts'
import { isCode, isVerifierOf, openProof, openSignIn, refuseUnlessOpen, type SignIn } from './transaction.ts'

/**
 * An attempt with an OTP is counted before it is checked. If several correct proofs arrive at once, one wins.
 * Refuses with signInOver, signInFailed, signInExpired, otpMissing, otpInvalid, codeMissing,
 * codeVerifierWrong, otpWrong, codeWrong, attemptsUsedUp.
 */
export async function verifyProof(
  signIn: SignIn,
  { otp, code, codeVerifier, facts, dfrId }: Omit<SignInVerifyRequest, 'transactionId'>,
  context: SignInContext,
  needs: SignInNeeds,
): Promise<SignedIn> {
  const device = { ...(facts && { facts }), ...(dfrId !== undefined && { dfrId }) }
  const { record, content } = signIn
  refuseUnlessOpen(shownOf(signIn, record), needs.clock.now())
  const shown = content.shownAs?.channel ?? record.channel
  const isReturned = code !== undefined && isCode(code, record.codeHash)
  // The telecom gate may have chosen another way than the page knows of, so the right proof of either message is accepted. A wrong one
  // depends on nothing that the page does not know.
  if (!isReturned && otp !== undefined && isOfMessage(shown)) {
    const proof = await proveByOtp(signIn, otp, needs)
    return completeSignIn({ signIn, from: 'open', proof, device }, context, needs)
  }
  if (!isReturned && shown === 'OTP') throw new Refusal('otpMissing')
  if (code === undefined) throw new Refusal('codeMissing')
  refuseOthers(signIn, codeVerifier)
  // Nobody guesses a code, so it costs no attempt: whoever saw the URL could open it with wrong ones in the owner's app.
  if (!isReturned) throw new Refusal('codeWrong', { reasons: reasonsOf(signIn) })
  const keys = await needs.tenantKeyring.keysOf(record.tenantId)
  return completeSignIn({ signIn, from: 'proved', proof: openProof(keys, record), device }, context, needs)
}

const isOfMessage = (channel: string) => channel === 'OTP' || channel === 'MAGIC_LINK'

function refuseOthers(signIn: SignIn, codeVerifier: string | undefined): void {
  if (isStarter(signIn, codeVerifier)) return
  throw new Refusal('codeVerifierWrong', { mistake: signIn.content.codeChallenge === undefined ? unbound : ofAnother })
}

/** A URL passes other apps, histories and logs, so its code alone signs nobody in. */
const isStarter = ({ content: { codeChallenge, redirectUrl } }: SignIn, codeVerifier: string | undefined): boolean =>
  isVerifierOf(codeChallenge, codeVerifier) && !(redirectUrl !== undefined && codeChallenge === undefined)

const ofAnother =
  'must be the one whose codeChallenge the start had; finish the sign-in in the app or browser that started it'
const unbound =
  'has no codeChallenge to match: this start had none, so only a backend can exchange its code; start again with one (RFC 7636)'

/** SILENT: whether a phone that was lured to the URL has the number must not show, so each code is wrong. */
const isHiddenFailure = ({ content }: SignIn, { state }: SignInRecord) =>
  content.silent !== undefined && state === 'failed'

const shownOf = (signIn: SignIn, record: SignInRecord): SignInRecord =>
  isHiddenFailure(signIn, record) ? { ...record, state: 'proved' } : record

/**
 * What a correct OTP proves. The caller must still complete the sign-in.
 * Refuses with otpInvalid, otpWrong, attemptsUsedUp, codeNotChecked, signInOver, signInFailed, signInExpired.
 */
export async function proveByOtp(signIn: SignIn, typed: string, needs: SignInNeeds): Promise<Proof> {
  const { record, content } = signIn
  const otp = readOtp(signIn, typed)
  const since = performance.now()
  const claimed = await takeAttempt(signIn, needs)
  const keys = await needs.tenantKeyring.keysOf(record.tenantId)
  const isRight = () =>
    isOtp(hashOfOtp(keys, content.transactionId, otp), [claimed.otpHash, claimed.previousOtpHash]) ? 'right' : 'wrong'
  // A resend may have stored another code since the sign-in was read.
  const current = content.comparedBy === undefined && !content.gatewayCodes ? signIn : await openSignIn(claimed, needs)
  const outcome = await compared(current, otp, { since, isRight }, needs)
  if (outcome === 'right') return proofOf(content)
  if (outcome === 'wrong') throw await recordedWrong(claimed.attempts, signIn, needs)
  if (outcome === 'usedUp') throw await recordedWrong(needs.settings.otpAttempts, signIn, needs)
  await returnAttempt(needs.database, record.idHash, returnsPerAttempt * needs.settings.otpAttempts)
  throw outcome === 'expired' ? new Refusal('signInExpired') : new Refusal('codeNotChecked', { retryAfterSeconds: 1 })
}

/** What cannot be right costs no attempt. It depends on nothing that the page does not know. */
function readOtp({ content }: SignIn, typed: string): string {
  const { otpLength } = content.shownAs ?? content
  const otp = readCode(typed, otpLength)
  if (otp !== undefined) return otp
  throw new Refusal('otpInvalid', { mistake: otpLength === undefined ? 'the code' : `the ${otpLength} digits` })
}

/** More attempts that the gateway does not check count: nobody may have it asked without end. */
const returnsPerAttempt = 2

function proofOf(content: SignIn['content']): Proof {
  const { type, value } = content.recipient!
  return { identities: [{ identityType: type, identityValue: value, verified: true }] }
}

async function takeAttempt(signIn: SignIn, needs: SignInNeeds) {
  const { clock, database, settings } = needs
  const { idHash } = signIn.record
  const now = clock.now()
  const claimed = await claimAttempt(database, idHash, now, settings.otpAttempts)
  if (claimed) return claimed
  // The sign-in may have changed since it was read. Its current state is the reason.
  const record = await findSignIn(database, idHash)
  if (!record) throw new Refusal('signInUnknown')
  refuseUnlessOpen(shownOf(signIn, record), now)
  throw wrongOtp(record.attempts, signIn, needs)
}

function wrongOtp(attempts: number, signIn: SignIn, { settings }: SignInNeeds): Refusal {
  const attemptsLeft = Math.max(0, settings.otpAttempts - attempts)
  const reasons = reasonsOf(signIn)
  return attemptsLeft === 0
    ? new Refusal('attemptsUsedUp', { reasons })
    : new Refusal('otpWrong', { attemptsLeft, reasons })
}

/** The tenant may want to know why no proof can be right: the gate sent no message, or sent it another way. */
const reasonsOf = ({ content: { gate } }: SignIn) =>
  gate === undefined || gate.outcome === 'record' ? [] : gateReasons(gate)

/** Attempts are few, so whoever guesses cannot fill the store. */
async function recordedWrong(attempts: number, signIn: SignIn, needs: SignInNeeds): Promise<Refusal> {
  const { settings, events, database } = needs
  const attemptsLeft = Math.max(0, settings.otpAttempts - attempts)
  const reason = codeOf(attemptsLeft === 0 ? 'attemptsUsedUp' : 'otpWrong')
  const event = failed(placeOf(signIn), { reason, attemptsLeft })
  await database.batch(await events.statements(signIn.record.tenantId, [event]))
  return wrongOtp(attempts, signIn, needs)
}
