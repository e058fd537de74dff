// May a message go to this recipient? It is counted before it is sent, so that servers together stay within the limits.

import type { BatchStatement } from '../../../core/storage/database.ts'
import type { SignInNeeds } from '../room.ts'
import type { SignInContext } from '../sign-in-context.ts'
import type { Recipient } from '../transaction.ts'
import { isKnown } from '../users.ts'
import { countSilentStart, type Reservation, reserveMessage, reserveStepUp } from './limits.ts'
import { type Share, type ShareContext, withinShare } from './share.ts'

export interface RecipientReservation extends Reservation {
  /** No user has proved the number yet, so the message also counts for the number's range and country. */
  readonly isNew: boolean
  /** Whose part of the limits it used up. */
  readonly share: Share
}

type Context = ShareContext & Pick<SignInContext, 'ipAddress'>

/** Statements that are written in the commit that counts the message. */
type AlsoWritten = (isNew: boolean) => Promise<readonly BatchStatement[]>

/** For a first message and for a resend alike. Refuses with `messagesLimited`. */
export async function reserveFor(
  recipient: Recipient,
  context: Context,
  needs: SignInNeeds,
  alsoWritten: AlsoWritten = async () => [],
): Promise<RecipientReservation> {
  const { tenantId, appId, ipAddress } = context
  const isNew = await isNewNumber(recipient, tenantId, needs)
  const also = await alsoWritten(isNew)
  return withinShare(recipient, context, needs, async (share, counting) => {
    const reservation = await reserveMessage({ tenantId, appId, ipAddress, recipient, share, isNew }, counting, also)
    return { ...reservation, isNew, share }
  })
}

/**
 * For a start of SILENT: it may cost a call of a portability source, as a check of the gate does, and its verification one of the operator.
 * Refuses with `messagesLimited`. @returns whether it also counts for the number's range and country
 */
export async function countSilentStartFor(
  recipient: Recipient,
  context: Context,
  needs: SignInNeeds,
): Promise<{ isNew: boolean }> {
  const { tenantId, appId, ipAddress } = context
  const isNew = await isNewNumber(recipient, tenantId, needs)
  await withinShare(recipient, context, needs, (share, counting) =>
    countSilentStart({ tenantId, appId, ipAddress, recipient, share, isNew }, counting),
  )
  return { isNew }
}

async function isNewNumber(recipient: Recipient, tenantId: string, needs: SignInNeeds): Promise<boolean> {
  const identity = { identityType: recipient.type, identityValue: recipient.value }
  return recipient.type === 'MOBILE' && !(await isKnown(tenantId, identity, needs))
}

/** `reserveFor` of a message that goes another way than the page asked for: it counts as the one that was `asked`, so that no limit shows it. */
export async function reserveOtherWay(
  recipient: Recipient,
  asked: RecipientReservation,
  { tenantId }: Pick<SignInContext, 'tenantId'>,
  needs: SignInNeeds,
): Promise<RecipientReservation> {
  const ofRecipient = await reserveStepUp({ tenantId, recipient, share: asked.share }, needs)
  return {
    isNew: asked.isNew,
    share: asked.share,
    async giveBack(mayHaveLeft) {
      await Promise.all([asked, ofRecipient].map((reservation) => reservation.giveBack(mayHaveLeft)))
    },
  }
}
