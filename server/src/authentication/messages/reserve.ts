// May the planned message go out? It is counted before it is sent, so that servers together stay within the limits.

import type { Platform } from '../../platform.ts'
import type { SignInContext } from '../sign-in-context.ts'
import { isKnown } from '../users.ts'
import { type Reservation, reserveMessage } from './limits.ts'
import type { MessagePlan } from './plan.ts'

export interface PlanReservation extends Reservation {
  /** No user has proved the number yet, so the message also counts for the number's range and country. */
  readonly isNew: boolean
}

/** Refuses with `messagesLimited`. */
export async function reservePlan(
  { recipient }: MessagePlan,
  { tenantId, appId, ipAddress }: SignInContext,
  platform: Platform,
): Promise<PlanReservation> {
  const identity = { identityType: recipient.type, identityValue: recipient.value }
  const isNew = recipient.type === 'MOBILE' && !(await isKnown(tenantId, identity, platform))
  const reservation = await reserveMessage({ tenantId, appId, ipAddress, recipient, isNew }, platform)
  return { ...reservation, isNew }
}
