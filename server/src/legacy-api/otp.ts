// How does a backend send and verify an OTP itself? The legacy API of existing server SDKs.

import type {
  FailureName,
  OtpOrder,
  OtpResendRequest,
  OtpSendRequest,
  OtpVerification,
  OtpVerifyRequest,
  SignInStartRequest,
} from '@ringfence/contract'
import type { Call } from '../clients/call.ts'
import { Refusal } from '../core/errors.ts'
import { writeEvents } from '../events/events.ts'
import { forgetNewNumber } from '../sign-in/authentication/messages/limits.ts'
import { readRecipient } from '../sign-in/authentication/messages/recipient.ts'
import { resendMessage } from '../sign-in/authentication/messages/resend.ts'
import { completed, placeOf } from '../sign-in/authentication/sign-in-events.ts'
import { startByMessage } from '../sign-in/authentication/start-by-message.ts'
import { newTransactionId, refuseUnlessOpen, type SignIn } from '../sign-in/authentication/transaction.ts'
import { proveByOtp } from '../sign-in/authentication/verify.ts'
import { claimDone, dropEnded } from '../sign-in/store/sign-ins.ts'
import { legacyError } from './legacy-error.ts'
import { contextOfOrder, findOrder, orderOf, transactionIdOf } from './otp-order.ts'
import type { LegacyApiNeeds } from './room.ts'

/**
 * POST /auth/otp/v1/send. While an order is open, a repeated call with the same order id and recipient sends nothing. When it has ended
 * (verified, expired, no attempts left, message not delivered), the call starts it again.
 * Refuses with recipientMissing, orderTaken, and as a sign-in by OTP does.
 */
export async function sendOtp(body: OtpSendRequest, call: Call, needs: LegacyApiNeeds): Promise<OtpOrder> {
  const { orderId = newTransactionId(), channel, otpLength, expiry: lifetimeSeconds } = body
  const { clientId, tenantId } = call.caller
  const identity = identityOf(body)
  if (!identity) throw new Refusal('recipientMissing')
  const context = await contextOfOrder(clientId, call, needs)
  const existing = await findOrder(orderId, call, needs)
  if (existing) {
    const { clock, database, settings } = needs
    const now = clock.now()
    const { otpAttempts: attempts } = settings
    const hasEnded = existing.record.expiresAt <= now || ['failed', 'done'].includes(existing.record.state)
    if (!hasEnded && !isFor(existing, identity)) throw new Refusal('orderTaken')
    if (!hasEnded && existing.record.state === 'open' && existing.record.attempts < attempts) return sent(orderId, call)
    const sentBefore = now - 2 * settings.deliveryTimeoutMs
    await dropEnded(database, { idHash: existing.record.idHash, now, sentBefore, attempts })
  }
  const request = {
    channel: 'OTP' as const,
    identity,
    ...(channel && { method: channel.toUpperCase() }),
    ...(otpLength !== undefined && { otpLength: Number(otpLength) }),
  }
  const transactionId = await transactionIdOf(orderId, tenantId, needs)
  await startByMessage(request, context, needs, {
    transactionId,
    numberField: 'phoneNumber',
    ...(lifetimeSeconds !== undefined && { lifetimeSeconds: Number(lifetimeSeconds) }),
  })
  return sent(orderId, call)
}

/** POST /auth/otp/v1/resend. Refuses with orderUnknown, and as the resend of a sign-in does. */
export async function resendOtp({ orderId }: OtpResendRequest, call: Call, needs: LegacyApiNeeds): Promise<OtpOrder> {
  const order = await orderOf(orderId, call, needs)
  await resendMessage(order, await contextOfOrder(order.record.appId, call, needs), needs)
  return sent(orderId, call)
}

const sent = (orderId: string, { requestId: refId }: Call): OtpOrder => ({ success: true, orderId, refId })

/** These are answers, not errors: the OTP is wrong or no OTP, or no longer accepted. */
const reasons: readonly FailureName[] = [
  'otpInvalid',
  'otpWrong',
  'attemptsUsedUp',
  'signInExpired',
  'signInOver',
  'signInFailed',
]

/**
 * POST /auth/otp/v1/verify. A correct OTP is accepted once, also when several calls arrive at once.
 * Refuses with orderUnknown.
 */
export async function verifyOtp(body: OtpVerifyRequest, call: Call, needs: LegacyApiNeeds): Promise<OtpVerification> {
  const order = await orderOf(body.orderId, call, needs)
  const given = identityOf(body)
  try {
    refuseUnlessOpen(order.record, needs.clock.now())
    if (given && given.type === order.content.recipient?.type && !isFor(order, given)) {
      return { success: false, isOTPVerified: false, reason: 'This order is for another recipient' }
    }
    await proveByOtp(order, body.otp, needs)
    const { idHash, tenantId } = order.record
    const events = await needs.events.statements(tenantId, [completed(placeOf(order))])
    await needs.database.transaction(async (tx) => {
      if (!(await claimDone(tx, idHash, 'open', needs.clock.now()))) throw new Refusal('signInOver')
      await writeEvents(tx, events)
    })
    await forgetNewNumber(order, needs)
    return { success: true, isOTPVerified: true }
  } catch (error) {
    if (!(error instanceof Refusal && reasons.includes(error.failure))) throw error
    const { message } = legacyError(error).body as { message: string }
    return { success: false, isOTPVerified: false, reason: message }
  }
}

/** Existing SDKs send empty strings for unknown values. */
function identityOf(body: Pick<OtpSendRequest, 'phoneNumber' | 'email' | 'channel'>): SignInStartRequest['identity'] {
  const { phoneNumber, email, channel } = body
  const wantsEmail = channel?.toUpperCase() === 'EMAIL' || !phoneNumber
  if (wantsEmail && email) return { type: 'EMAIL', value: email }
  return phoneNumber ? { type: 'MOBILE', value: phoneNumber } : undefined
}

/** Compares the normalized recipient. False when the given one is not valid. */
function isFor({ content: { recipient } }: SignIn, given: SignInStartRequest['identity']): boolean {
  try {
    const { type, value } = readRecipient(given, {}, 'phoneNumber')
    return type === recipient?.type && value === recipient.value
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}
