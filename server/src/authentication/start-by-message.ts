// How does a sign-in begin by a message? Limits, then the telecom gate, then an OTP or a link goes out, once.

import { setTimeout as wait } from 'node:timers/promises'
import type { SignInStartRequest, SignInTransaction } from '@ringfence/contract'
import { Refusal } from '../errors.ts'
import type { Platform } from '../platform.ts'
import { UniqueViolation } from '../storage/database.ts'
import {
  findSignInByStart,
  insertSignIn,
  recordDelivery,
  releaseStart,
  type SignInRecord,
} from '../storage/sign-ins.ts'
import type { MessageChannel } from './channel.ts'
import { plainDevice } from './device.ts'
import { type GateFindings, passGate } from './gate.ts'
import { deliver } from './messages/deliver.ts'
import { type Reservation, reserveMessage } from './messages/limits.ts'
import { hashOfOtp, newOtp } from './messages/otp.ts'
import { readRecipient } from './messages/recipient.ts'
import { readRedirectUrl } from './redirect-url.ts'
import type { SignInContext } from './sign-in-context.ts'
import { startByRedirect } from './start-by-redirect.ts'
import {
  hashOfCode,
  idHashOf,
  newReturnCode,
  newTransactionId,
  openSignIn,
  type Recipient,
  type SignInContent,
  sealContent,
} from './transaction.ts'
import { isKnown, provedBy, userWith } from './users.ts'

type MessageChannelName = 'OTP' | 'MAGIC_LINK'
type Request = Omit<SignInStartRequest, 'channel'> & { channel: MessageChannelName }

/** A sign-in whose caller has an id of its own for it, and perhaps a lifetime. */
export interface Order {
  transactionId: string
  lifetimeSeconds?: number
}

/** What is going to be sent, when limits and gate have let it pass. */
interface Plan {
  order: Order | undefined
  request: Request
  channel: MessageChannel
  recipient: Recipient
  redirectUrl: string | undefined
}

export async function startByMessage(
  request: Request,
  context: SignInContext,
  platform: Platform,
  order?: Order,
): Promise<SignInTransaction> {
  const plan = { ...planOf(request, readRecipient(request.identity, context.settings), context, platform), order }
  const { tenantId } = context
  const keys = await platform.tenantKeyring.keysOf(tenantId)
  const { type, value } = plan.recipient
  // Everything that makes it the same start; another length of OTP or way back is another one.
  const same = [
    context.sessionId ?? order?.transactionId ?? '',
    request.channel,
    plan.channel.name,
    type,
    value,
    plan.redirectUrl ?? '',
    request.otpLength ?? '',
  ]
  const startHash = keys.hash(`start ${JSON.stringify(same)}`)
  await releaseStart(platform.database, tenantId, startHash, platform.clock.now())
  const before = await findSignInByStart(platform.database, tenantId, startHash)
  if (before) return joinStart(before, platform)

  const reservation = await reserve(plan, context, platform)
  const gate = await askGate(plan, context, platform)
  if (gate?.outcome === 'refuse') throw new Refusal('gateRefused')
  if (gate?.outcome !== 'stepUp') return send({ plan, startHash, gate, reservation }, context, platform)

  await reservation.giveBack()
  const other = await otherWay(plan, context, platform)
  if (!other) throw new Refusal('gateRefused')
  if (other === 'redirect') {
    const { method } = context.settings.gate!.stepUp!
    return startByRedirect({ ...request, channel: 'OAUTH', method }, context, platform, gate)
  }
  return send({ plan: other, startHash, gate, reservation: await reserve(other, context, platform) }, context, platform)
}

function planOf(request: Request, recipient: Recipient, context: SignInContext, platform: Platform): Plan {
  const channel = platform.channels.forMessages(context, recipient.type, request.method)
  if (request.channel === 'OTP') return { order: undefined, request, channel, recipient, redirectUrl: undefined }
  if (request.redirectUrl === undefined && !context.settings.signInElsewhere) throw new Refusal('redirectUrlRefused')
  const redirectUrl = request.redirectUrl === undefined ? undefined : readRedirectUrl(request.redirectUrl, context)
  return { order: undefined, request, channel, recipient, redirectUrl }
}

async function reserve({ recipient }: Plan, { tenantId, appId, ipAddress }: SignInContext, platform: Platform) {
  const identity = { identityType: recipient.type, identityValue: recipient.value }
  const isNew = recipient.type === 'MOBILE' && !(await isKnown(tenantId, identity, platform))
  const reservation = await reserveMessage({ tenantId, appId, ipAddress, recipient, isNew }, platform)
  return { ...reservation, isNew }
}

async function askGate(
  { recipient }: Plan,
  context: SignInContext,
  platform: Platform,
): Promise<GateFindings | undefined> {
  const { gate } = context.settings
  return gate && recipient.type === 'MOBILE' ? passGate(recipient.value, gate, context, platform) : undefined
}

/** Where the gate's policy leads: to a provider, by another method to the same number, or to an address proved before. */
async function otherWay(
  { request, recipient }: Plan,
  context: SignInContext,
  platform: Platform,
): Promise<Plan | 'redirect' | undefined> {
  const stepUp = context.settings.gate?.stepUp
  if (!stepUp) return undefined
  if (stepUp.channel === 'OAUTH') return 'redirect'
  const other: Request = { ...request, channel: stepUp.channel, method: stepUp.method }
  const address = await provenAddress(recipient, context, platform)
  for (const candidate of [address, recipient]) {
    try {
      if (candidate) return planOf(other, candidate, context, platform)
    } catch (error) {
      if (!(error instanceof Refusal && error.failure === 'channelUnavailable')) throw error
    }
  }
  return undefined
}

async function provenAddress(
  number: Recipient,
  { tenantId }: SignInContext,
  platform: Platform,
): Promise<Recipient | undefined> {
  const identity = { identityType: number.type, identityValue: number.value }
  const userId = await userWith(tenantId, identity, platform)
  if (userId === undefined) return undefined
  const email = (await provedBy(tenantId, userId, platform)).find(({ identityType }) => identityType === 'EMAIL')
  return email && { type: 'EMAIL', value: email.identityValue }
}

interface Passed {
  plan: Plan
  startHash: Uint8Array
  gate: GateFindings | undefined
  reservation: Reservation & { isNew: boolean }
}

async function send(passed: Passed, context: SignInContext, platform: Platform): Promise<SignInTransaction> {
  const { plan, startHash, gate, reservation } = passed
  const { channel: messages, recipient, redirectUrl } = plan
  const { channel, otpLength: asked, locale } = plan.request
  const { tenantId, appId, appName, sessionId, pageOrigin, requestId } = context
  const { clock, database, settings } = platform
  // A backend bears a secret; whoever bears none could ask for an OTP that is easy to guess.
  const otpLength = plan.order ? (asked ?? settings.otpDigits) : Math.max(settings.otpDigits, asked ?? 0)
  const now = clock.now()
  const transactionId = plan.order?.transactionId ?? newTransactionId()
  const idHash = idHashOf(transactionId)
  const keys = await platform.tenantKeyring.keysOf(tenantId)
  const otp = channel === 'OTP' ? newOtp(otpLength) : undefined
  const returnCode = channel === 'MAGIC_LINK' ? newReturnCode(idHash) : undefined
  const usualSeconds = channel === 'OTP' ? settings.otpLifetimeSeconds : settings.magicLinkLifetimeSeconds
  const lifetimeSeconds = plan.order?.lifetimeSeconds ?? usualSeconds
  const host = pageOrigin === undefined ? undefined : URL.parse(pageOrigin)?.hostname
  const deviceInfo = plainDevice(plan.request, context)
  const content: SignInContent = {
    transactionId,
    ...(sessionId !== undefined && { sessionId }),
    appName,
    recipient,
    ...(redirectUrl !== undefined && { redirectUrl }),
    ...(locale !== undefined && { locale }),
    ...(otp !== undefined && { otpLength }),
    ...(host !== undefined && { host }),
    ...(returnCode !== undefined && { returnCode }),
    ...(deviceInfo && { deviceInfo }),
    ...(plan.request.dfrId !== undefined && { dfrId: plan.request.dfrId }),
    ...(gate && { gate }),
    ...(reservation.isNew && { countedAt: now }),
  }
  const record: SignInRecord = {
    idHash,
    tenantId,
    appId,
    startHash,
    channel,
    method: messages.method,
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
  try {
    await insertSignIn(database, record)
  } catch (error) {
    await reservation.giveBack()
    if (!(error instanceof UniqueViolation)) throw error
    // The same start came twice at once, and the other one is sending.
    const other = await findSignInByStart(database, tenantId, startHash)
    if (!other) throw new Refusal('deliveryFailed', { retryAfterSeconds: 1 })
    return joinStart(other, platform)
  }
  const delivery = { channel: messages, content, otp, lifetimeSeconds, reservation, requestId }
  try {
    await deliver(delivery, platform)
  } catch (error) {
    await recordDelivery(database, idHash, false)
    throw error
  }
  await recordDelivery(database, idHash, true)
  return transactionOf(record, content, platform)
}

const pollMs = 50

/** The transaction of a start that is under way or was answered: its message is not sent a second time. */
async function joinStart(found: SignInRecord, platform: Platform): Promise<SignInTransaction> {
  const { database, settings } = platform
  const giveUpAt = performance.now() + settings.deliveryTimeoutMs
  let record: SignInRecord | undefined = found
  while (record?.state === 'sending' && performance.now() < giveUpAt) {
    await wait(pollMs)
    record = await findSignInByStart(database, found.tenantId, found.startHash!)
  }
  if (!record || record.state === 'sending') throw new Refusal('deliveryFailed', { retryAfterSeconds: 5 })
  return transactionOf(record, (await openSignIn(record, platform)).content, platform)
}

/** What the SDK is told of a sign-in by message. */
export function transactionOf(
  { channel, method, expiresAt, resendAfter }: SignInRecord,
  { transactionId, otpLength }: SignInContent,
  { clock }: Pick<Platform, 'clock'>,
): SignInTransaction {
  return {
    transactionId,
    channel,
    method,
    expiresAt: new Date(expiresAt).toISOString(),
    resendAfterSeconds: Math.max(0, Math.ceil((resendAfter - clock.now()) / 1000)),
    ...(otpLength !== undefined && { otpLength }),
  }
}
