// The message did not arrive. May another one be sent, and what does it contain?

import type { SignInTransaction } from '@ringfence/contract'
import { Refusal } from '../../../core/errors.ts'
import { claimResend, resendUpdate } from '../../store/sign-ins.ts'
import type { SignInNeeds } from '../room.ts'
import type { SignInContext } from '../sign-in-context.ts'
import { placeOf, recordingRefusals } from '../sign-in-events.ts'
import {
  type Recipient,
  refuseUnlessOpen,
  type SignIn,
  type SignInContent,
  sealContent,
  transactionAnswer,
} from '../transaction.ts'
import { type Delivered, DeliveryRefusal, deliver } from './deliver.ts'
import { hashOfOtp, newOtp, noOtp } from './otp.ts'
import { type RecipientReservation, reserveFor, reserveOtherWay } from './reserve.ts'

/**
 * Sends the same link, or a new OTP. The previous OTP is accepted too, as it may arrive late.
 * Attempts and expiry are not reset.
 * Refuses with signInOver, signInFailed, signInExpired, resendTooEarly, resendsUsedUp,
 * resendImpossible, channelUnavailable, messagesLimited, deliveryFailed.
 */
export async function resendMessage(
  { record, content }: SignIn,
  context: SignInContext,
  needs: SignInNeeds,
): Promise<SignInTransaction> {
  const { clock, database, settings } = needs
  const { transactionId, recipient, otpLength } = content
  const now = clock.now()
  // First, so that it does not show what became of it.
  if (content.silent) throw new Refusal('resendImpossible')
  refuseUnlessOpen(record, now)
  if (!recipient) throw new Refusal('resendImpossible')
  if (record.state === 'proved') throw new Refusal('signInOver')
  if (record.sent >= settings.messagesPerSignIn) throw new Refusal('resendsUsedUp')
  if (record.state === 'sending' || now < record.resendAfter) throw tooEarly(record.resendAfter, now)

  const channel = needs.signIn.channels.forMessages(
    context,
    recipient.type,
    record.method,
    record.channel === 'OTP' ? 'code' : 'link',
  )
  const place = placeOf({ record, content }, context)
  const { reservation, heldBack } = await recordingRefusals(place, context, needs, () =>
    reserveAgain(content, recipient, context, needs),
  )
  const otp = record.channel === 'OTP' ? newOtp(otpLength ?? settings.otpDigits) : undefined
  const keys = await needs.tenantKeyring.keysOf(context.tenantId)
  const nextAfter = now + settings.resendAfterSeconds * 1000
  const claimed = await claimResend(database, {
    idHash: record.idHash,
    now,
    nextAfter,
    messages: settings.messagesPerSignIn,
    otpHash: otp === undefined ? null : hashOfOtp(keys, transactionId, heldBack ? noOtp() : otp),
  })
  if (!claimed) {
    await reservation.giveBack()
    throw tooEarly(nextAfter, now)
  }
  const { countedAgainAt = [] } = content
  const counted = reservation.isNew ? { ...content, countedAgainAt: [...countedAgainAt, now] } : content
  const lifetimeSeconds = Math.floor((record.expiresAt - now) / 1000)
  let delivered: Delivered
  try {
    delivered = await deliver(
      {
        channel,
        content: { ...counted, ...(heldBack && { heldBack }) },
        idHash: record.idHash,
        otp,
        lifetimeSeconds,
        reservation,
        requestId: context.requestId,
        tenantId: context.tenantId,
        place,
      },
      needs,
    )
  } catch (error) {
    const events = error instanceof DeliveryRefusal ? error.events : []
    await database.batch([resendUpdate(record.idHash, { resendAfter: now }), ...events])
    throw error
  }
  const { events, gatewayCodes } = delivered
  const sealed = sealContent(keys, record.idHash, { ...counted, ...(gatewayCodes && { gatewayCodes }) })
  await database.batch([resendUpdate(record.idHash, { resendAfter: nextAfter, sealed }), ...events])
  if (!heldBack) needs.metrics.count('signInSteps', 'resent', record.channel)
  return transactionAnswer({ record: { ...record, resendAfter: nextAfter }, content }, clock)
}

/** Counts as the message that the page asked for. Held back when the recipient of the gate's other way gets no more messages. */
async function reserveAgain(
  { shownAs, heldBack }: SignInContent,
  recipient: Recipient,
  context: SignInContext,
  needs: SignInNeeds,
): Promise<{ reservation: RecipientReservation; heldBack: true | undefined }> {
  const asked = shownAs?.recipient ?? recipient
  const reservation = await reserveFor(asked, context, needs)
  if (asked.type === recipient.type && asked.value === recipient.value) return { reservation, heldBack }
  try {
    return { reservation: await reserveOtherWay(recipient, reservation, context, needs), heldBack }
  } catch (error) {
    if (error instanceof Refusal && error.failure === 'messagesLimited') return { reservation, heldBack: true }
    throw error
  }
}

function tooEarly(resendAfter: number, now: number): Refusal {
  return new Refusal('resendTooEarly', { retryAfterSeconds: Math.max(1, Math.ceil((resendAfter - now) / 1000)) })
}
