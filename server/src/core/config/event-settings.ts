// Which settings do events have?

import Type from 'typebox'

export const eventSettings = {
  eventDays: Type.Integer({
    env: 'EVENT_DAYS',
    description:
      'Days for which events are stored, for search and replay; PostgreSQL removes a day at a time. An event that no receiver could accept by then is lost.',
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
  amountParam: Type.String({
    env: 'AMOUNT_PARAM',
    description:
      'Which of the `params` of a decision is its amount. The page Performance adds it up, by the currency in `CURRENCY_PARAM`.',
    minLength: 1,
    maxLength: 64,
    default: 'amount',
  }),
  currencyParam: Type.String({
    env: 'CURRENCY_PARAM',
    description: 'Which of the `params` of a decision is the currency of its amount, an ISO 4217 code.',
    minLength: 1,
    maxLength: 64,
    default: 'currency',
  }),
  webhookTargets: Type.Enum(['public', 'any'], {
    env: 'WEBHOOK_TARGETS',
    description:
      'Where webhooks may be delivered. `public`: only over https, to public IP addresses. `any`: also over http and inside your network; then whoever adds a webhook can reach it.',
    default: 'public',
  }),
}
