// The message did not arrive: may another one be sent, and with what?

import type { SignInResendRequest, SignInTransaction } from '@ringfence/contract'
import type { SessionCall } from '../../call.ts'
import { Refusal } from '../../errors.ts'
import type { Platform } from '../../platform.ts'
import { claimResend, recordResend } from '../../storage/sign-ins.ts'
import { transactionOf } from '../start-by-message.ts'
import { ownSignIn, refuseUnlessOpen } from '../transaction.ts'
import { deliver } from './deliver.ts'
import { reserveMessage } from './limits.ts'
import { hashOfOtp, newOtp } from './otp.ts'

/**
 * POST /sdk/v1/auth/resend. A new OTP, beside which the one before is still accepted, as it may arrive late; or the same link.
 * Neither tries nor time are given anew. Refuses with signInUnknown, signInOver, signInFailed, signInExpired, resendTooEarly,
 * resendsUsedUp, resendImpossible, channelUnavailable, messagesLimited, deliveryFailed.
 */
export async function resendSignIn(
  { transactionId }: SignInResendRequest,
  call: SessionCall,
  platform: Platform,
): Promise<SignInTransaction> {
  const { clock, database, settings } = platform
  const { record, content } = await ownSignIn(transactionId, call, platform)
  const { recipient, otpLength } = content
  const now = clock.now()
  refuseUnlessOpen(record, now)
  if (!recipient) throw new Refusal('resendImpossible')
  if (record.state === 'proved') throw new Refusal('signInOver')
  if (record.sent >= settings.messagesPerSignIn) throw new Refusal('resendsUsedUp')
  if (record.state === 'sending' || now < record.resendAfter) throw tooEarly(record.resendAfter, now)

  const { app, address } = call
  const channel = platform.channels.forMessages(app, recipient.type, record.method)
  const asked = { tenantId: app.tenantId, appId: app.id, address, recipient, isNew: false }
  const reservation = await reserveMessage(asked, platform)
  const otp = otpLength === undefined ? undefined : newOtp(otpLength)
  const keys = await platform.tenantKeyring.keysOf(app.tenantId)
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
    await deliver({ channel, content, otp, lifetimeSeconds, reservation, requestId: call.requestId }, platform)
  } catch (error) {
    await recordResend(database, record.idHash, false, now)
    throw error
  }
  await recordResend(database, record.idHash, true, nextAfter)
  return transactionOf({ ...record, resendAfter: nextAfter }, content, platform)
}

function tooEarly(resendAfter: number, now: number): Refusal {
  return new Refusal('resendTooEarly', { retryAfterSeconds: Math.max(1, Math.ceil((resendAfter - now) / 1000)) })
}
