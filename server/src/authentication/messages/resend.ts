// The message did not arrive. May another one be sent, and what does it contain?

import type { SignInTransaction } from '@ringfence/contract'
import { Refusal } from '../../errors.ts'
import type { Platform } from '../../platform.ts'
import { claimResend, recordResend } from '../../storage/sign-ins.ts'
import type { SignInContext } from '../sign-in-context.ts'
import { refuseUnlessOpen, type SignIn, transactionAnswer } from '../transaction.ts'
import { deliver } from './deliver.ts'
import { reserveMessage } from './limits.ts'
import { hashOfOtp, newOtp } from './otp.ts'

/**
 * Sends the same link, or a new OTP. The previous OTP is accepted too, as it may arrive late.
 * Attempts and expiry are not reset.
 * Refuses with signInOver, signInFailed, signInExpired, resendTooEarly, resendsUsedUp,
 * resendImpossible, channelUnavailable, messagesLimited, deliveryFailed.
 */
export async function resendMessage(
  { record, content }: SignIn,
  { tenantId, appId, settings: appSettings, ipAddress, requestId }: SignInContext,
  platform: Platform,
): Promise<SignInTransaction> {
  const { clock, database, settings } = platform
  const { transactionId, recipient, otpLength } = content
  const now = clock.now()
  refuseUnlessOpen(record, now)
  if (!recipient) throw new Refusal('resendImpossible')
  if (record.state === 'proved') throw new Refusal('signInOver')
  if (record.sent >= settings.messagesPerSignIn) throw new Refusal('resendsUsedUp')
  if (record.state === 'sending' || now < record.resendAfter) throw tooEarly(record.resendAfter, now)

  const channel = platform.channels.forMessages({ settings: appSettings }, recipient.type, record.method)
  const reservation = await reserveMessage({ tenantId, appId, ipAddress, recipient, isNew: false }, platform)
  const otp = otpLength === undefined ? undefined : newOtp(otpLength)
  const keys = await platform.tenantKeyring.keysOf(tenantId)
  const nextAfter = now + settings.resendAfterSeconds * 1000
  const claimed = await claimResend(database, {
    idHash: record.idHash,
    now,
    nextAfter,
    messages: settings.messagesPerSignIn,
    otpHash: otp === undefined ? null : hashOfOtp(keys, transactionId, otp),
  })
  if (!claimed) {
    await reservation.giveBack()
    throw tooEarly(nextAfter, now)
  }
  const lifetimeSeconds = Math.floor((record.expiresAt - now) / 1000)
  try {
    await deliver({ channel, content, otp, lifetimeSeconds, reservation, requestId }, platform)
  } catch (error) {
    await recordResend(database, record.idHash, false, now)
    throw error
  }
  await recordResend(database, record.idHash, true, nextAfter)
  return transactionAnswer({ record: { ...record, resendAfter: nextAfter }, content }, clock)
}

function tooEarly(resendAfter: number, now: number): Refusal {
  return new Refusal('resendTooEarly', { retryAfterSeconds: Math.max(1, Math.ceil((resendAfter - now) / 1000)) })
}
