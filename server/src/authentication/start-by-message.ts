// How does a sign-in start with a message? Plan it, reserve it within the limits, pass the telecom gate, send it once.

import type { SignInTransaction } from '@ringfence/contract'
import { Refusal } from '../errors.ts'
import type { Platform } from '../platform.ts'
import { type GateFindings, passGate } from './gate.ts'
import { type BackendOrder, type MessagePlan, type MessageStart, planMessage } from './messages/plan.ts'
import { readRecipient } from './messages/recipient.ts'
import { answerAsFirst, findFirstStart, hashOfStart } from './messages/repeated-start.ts'
import { reservePlan } from './messages/reserve.ts'
import { sendFirst } from './messages/send.ts'
import type { SignInContext } from './sign-in-context.ts'
import { startByRedirect } from './start-by-redirect.ts'
import { planStepUp } from './step-up.ts'

/**
 * Sends an OTP or a magic link. If the gate asks for a step-up, the message goes another way, or
 * the person is sent to an identity provider. Refuses as its steps do, and with `gateRefused`.
 */
export async function startByMessage(
  request: MessageStart,
  context: SignInContext,
  platform: Platform,
  order?: BackendOrder,
): Promise<SignInTransaction> {
  const numberField = order ? 'phoneNumber' : 'identity.value'
  const recipient = readRecipient(request.identity, context.settings, numberField)
  const plan = planMessage(request, recipient, context, platform, order)
  const startHash = await hashOfStart(plan, context, platform)
  const first = await findFirstStart(startHash, context, platform)
  if (first) return answerAsFirst(first, platform)

  const reservation = await reservePlan(plan, context, platform)
  const gate = await checkNumber(plan, context, platform)
  if (gate?.outcome === 'refuse') throw new Refusal('gateRefused')
  if (gate?.outcome !== 'stepUp') return sendFirst({ plan, startHash, gate, reservation }, context, platform)

  await reservation.giveBack()
  const stepUp = await planStepUp(plan, context, platform)
  if (!stepUp) throw new Refusal('gateRefused')
  if (stepUp.to === 'identityProvider') {
    return startByRedirect({ ...request, channel: 'OAUTH', method: stepUp.method }, context, platform, gate)
  }
  const stepUpReservation = await reservePlan(stepUp.plan, context, platform)
  return sendFirst({ plan: stepUp.plan, startHash, gate, reservation: stepUpReservation }, context, platform)
}

async function checkNumber(
  { recipient }: MessagePlan,
  context: SignInContext,
  platform: Platform,
): Promise<GateFindings | undefined> {
  const { gate } = context.settings
  return gate && recipient.type === 'MOBILE' ? passGate(recipient.value, gate, context, platform) : undefined
}
