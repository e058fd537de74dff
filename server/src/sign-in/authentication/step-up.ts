// Where does a step-up lead? To an identity provider, another method for the number, or a proven email address.

import type { FailureName } from '@ringfence/contract'
import { Refusal } from '../../core/errors.ts'
import { type MessagePlan, type MessageStart, planMessage } from './messages/plan.ts'
import type { SignInNeeds } from './room.ts'
import type { SignInContext } from './sign-in-context.ts'
import type { Recipient } from './transaction.ts'
import { provedBy, userWith } from './users.ts'

export type StepUp =
  | { readonly to: 'identityProvider'; readonly method: string }
  | { readonly to: 'recipient'; readonly plan: MessagePlan }

/** The app's settings and the policy do not fit, or the page sent no redirectUrl. */
const impossible: readonly FailureName[] = ['channelUnavailable', 'redirectUrlRefused']

/** Undefined if the policy has no step-up, or no channel of the app can deliver it. */
export async function planStepUp(
  { request, recipient, order }: MessagePlan,
  context: SignInContext,
  needs: SignInNeeds,
): Promise<StepUp | undefined> {
  const stepUp = context.settings.gate?.stepUp
  if (!stepUp) return undefined
  const { channel, method } = stepUp
  if (channel === 'OAUTH') return { to: 'identityProvider', method }
  const other: MessageStart = { ...request, channel, method }
  const email = await provenEmail(recipient, context, needs)
  for (const candidate of [email, recipient]) {
    try {
      if (candidate) return { to: 'recipient', plan: planMessage(other, candidate, context, needs, order) }
    } catch (error) {
      if (!(error instanceof Refusal && impossible.includes(error.failure))) throw error
    }
  }
  return undefined
}

/** The email address that the number's user proved last. */
async function provenEmail(
  number: Recipient,
  { tenantId }: SignInContext,
  needs: SignInNeeds,
): Promise<Recipient | undefined> {
  const userId = await userWith(tenantId, { identityType: number.type, identityValue: number.value }, needs)
  if (userId === undefined) return undefined
  const email = (await provedBy(tenantId, userId, needs)).find(({ identityType }) => identityType === 'EMAIL')
  return email && { type: 'EMAIL', value: email.identityValue }
}
