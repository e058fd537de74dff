// Which codes and links did a sandbox show in place of sending them? A backend's test reads them, and the console.

import type { OutboxMessages } from '@ringfence/contract'
import { Refusal } from '../../../core/errors.ts'
import { readEmailAddress } from '../../../email/email-address.ts'
import { comparedDigits } from '../../../phone/read-number.ts'
import type { Outbox } from './outbox.ts'

/** @param to only messages to this recipient, in any form in which people write it. Those of the tenant, newest first. Refuses with `outboxClosed` outside of a sandbox. */
export function shownMessages(outbox: Outbox, ofTenant: string, to?: string): OutboxMessages {
  if (!outbox.isShown()) throw new Refusal('outboxClosed')
  const recipient = to === undefined ? undefined : recipientOf(to)
  const found = outbox
    .messages()
    .filter((each) => each.tenantId === ofTenant && (recipient === undefined || each.to === recipient))
  return {
    messages: found
      .toReversed()
      .map(({ at, tenantId: _, ...message }) => ({ at: new Date(at).toISOString(), ...message })),
  }
}

/** As messages name it. */
const recipientOf = (to: string): string => comparedDigits(to) ?? readEmailAddress(to).address ?? to
