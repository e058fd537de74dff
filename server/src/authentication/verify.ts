// Is it the person? The OTP of the message, or the code that they came back with, is right once and in time.

import type { SignInVerifyRequest } from '@ringfence/contract'
import { Refusal } from '../errors.ts'
import type { Platform } from '../platform.ts'
import { claimTry, findSignIn, type SignInState } from '../storage/sign-ins.ts'
import type { Proof } from './channel.ts'
import { completeSignIn, type SignedIn } from './complete.ts'
import { hashOfOtp, isOtp } from './messages/otp.ts'
import type { SignInContext } from './sign-in-context.ts'
import { isCode, openProof, refuseUnlessOpen, type SignIn } from './transaction.ts'

/**
 * An attempt is counted before it is checked. If several correct ones arrive at once, one wins.
 * Refuses with signInOver, signInFailed, signInExpired, otpMissing, codeMissing, otpWrong, codeWrong, triesUsedUp.
 */
export async function verifyProof(
  signIn: SignIn,
  { otp, code, facts, dfrId }: Omit<SignInVerifyRequest, 'transactionId'>,
  context: SignInContext,
  platform: Platform,
): Promise<SignedIn> {
  const device = { ...(facts && { facts }), ...(dfrId !== undefined && { dfrId }) }
  const { record } = signIn
  refuseUnlessOpen(record, platform.clock.now())
  if (record.channel === 'OTP') {
    if (otp === undefined) throw new Refusal('otpMissing')
    const proof = await proveByOtp(signIn, otp, platform)
    return completeSignIn({ signIn, from: 'open', proof, device }, context, platform)
  }
  if (code === undefined) throw new Refusal('codeMissing')
  const tried = await takeTry(signIn, 'proved', platform)
  if (!isCode(code, tried.codeHash)) throw wrong('codeWrong', tried.attempts, platform)
  const keys = await platform.tenantKeyring.keysOf(record.tenantId)
  return completeSignIn({ signIn, from: 'proved', proof: openProof(keys, tried), device }, context, platform)
}

/** What the right OTP proves; it is not used up yet. Refuses with otpWrong, triesUsedUp, signInOver, signInFailed, signInExpired. */
export async function proveByOtp(signIn: SignIn, otp: string, platform: Platform): Promise<Proof> {
  const { record, content } = signIn
  const tried = await takeTry(signIn, 'open', platform)
  const keys = await platform.tenantKeyring.keysOf(record.tenantId)
  if (!isOtp(hashOfOtp(keys, content.transactionId, otp), [tried.otpHash, tried.previousOtpHash])) {
    throw wrong('otpWrong', tried.attempts, platform)
  }
  const { type, value } = content.recipient!
  return { identities: [{ identityType: type, identityValue: value, verified: true }] }
}

async function takeTry({ record: { idHash } }: SignIn, state: SignInState, platform: Platform) {
  const { clock, database, settings } = platform
  const now = clock.now()
  const tried = await claimTry(database, idHash, state, now, settings.otpTries)
  if (tried) return tried
  // It may have changed since it was read; what it says now is the reason.
  const record = await findSignIn(database, idHash)
  if (!record) throw new Refusal('signInUnknown')
  refuseUnlessOpen(record, now)
  const triesLeft = Math.max(0, settings.otpTries - record.attempts)
  throw triesLeft === 0 ? new Refusal('triesUsedUp') : new Refusal('codeWrong', { triesLeft })
}

function wrong(failure: 'otpWrong' | 'codeWrong', tries: number, { settings }: Platform): Refusal {
  const triesLeft = Math.max(0, settings.otpTries - tries)
  return triesLeft === 0 ? new Refusal('triesUsedUp') : new Refusal(failure, { triesLeft })
}
