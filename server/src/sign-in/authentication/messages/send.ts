// How does the first message of a sign-in go out? Store the sign-in, send the message, record its delivery.

import type { SignInTransaction } from '@ringfence/contract'
import type { Core } from '../../../core/core.ts'
import type { TenantKeys } from '../../../core/crypto/keyring.ts'
import { Refusal } from '../../../core/errors.ts'
import { UniqueViolation } from '../../../core/storage/database.ts'
import { deliveryUpdate, findSignInByStart, type SignInRecord, signInInsert } from '../../store/sign-ins.ts'
import type { MessageChannel } from '../channel.ts'
import { type GateFindings, gateReasons } from '../gate.ts'
import type { SignInNeeds } from '../room.ts'
import type { SignInContext } from '../sign-in-context.ts'
import { isFingerprinted, plainDevice } from '../sign-in-device.ts'
import { placeOf, refused, started } from '../sign-in-events.ts'
import {
  hashOfCode,
  idHashOf,
  newReturnCode,
  newTransactionId,
  type SignIn,
  type SignInContent,
  sealContent,
  transactionAnswer,
} from '../transaction.ts'
import { DeliveryRefusal, deliver } from './deliver.ts'
import { hashOfOtp, newOtp, noOtp } from './otp.ts'
import type { MessagePlan } from './plan.ts'
import { answerAsFirst } from './repeated-start.ts'
import type { RecipientReservation } from './reserve.ts'

export interface FirstMessage {
  readonly plan: MessagePlan
  /** The plan that the page asked for, if the telecom gate chose another one. */
  readonly asked?: MessagePlan
  /** The telecom gate refused the number: nothing is sent. */
  readonly heldBack?: true
  readonly startHash: Uint8Array
  readonly gate: GateFindings | undefined
  readonly reservation: RecipientReservation
  /** When the telecom gate had decided, on the clock of performance.now(). */
  readonly since: number
}

/** Refuses with `deliveryFailed`; the reservation is then given back. */
export async function sendFirst(
  first: FirstMessage,
  context: SignInContext,
  needs: SignInNeeds,
): Promise<SignInTransaction> {
  const { plan, startHash, reservation } = first
  const { clock, database, settings } = needs
  const keys = await needs.tenantKeyring.keysOf(context.tenantId)
  const otp = plan.request.channel === 'OTP' ? newOtp(otpDigits(plan, settings)) : undefined
  const lifetimeSeconds = lifetimeOf(first.asked ?? plan, settings)
  const { record, content } = newSignIn(first, { otp, lifetimeSeconds, keys }, context, needs)
  const place = placeOf({ record, content }, context)
  const events = [
    started(place),
    ...(first.heldBack ? [refused(place, first.gate ? gateReasons(first.gate) : [])] : []),
  ]
  try {
    await database.batch([signInInsert(record), ...(await needs.events.statements(context.tenantId, events))])
  } catch (error) {
    await reservation.giveBack()
    if (!(error instanceof UniqueViolation)) throw error
    // The same start arrived twice at once, and the other one sends the message.
    const other = await findSignInByStart(database, context.tenantId, startHash)
    if (!other) throw new Refusal('deliveryFailed', { retryAfterSeconds: 1 })
    return answerAsFirst(other, needs)
  }
  const { requestId, tenantId } = context
  try {
    const about = { idHash: record.idHash, requestId, tenantId, place }
    const delivery = { channel: plan.channel, content, otp, lifetimeSeconds, reservation, ...about }
    const { events, gatewayCodes } = await deliver({ ...delivery, since: first.since }, needs)
    const sealed = gatewayCodes && sealContent(keys, record.idHash, { ...content, gatewayCodes })
    await database.batch([deliveryUpdate(record.idHash, true, sealed), ...events])
  } catch (error) {
    if (error instanceof DeliveryRefusal) await database.batch([deliveryUpdate(record.idHash, false), ...error.events])
    throw error
  }
  if (!first.heldBack) needs.metrics.count('signInSteps', 'started', record.channel)
  return transactionAnswer({ record, content }, clock)
}

type Settings = Core['settings']

/** Anyone can start a sign-in with an SDK, and must not get an OTP that is easier to guess. A backend may. */
function otpDigits({ request: { otpLength }, order }: MessagePlan, settings: Settings): number {
  return order ? (otpLength ?? settings.otpDigits) : Math.max(settings.otpDigits, otpLength ?? 0)
}

function lifetimeOf({ request: { channel }, order }: MessagePlan, settings: Settings): number {
  return order?.lifetimeSeconds ?? (channel === 'OTP' ? settings.otpLifetimeSeconds : settings.magicLinkLifetimeSeconds)
}

/** Nothing where the gateway makes the codes, and it is not known how long they are. */
function lengthOf({ ownCodes }: MessageChannel, digits: number): { otpLength?: number } {
  if (!ownCodes) return { otpLength: digits }
  return ownCodes.digits === undefined ? {} : { otpLength: ownCodes.digits }
}

function shownOf(asked: MessagePlan, settings: Settings): NonNullable<SignInContent['shownAs']> {
  const { channel } = asked.request
  const { method, name } = asked.channel
  return {
    channel,
    method,
    channelName: name,
    recipient: asked.recipient,
    ...(channel === 'OTP' && lengthOf(asked.channel, otpDigits(asked, settings))),
  }
}

interface Secrets {
  /** Absent for a magic link. */
  otp: string | undefined
  lifetimeSeconds: number
  keys: TenantKeys
}

function newSignIn(
  { plan, asked, heldBack, startHash, gate, reservation }: FirstMessage,
  { otp, lifetimeSeconds, keys }: Secrets,
  context: SignInContext,
  { clock, settings }: SignInNeeds,
): SignIn {
  const { request, recipient, redirectUrl } = plan
  const { tenantId, appId, appName, sessionId, pageOrigin } = context
  const now = clock.now()
  const transactionId = plan.order?.transactionId ?? newTransactionId()
  const idHash = idHashOf(transactionId)
  const returnCode = request.channel === 'MAGIC_LINK' ? newReturnCode(idHash) : undefined
  const host = pageOrigin === undefined ? undefined : URL.parse(pageOrigin)?.hostname
  const deviceInfo = plainDevice(request, context)
  const { channel: shown } = asked ?? plan
  const content: SignInContent = {
    transactionId,
    ...(sessionId !== undefined && { sessionId }),
    appName,
    recipient,
    ...(redirectUrl !== undefined && { redirectUrl }),
    ...(plan.order?.codeClient !== undefined && { codeClient: plan.order.codeClient }),
    ...(request.locale !== undefined && { locale: request.locale }),
    ...(otp !== undefined && lengthOf(plan.channel, otp.length)),
    ...(shown.ownCodes && { comparedBy: shown.name }),
    ...(host !== undefined && { host }),
    ...(returnCode !== undefined && { returnCode }),
    ...(deviceInfo && { deviceInfo }),
    ...(request.dfrId !== undefined && { dfrId: request.dfrId }),
    ...(isFingerprinted(request) && { isFingerprinted: true }),
    ...(context.addsTo && { addsTo: context.addsTo }),
    ...(gate && { gate }),
    ...(heldBack && { heldBack }),
    ...(asked && { shownAs: shownOf(asked, settings) }),
    ...(reservation.isNew && { countedAt: now }),
  }
  const record: SignInRecord = {
    idHash,
    tenantId,
    appId,
    startHash,
    channel: request.channel,
    method: plan.channel.method,
    state: 'sending',
    createdAt: now,
    expiresAt: now + lifetimeSeconds * 1000,
    resendAfter: now + settings.resendAfterSeconds * 1000,
    sent: 0,
    attempts: 0,
    otpHash: otp === undefined ? null : hashOfOtp(keys, transactionId, heldBack ? noOtp() : otp),
    previousOtpHash: null,
    returnHash: returnCode === undefined ? null : hashOfCode(returnCode),
    codeHash: null,
    sealed: sealContent(keys, idHash, content),
    sealedProof: null,
  }
  return { record, content }
}
