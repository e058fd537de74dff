// How does a sign-in start with a message? Plan it, reserve it within the limits, pass the telecom gate, send it once.

import type { FailureName, SignInTransaction } from '@ringfence/contract'
import type { GatePolicy } from '../../apps/gate-policy.ts'
import { Refusal } from '../../core/errors.ts'
import { type GateFindings, passGate } from './gate.ts'
import { countGateCheck } from './messages/limits.ts'
import { type BackendOrder, type MessagePlan, type MessageStart, planMessage } from './messages/plan.ts'
import { readRecipient } from './messages/recipient.ts'
import { hashOfStart } from './messages/repeated-start.ts'
import { type RecipientReservation, reserveFor, reserveOtherWay } from './messages/reserve.ts'
import { type FirstMessage, sendFirst } from './messages/send.ts'
import { startOnce } from './messages/simultaneous-starts.ts'
import type { SignInNeeds } from './room.ts'
import type { SignInContext } from './sign-in-context.ts'
import { recordingRefusals } from './sign-in-events.ts'
import { startByRedirect } from './start-by-redirect.ts'
import { planStepUp } from './step-up.ts'
import type { Recipient } from './transaction.ts'

/**
 * Sends an OTP or a magic link. If the gate asks for a step-up, the message goes another way, or
 * the person is sent to an identity provider. Refuses as its steps do.
 */
export async function startByMessage(
  request: MessageStart,
  context: SignInContext,
  needs: SignInNeeds,
  order?: BackendOrder,
): Promise<SignInTransaction> {
  const recipient = readRecipient(request.identity, context.settings, order?.numberField ?? 'identity.value')
  const plan = planMessage(request, recipient, context, needs, order)
  const startHash = await hashOfStart(plan, context, needs)
  const { appId, ipAddress, requestId } = context
  const place = { appId, channel: request.channel, method: plan.channel.method, recipient, ipAddress, requestId }
  const policy = recipient.type === 'MOBILE' ? context.settings.gate : undefined
  return startOnce(startHash, policy !== undefined, context, needs, () =>
    recordingRefusals(place, context, needs, () =>
      policy
        ? startGated({ request, plan, startHash, policy }, context, needs)
        : sendFirst({ plan, startHash, since: performance.now() }, context, needs),
    ),
  )
}

interface GatedStart {
  readonly request: MessageStart
  readonly plan: MessagePlan
  readonly startHash: Uint8Array
  readonly policy: GatePolicy
}

/**
 * Whether the gate lets the message go, holds it back, or sends it another way, the page gets the same answer: the numbers of swapped
 * SIMs are worth money. Only a step-up to an identity provider shows, as the person must be sent there.
 */
async function startGated(
  { request, plan, startHash, policy }: GatedStart,
  context: SignInContext,
  needs: SignInNeeds,
): Promise<SignInTransaction> {
  const reservation = await reserveFor(plan.recipient, context, needs)
  const gate = await checkedByGate(plan.recipient, policy, reservation, context, needs)
  const first = { plan, startHash, gate, reservation, since: performance.now() }
  if (gate.outcome === 'record') return sendFirst(first, context, needs)
  const stepUp = gate.outcome === 'stepUp' ? await planStepUp(plan, context, needs) : undefined
  try {
    if (stepUp?.to === 'identityProvider') {
      const started = { ...request, channel: 'OAUTH', method: stepUp.method } as const
      return await startByRedirect(started, context, needs, gate)
    }
    if (stepUp)
      return await sendFirst({ ...first, ...(await steppedUp(stepUp.plan, first, context, needs)) }, context, needs)
  } catch (error) {
    if (!(error instanceof Refusal && notPossible.includes(error.failure))) throw error
  }
  return sendFirst({ ...first, heldBack: true }, context, needs)
}

/** Only a message that the limits let pass is checked. */
async function checkedByGate(
  recipient: Recipient,
  policy: GatePolicy,
  reservation: RecipientReservation,
  context: SignInContext,
  needs: SignInNeeds,
): Promise<GateFindings> {
  const { tenantId, ipAddress } = context
  try {
    await countGateCheck({ tenantId, ipAddress, recipient, share: reservation.share }, needs)
  } catch (refusal) {
    await reservation.giveBack()
    throw refusal
  }
  return passGate(recipient.value, policy, context, needs)
}

/** The step-up does not fit the app or the request, or its recipient gets no more messages. */
const notPossible: readonly FailureName[] = ['channelUnavailable', 'redirectUrlRefused', 'messagesLimited']

async function steppedUp(
  plan: MessagePlan,
  { plan: asked, reservation }: Pick<FirstMessage, 'plan'> & { readonly reservation: RecipientReservation },
  context: SignInContext,
  needs: SignInNeeds,
) {
  const isSame = plan.recipient.type === asked.recipient.type && plan.recipient.value === asked.recipient.value
  return {
    plan,
    asked,
    reservation: isSame ? reservation : await reserveOtherWay(plan.recipient, reservation, context, needs),
  }
}
