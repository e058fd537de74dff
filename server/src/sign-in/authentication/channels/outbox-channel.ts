// How can you try sign-in without a gateway? Messages go to the outbox of this process and are not sent.

import Type from 'typebox'
import type { ChannelKind, MessageChannel } from '../channel.ts'

const Config = Type.Object(
  {
    type: Type.Literal('outbox', { description: 'the kind of channel; for development: it sends nothing' }),
    recipient: Type.Enum(['MOBILE', 'EMAIL'], { description: 'what it pretends to deliver to' }),
    method: Type.Optional(
      Type.String({
        pattern: '^[A-Z][A-Z0-9_]{0,31}$',
        description: 'default: SMS for MOBILE, EMAIL for EMAIL',
      }),
    ),
  },
  { additionalProperties: false },
)

export const outboxChannel: ChannelKind<typeof Config> = {
  type: 'outbox',
  Config,
  create(name, { recipient, method = recipient === 'EMAIL' ? 'EMAIL' : 'SMS' }, { outbox, clock }): MessageChannel {
    return {
      form: 'message',
      name,
      method,
      recipient,
      async deliver({ tenantId, to, subject, text }) {
        outbox.put({ at: clock.now(), tenantId, method, to, subject, text })
      },
    }
  },
}
