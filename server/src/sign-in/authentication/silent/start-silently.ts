// How does a sign-in start without a message (SILENT)? The phone opens its operator's URL, and the network knows the SIM.

import { randomUUID } from 'node:crypto'
import type { FailureName, SignInStartRequest, SignInTransaction } from '@ringfence/contract'
import type { Provenance } from '../../../core/call.ts'
import { describeRefusal, Refusal } from '../../../core/errors.ts'
import { beginVerification } from '../../../telecom/number-verification/verification.ts'
import { identifySubject } from '../../../telecom/subject.ts'
import { signInInsert } from '../../store/sign-ins.ts'
import { defaultDeadlineMs, gateReasons, passGate } from '../gate.ts'
import { readRecipient } from '../messages/recipient.ts'
import { countSilentStartFor } from '../messages/reserve.ts'
import { readRedirectUrl } from '../redirect-url.ts'
import type { SignInNeeds } from '../room.ts'
import type { SignInContext } from '../sign-in-context.ts'
import { isFingerprinted, plainDevice } from '../sign-in-device.ts'
import { recordingRefusals, refused, started } from '../sign-in-events.ts'
import { startByMessage } from '../start-by-message.ts'
import {
  idHashOf,
  newReturnCode,
  newTransactionId,
  type Recipient,
  returningRecord,
  type SignInContent,
  sealContent,
} from '../transaction.ts'

/** In identities, events and metrics. */
const name = 'SILENT_AUTH'

/** In the app's setting `channels`. */
const settingName = 'SILENT'

/** Time for the phone to open the URL, and for the page to send the code. */
const lifetimeMs = 180_000

/**
 * Answers the operator's URL. When the operator verifies no phones, or too many starts were counted, sends an OTP instead, unless the app
 * has no fallback.
 *
 * The telecom gate decides here too, as the new SIM of a swapped number is verified like any other: a sign-in that it holds back looks
 * like every other one, and the phone is not verified.
 * Refuses with channelUnavailable, identityInvalid, invalidPhoneNumber, lineTypeRefused, countryRefused, redirectUrlRefused,
 * messagesLimited, silentUnavailable, and as `startByMessage` does.
 */
export async function startSilently(
  request: SignInStartRequest,
  context: SignInContext,
  needs: SignInNeeds,
): Promise<SignInTransaction> {
  const { settings, tenantId, appId, ipAddress, requestId } = context
  if (settings.channels && !settings.channels.includes(settingName)) {
    throw new Refusal('channelUnavailable', { methods: settings.channels.join(', ') || 'none' })
  }
  const recipient = readRecipient(request.identity, settings, 'identity.value')
  if (recipient.type !== 'MOBILE') throw new Refusal('identityInvalid')
  const redirectUrl = request.redirectUrl === undefined ? undefined : readRedirectUrl(request.redirectUrl, context)

  const transactionId = newTransactionId()
  const idHash = idHashOf(transactionId)
  const state = newReturnCode(idHash)
  const place = { appId, channel: name, method: name, recipient, ipAddress, requestId }
  const countedAt = needs.clock.now()
  const count = () => countSilentStartFor(recipient, context, needs)
  const counted = await (settings.silentFallback === 'NONE'
    ? recordingRefusals(place, context, needs, count)
    : unlessLimited(count()))
  // The phones of most people may be on Wi-Fi: then messages have limits of their own.
  if (!counted) return startByMessage({ ...request, channel: 'OTP' }, context, needs)
  const [gate, begun] = await Promise.all([
    settings.gate && passGate(recipient.value, settings.gate, context, needs),
    begin(recipient, state, context, needs),
  ])
  if (!begun) {
    if (settings.silentFallback === 'NONE') throw new Refusal('silentUnavailable')
    return startByMessage({ ...request, channel: 'OTP' }, context, needs)
  }

  const { url, ...verification } = begun
  const heldBack = gate !== undefined && gate.outcome !== 'record'
  const { sessionId, appName, pageOrigin: origin } = context
  const deviceInfo = plainDevice(request, context)
  const content: SignInContent = {
    transactionId,
    ...(sessionId !== undefined && { sessionId }),
    appName,
    recipient,
    ...(redirectUrl !== undefined && { redirectUrl }),
    ...(request.codeChallenge !== undefined && { codeChallenge: request.codeChallenge }),
    silent: { begun: verification, ...(origin !== undefined && { origin }) },
    ...(deviceInfo && { deviceInfo }),
    ...(request.dfrId !== undefined && { dfrId: request.dfrId }),
    ...(isFingerprinted(request) && { isFingerprinted: true }),
    ...(gate && { gate }),
    ...(heldBack && { heldBack }),
    ...(counted.isNew && { countedAt }),
  }
  const now = needs.clock.now()
  const keys = await needs.tenantKeyring.keysOf(tenantId)
  const opened = { idHash, tenantId, appId, channel: name, method: name, createdAt: now }
  const sealed = sealContent(keys, idHash, content)
  const insert = signInInsert(returningRecord({ ...opened, expiresAt: now + lifetimeMs, sealed }, state))
  const events = [
    started({ ...place, idHash }),
    ...(heldBack ? [refused({ ...place, idHash }, gateReasons(gate))] : []),
  ]
  const statements = [insert, ...(await needs.events.statements(tenantId, events))]
  needs.apps.storageBudget.take(appId, ipAddress, statements)
  await needs.database.batch(statements)
  needs.metrics.count('signInSteps', 'started', name)
  return {
    transactionId,
    channel: settingName,
    method: name,
    expiresAt: new Date(now + lifetimeMs).toISOString(),
    authorizationUrl: url,
    ...(settings.silentFallback === 'OTP' && { fallback: 'OTP' }),
  }
}

async function unlessLimited<Counted>(counting: Promise<Counted>): Promise<Counted | undefined> {
  try {
    return await counting
  } catch (error) {
    if (error instanceof Refusal && error.failure === 'messagesLimited') return undefined
    throw error
  }
}

/** The operator verifies no phones, nobody says who the operator is, or no purpose of the app admits that anybody is asked. */
const notPossible: readonly FailureName[] = [
  'numberVerificationUnsupported',
  'operatorUnknown',
  'costCapReached',
  'consentRequired',
  'consentNotAllowed',
]

async function begin(
  { value }: Recipient,
  state: string,
  { settings, tenantId, appId, requestId, signal, provenance }: SignInContext,
  needs: SignInNeeds,
) {
  // Not the answer's own: its age would show a stranger when somebody looked the number up.
  const ofLookUp: Provenance = { sandbox: false }
  const call = {
    requestId,
    correlator: randomUUID(),
    signal: AbortSignal.any([signal, AbortSignal.timeout(defaultDeadlineMs)]),
    provenance: ofLookUp,
    caller: { tenantId },
    consent: settings.gate?.consent ?? needs.telecom.purposes.automatic(tenantId),
  }
  try {
    const subject = await identifySubject(value, call, needs)
    return beginVerification(subject, { state }, call, needs)
  } catch (error) {
    if (!(error instanceof Refusal && notPossible.includes(error.failure))) throw error
    if (/^consent/.test(error.failure)) {
      needs.log.warn(
        { appId, tenantId, why: describeRefusal(error) },
        'SILENT verifies no phone: set gate.consent of the app, or consent.automatic',
      )
    }
    return undefined
  } finally {
    if (ofLookUp.sandbox) provenance.sandbox = true
  }
}
