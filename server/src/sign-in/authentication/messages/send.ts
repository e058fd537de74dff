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
import { placeOf, refused, type SignInPlace, started } from '../sign-in-events.ts'
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
import { type RecipientReservation, reserveFor } from './reserve.ts'

export interface FirstMessage {
  readonly plan: MessagePlan
  /** The plan that the page asked for, if the telecom gate chose another one. */
  readonly asked?: MessagePlan
  /** The telecom gate refused the number: nothing is sent. */
  readonly heldBack?: true
  readonly startHash: Uint8Array
  readonly gate?: GateFindings
  /** Absent: it is counted in the commit that stores the sign-in. */
  readonly reservation?: RecipientReservation
  /** When the start was planned, or the telecom gate had decided, on the clock of performance.now(). */
  readonly since: number
}

/**
 * Refuses with `deliveryFailed`; the reservation is then given back. A message that is counted here refuses with `messagesLimited` above a
 * limit, and nothing is stored.
 */
export async function sendFirst(
  first: FirstMessage,
  context: SignInContext,
  needs: SignInNeeds,
): Promise<SignInTransaction> {
  const { plan, startHash } = first
  const { clock, database, settings } = needs
  const keys = await needs.tenantKeyring.keysOf(context.tenantId)
  const otp = plan.request.channel === 'OTP' ? newOtp(otpDigits(plan, settings)) : undefined
  const lifetimeSeconds = lifetimeOf(first.asked ?? plan, settings)
  let stored: StoredStart
  try {
    stored = await store(first, { otp, lifetimeSeconds, keys }, context, needs)
  } catch (error) {
    // The same start arrived at two servers at once, and the other one sends the message. It may also have used up a limit.
    const isSecond = error instanceof UniqueViolation
    const other = (isSecond || isLimited(error)) && (await findSignInByStart(database, context.tenantId, startHash))
    if (other) return answerAsFirst(other, needs)
    throw isSecond ? new Refusal('deliveryFailed', { retryAfterSeconds: 1 }) : error
  }
  const { record, content, place, reservation } = stored
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

const isLimited = (error: unknown) => error instanceof Refusal && error.failure === 'messagesLimited'

interface StoredStart extends SignIn {
  readonly place: SignInPlace
  readonly reservation: RecipientReservation
}

/** Stores the sign-in, in one commit with its events and with what counts its message, unless it was counted before. */
async function store(
  first: FirstMessage,
  secrets: Secrets,
  context: SignInContext,
  needs: SignInNeeds,
): Promise<StoredStart> {
  const statementsFor = async (isNew: boolean) => {
    const signIn = newSignIn(first, { ...secrets, isNew }, context, needs)
    const place = placeOf(signIn, context)
    const heldBack = first.heldBack ? [refused(place, first.gate ? gateReasons(first.gate) : [])] : []
    const events = await needs.events.statements(context.tenantId, [started(place), ...heldBack])
    return { signIn, place, statements: [signInInsert(signIn.record), ...events] }
  }
  if (first.reservation) {
    const { reservation } = first
    const { signIn, place, statements } = await statementsFor(reservation.isNew)
    try {
      await needs.database.batch(statements)
    } catch (error) {
      await reservation.giveBack()
      throw error
    }
    return { ...signIn, place, reservation }
  }
  let made: Awaited<ReturnType<typeof statementsFor>>
  const reservation = await reserveFor(first.plan.recipient, context, needs, async (isNew) => {
    made = await statementsFor(isNew)
    return made.statements
  })
  return { ...made!.signIn, place: made!.place, reservation }
}

type Settings = Core['settings']

/** Anyone can start a sign-in with an SDK, and must not get an OTP that is easier to guess. A backend may. */
function otpDigits({ request: { otpLength }, order }: MessagePlan, settings: Settings): number {
  return order ? (otpLength ?? settings.otpDigits) : Math.max(settings.otpDigits, otpLength ?? 0)
}

function lifetimeOf({ request: { channel }, order }: MessagePlan, settings: Settings): number {
  return order?.lifetimeSeconds ?? (channel === 'OTP' ? settings.otpLifetimeSeconds : settings.magicLinkLifetimeSeconds)
}

const codeChallengeOf = ({ codeChallenge }: MessagePlan['request']) =>
  codeChallenge === undefined ? {} : { codeChallenge }

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
  { plan, asked, heldBack, startHash, gate }: FirstMessage,
  { otp, lifetimeSeconds, keys, isNew }: Secrets & { readonly isNew: boolean },
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
    ...(redirectUrl !== undefined && { redirectUrl, ...codeChallengeOf(request) }),
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
    ...(isNew && { countedAt: now }),
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
