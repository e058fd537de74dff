// May a message go to this recipient? It is counted before it is sent, so that servers together stay within the limits.

import type { Platform } from '../../platform.ts'
import type { SignInContext } from '../sign-in-context.ts'
import type { Recipient } from '../transaction.ts'
import { isKnown } from '../users.ts'
import { countSilentStart, type Reservation, reserveMessage, reserveStepUp } from './limits.ts'

export interface RecipientReservation extends Reservation {
  /** No user has proved the number yet, so the message also counts for the number's range and country. */
  readonly isNew: boolean
}

/** For a first message and for a resend alike. Refuses with `messagesLimited`. */
export async function reserveFor(
  recipient: Recipient,
  { tenantId, appId, ipAddress }: Pick<SignInContext, 'tenantId' | 'appId' | 'ipAddress'>,
  platform: Platform,
): Promise<RecipientReservation> {
  const isNew = await isNewNumber(recipient, tenantId, platform)
  const reservation = await reserveMessage({ tenantId, appId, ipAddress, recipient, isNew }, platform)
  return { ...reservation, isNew }
}

/** For a start of SILENT. Refuses with `messagesLimited`. @returns whether it also counts for the number's range and country */
export async function countSilentStartFor(
  recipient: Recipient,
  { tenantId, appId, ipAddress }: Pick<SignInContext, 'tenantId' | 'appId' | 'ipAddress'>,
  platform: Platform,
): Promise<{ isNew: boolean }> {
  const isNew = await isNewNumber(recipient, tenantId, platform)
  await countSilentStart({ tenantId, appId, ipAddress, recipient, isNew }, platform)
  return { isNew }
}

async function isNewNumber(recipient: Recipient, tenantId: string, platform: Platform): Promise<boolean> {
  const identity = { identityType: recipient.type, identityValue: recipient.value }
  return recipient.type === 'MOBILE' && !(await isKnown(tenantId, identity, platform))
}

/** `reserveFor` of a message that goes another way than the page asked for: it counts as the one that was `asked`, so that no limit shows it. */
export async function reserveOtherWay(
  recipient: Recipient,
  asked: RecipientReservation,
  { tenantId }: Pick<SignInContext, 'tenantId'>,
  platform: Platform,
): Promise<RecipientReservation> {
  const ofRecipient = await reserveStepUp({ tenantId, recipient }, platform)
  return {
    isNew: asked.isNew,
    async giveBack(mayHaveLeft) {
      await Promise.all([asked, ofRecipient].map((reservation) => reservation.giveBack(mayHaveLeft)))
    },
  }
}
