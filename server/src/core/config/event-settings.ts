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
  recordedEvents: Type.Enum(['usual', 'all'], {
    env: 'RECORDED_EVENTS',
    description:
      'Which events are recorded for search. `usual`: types on request, such as telecom checks and issued tokens, only while a receiver names them. `all`: always; each check and each token then costs a stored event.',
    default: 'usual',
  }),
  webhookTargets: Type.Enum(['public', 'any'], {
    env: 'WEBHOOK_TARGETS',
    description:
      'Where webhooks may be delivered. `public`: only over https, to public IP addresses. `any`: also over http and inside your network; then whoever adds a webhook can reach it.',
    default: 'public',
  }),
}
