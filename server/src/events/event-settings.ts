// Which settings do events have?

import Type from 'typebox'

export const eventSettings = {
  eventDays: Type.Integer({
    env: 'EVENT_DAYS',
    description:
      'Days for which events are stored, for search and replay. An event that no receiver could accept by then is lost.',
    minimum: 4,
    maximum: 3650,
    default: 30,
  }),
  webhookTargets: Type.Enum(['public', 'any'], {
    env: 'WEBHOOK_TARGETS',
    description:
      'Where webhooks may be delivered. `public`: only over https, to public IP addresses. `any`: also over http and inside your network; then whoever adds a webhook can reach it.',
    default: 'public',
  }),
}
