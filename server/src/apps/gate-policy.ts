// Which telecom checks run before a message goes to a number, and what do they lead to? Part of the app's settings.

import { Consent, maxAgeHours } from '@ringfence/contract'
import Type, { type Static } from 'typebox'

const { purpose, legalBasis, reference } = Consent.properties
const closed = { additionalProperties: false } as const

const Outcome = (description: string, ...outcomes: ('record' | 'stepUp' | 'refuse')[]) =>
  Type.Enum(outcomes, { description })

const check = {
  onFound: Outcome(
    'if the check finds it: `record` it and send the message, `stepUp` to another way, or `refuse`',
    'record',
    'stepUp',
    'refuse',
  ),
  onFailure: Type.Optional(
    Outcome(
      'if the check has no result: `record`, `stepUp` or `refuse`. Default: `record`, but `onFound` if the daily cost cap allows no check',
      'record',
      'stepUp',
      'refuse',
    ),
  ),
}

export const GatePolicy = Type.Object(
  {
    simSwap: Type.Optional(
      Type.Object(
        {
          maxAgeHours: Type.Optional(
            Type.Integer({ ...maxAgeHours, description: 'how far to look back, in hours; default: the operator’s' }),
          ),
          ...check,
        },
        { ...closed, description: 'has the SIM been swapped?' },
      ),
    ),
    callForwarding: Type.Optional(Type.Object(check, { ...closed, description: 'are calls forwarded?' })),
    portability: Type.Optional(Type.Object(check, { ...closed, description: 'has the number been ported?' })),
    stepUp: Type.Optional(
      Type.Object(
        {
          channel: Type.Enum(['OTP', 'MAGIC_LINK', 'OAUTH']),
          method: Type.String({
            minLength: 1,
            maxLength: 64,
            description: 'EMAIL, WHATSAPP, or the name of an identity provider',
          }),
        },
        {
          ...closed,
          description:
            'the other way to sign in. An email goes to an address that the number’s user verified before; without one the sign-in is refused',
        },
      ),
    ),
    consent: Type.Optional(
      Type.Object(
        { purpose, legalBasis, reference },
        { ...closed, description: 'what the checks state. Default: `consent.automatic` of the configuration file' },
      ),
    ),
    deadlineMs: Type.Optional(
      Type.Integer({ minimum: 100, maximum: 10_000, default: 3000, description: 'for all checks together, in ms' }),
    ),
  },
  {
    ...closed,
    description: 'Telecom checks that run before a message goes to a number, and what follows from them',
  },
)
export type GatePolicy = Static<typeof GatePolicy>

export type GateCheck = 'simSwap' | 'callForwarding' | 'portability'
export type GateOutcome = 'record' | 'stepUp' | 'refuse'
