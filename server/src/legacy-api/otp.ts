// Older server SDKs: a one-time password is sent, sent again, and verified, for a backend that signs people in itself.

import type {
  OtpOrder,
  OtpResendRequest,
  OtpSendRequest,
  OtpVerification,
  OtpVerifyRequest,
  SignInStartRequest,
} from '@ringfence/contract'
import { forgetNewNumber } from '../authentication/messages/limits.ts'
import { readRecipient } from '../authentication/messages/recipient.ts'
import { resendMessage } from '../authentication/messages/resend.ts'
import { startByMessage } from '../authentication/start-by-message.ts'
import { newTransactionId, refuseUnlessOpen, type SignIn } from '../authentication/transaction.ts'
import { proveByOtp } from '../authentication/verify.ts'
import type { Call } from '../call.ts'
import { type FailureName, Refusal } from '../errors.ts'
import { errorFormats } from '../http/error-formats.ts'
import type { Platform } from '../platform.ts'
import { claimDone, dropUndelivered } from '../storage/sign-ins.ts'
import { contextOfOrder, findOrder, orderOf, transactionIdOf } from './otp-order.ts'

/**
 * POST /auth/otp/v1/send. Repeated with the same order id and recipient, it answers the same and sends nothing, unless what was
 * sent before did not get out.
 * Refuses with recipientMissing, orderTaken, and as a sign-in by OTP does.
 */
export async function sendOtp(body: OtpSendRequest, call: Call, platform: Platform): Promise<OtpOrder> {
  const { orderId = newTransactionId(), channel, otpLength, expiry: lifetimeSeconds } = body
  const { clientId, tenantId } = call.caller
  const identity = identityOf(body)
  if (!identity) throw new Refusal('recipientMissing')
  const context = await contextOfOrder(clientId, call, platform)
  const before = await findOrder(orderId, call, platform)
  if (before) {
    if (!isFor(before, identity)) throw new Refusal('orderTaken')
    if (wasDelivered(before.record)) return { orderId }
    const { clock, database, settings } = platform
    await dropUndelivered(database, before.record.idHash, clock.now() - 2 * settings.deliveryTimeoutMs)
  }
  const request = {
    channel: 'OTP' as const,
    identity,
    ...(channel && { method: channel.toUpperCase() }),
    ...(otpLength !== undefined && { otpLength }),
  }
  const transactionId = await transactionIdOf(orderId, tenantId, platform)
  await startByMessage(request, context, platform, {
    transactionId,
    ...(lifetimeSeconds !== undefined && { lifetimeSeconds }),
  })
  return { orderId }
}

/** POST /auth/otp/v1/resend. Refuses with orderUnknown, and as the resend of a sign-in does. */
export async function resendOtp({ orderId }: OtpResendRequest, call: Call, platform: Platform): Promise<OtpOrder> {
  const order = await orderOf(orderId, call, platform)
  await resendMessage(order, await contextOfOrder(order.record.appId, call, platform), platform)
  return { orderId }
}

/** What is no failure of the call but an answer: this is not the person, or not any more. */
const reasons: readonly FailureName[] = ['otpWrong', 'attemptsUsedUp', 'signInExpired', 'signInOver', 'signInFailed']

/** POST /auth/otp/v1/verify. The right OTP is verified once; of several at once, one is. Refuses with orderUnknown. */
export async function verifyOtp(body: OtpVerifyRequest, call: Call, platform: Platform): Promise<OtpVerification> {
  const order = await orderOf(body.orderId, call, platform)
  const given = identityOf(body)
  try {
    refuseUnlessOpen(order.record, platform.clock.now())
    if (given && given.type === order.content.recipient?.type && !isFor(order, given)) {
      return { isOTPVerified: false, reason: 'This order is for another recipient' }
    }
    await proveByOtp(order, body.otp, platform)
    const { idHash, tenantId, appId } = order.record
    if (!(await claimDone(platform.database, idHash, 'open', platform.clock.now()))) throw new Refusal('signInOver')
    const { countedAt, recipient } = order.content
    if (countedAt !== undefined && recipient) {
      await forgetNewNumber({ tenantId, appId, value: recipient.value, countedAt }, platform).catch((error) =>
        platform.log.warn({ err: error }, 'could not remove a verified number from the count of its range'),
      )
    }
    return { isOTPVerified: true }
  } catch (error) {
    if (!(error instanceof Refusal && reasons.includes(error.failure))) throw error
    const { message } = errorFormats.legacy(error, call.requestId).body as { message: string }
    return { isOTPVerified: false, reason: message }
  }
}

/** Older SDKs send empty texts for what they do not know, and a number with or without its plus sign. */
function identityOf(body: Pick<OtpSendRequest, 'phoneNumber' | 'email' | 'channel'>): SignInStartRequest['identity'] {
  const { phoneNumber, email, channel } = body
  const wantsEmail = channel?.toUpperCase() === 'EMAIL' || !phoneNumber
  if (wantsEmail && email) return { type: 'EMAIL', value: email }
  return phoneNumber ? { type: 'MOBILE', value: phoneNumber.replace(/^\+/, '') } : undefined
}

const wasDelivered = ({ state }: SignIn['record']) => state !== 'sending' && state !== 'failed'

/** However it is spelt; what can be no recipient is none of the order either. */
function isFor({ content: { recipient } }: SignIn, given: SignInStartRequest['identity']): boolean {
  try {
    const { type, value } = readRecipient(given, {})
    return type === recipient?.type && value === recipient.value
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}
