// How does the first message of a sign-in go out? Store the sign-in, send the message, record its delivery.

import type { SignInTransaction } from '@ringfence/contract'
import type { TenantKeys } from '../../crypto/keyring.ts'
import { Refusal } from '../../errors.ts'
import type { Platform } from '../../platform.ts'
import { UniqueViolation } from '../../storage/database.ts'
import { findSignInByStart, insertSignIn, recordDelivery, type SignInRecord } from '../../storage/sign-ins.ts'
import type { GateFindings } from '../gate.ts'
import type { SignInContext } from '../sign-in-context.ts'
import { isFingerprinted, plainDevice } from '../sign-in-device.ts'
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
import { deliver } from './deliver.ts'
import { hashOfOtp, newOtp } from './otp.ts'
import type { MessagePlan } from './plan.ts'
import { answerAsFirst } from './repeated-start.ts'
import type { PlanReservation } from './reserve.ts'

export interface FirstMessage {
  readonly plan: MessagePlan
  readonly startHash: Uint8Array
  readonly gate: GateFindings | undefined
  readonly reservation: PlanReservation
}

/** Refuses with `deliveryFailed`; the reservation is then given back. */
export async function sendFirst(
  first: FirstMessage,
  context: SignInContext,
  platform: Platform,
): Promise<SignInTransaction> {
  const { plan, startHash, reservation } = first
  const { clock, database, settings } = platform
  const keys = await platform.tenantKeyring.keysOf(context.tenantId)
  const otp = plan.request.channel === 'OTP' ? newOtp(otpDigits(plan, settings)) : undefined
  const lifetimeSeconds = lifetimeOf(plan, settings)
  const { record, content } = newSignIn(first, { otp, lifetimeSeconds, keys }, context, platform)
  try {
    await insertSignIn(database, record)
  } catch (error) {
    await reservation.giveBack()
    if (!(error instanceof UniqueViolation)) throw error
    // The same start arrived twice at once, and the other one sends the message.
    const other = await findSignInByStart(database, context.tenantId, startHash)
    if (!other) throw new Refusal('deliveryFailed', { retryAfterSeconds: 1 })
    return answerAsFirst(other, platform)
  }
  const { requestId } = context
  try {
    await deliver({ channel: plan.channel, content, otp, lifetimeSeconds, reservation, requestId }, platform)
  } catch (error) {
    await recordDelivery(database, record.idHash, false)
    throw error
  }
  await recordDelivery(database, record.idHash, true)
  return transactionAnswer({ record, content }, clock)
}

type Settings = Platform['settings']

/** Anyone can start a sign-in with an SDK, and must not get an OTP that is easier to guess. A backend may. */
function otpDigits({ request: { otpLength }, order }: MessagePlan, settings: Settings): number {
  return order ? (otpLength ?? settings.otpDigits) : Math.max(settings.otpDigits, otpLength ?? 0)
}

function lifetimeOf({ request: { channel }, order }: MessagePlan, settings: Settings): number {
  return order?.lifetimeSeconds ?? (channel === 'OTP' ? settings.otpLifetimeSeconds : settings.magicLinkLifetimeSeconds)
}

interface Secrets {
  /** Absent for a magic link. */
  otp: string | undefined
  lifetimeSeconds: number
  keys: TenantKeys
}

function newSignIn(
  { plan, startHash, gate, reservation }: FirstMessage,
  { otp, lifetimeSeconds, keys }: Secrets,
  context: SignInContext,
  { clock, settings }: Platform,
): SignIn {
  const { request, recipient, redirectUrl } = plan
  const { tenantId, appId, appName, sessionId, pageOrigin } = context
  const now = clock.now()
  const transactionId = plan.order?.transactionId ?? newTransactionId()
  const idHash = idHashOf(transactionId)
  const returnCode = request.channel === 'MAGIC_LINK' ? newReturnCode(idHash) : undefined
  const host = pageOrigin === undefined ? undefined : URL.parse(pageOrigin)?.hostname
  const deviceInfo = plainDevice(request, context)
  const content: SignInContent = {
    transactionId,
    ...(sessionId !== undefined && { sessionId }),
    appName,
    recipient,
    ...(redirectUrl !== undefined && { redirectUrl }),
    ...(request.locale !== undefined && { locale: request.locale }),
    ...(otp !== undefined && { otpLength: otp.length }),
    ...(host !== undefined && { host }),
    ...(returnCode !== undefined && { returnCode }),
    ...(deviceInfo && { deviceInfo }),
    ...(request.dfrId !== undefined && { dfrId: request.dfrId }),
    ...(isFingerprinted(request) && { isFingerprinted: true }),
    ...(gate && { gate }),
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
    otpHash: otp === undefined ? null : hashOfOtp(keys, transactionId, otp),
    previousOtpHash: null,
    returnHash: returnCode === undefined ? null : hashOfCode(returnCode),
    codeHash: null,
    sealed: sealContent(keys, idHash, content),
    sealedProof: null,
  }
  return { record, content }
}
