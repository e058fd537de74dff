// What does an app ask of the operator before a message goes to a number? Part of the app's settings.

import { maxAgeHours } from '@ringfence/contract'
import Type, { type Static } from 'typebox'

const closed = { additionalProperties: false } as const

const Outcome = (description: string, ...outcomes: ('record' | 'stepUp' | 'refuse')[]) =>
  Type.Enum(outcomes, { description })

const check = {
  onFound: Outcome('when it is so: record and go on, go another way, or refuse', 'record', 'stepUp', 'refuse'),
  onFailure: Type.Optional({
    ...Outcome(
      'when it cannot be told: record and go on (default), go another way, or refuse',
      'record',
      'stepUp',
      'refuse',
    ),
    default: 'record',
  }),
}

export const GatePolicy = Type.Object(
  {
    simSwap: Type.Optional(
      Type.Object(
        {
          maxAgeHours: Type.Optional(
            Type.Integer({ ...maxAgeHours, description: 'how far to look back; the operator’s default where absent' }),
          ),
          ...check,
        },
        { ...closed, description: 'was the SIM swapped?' },
      ),
    ),
    callForwarding: Type.Optional(Type.Object(check, { ...closed, description: 'are calls forwarded?' })),
    portability: Type.Optional(Type.Object(check, { ...closed, description: 'was the number ported?' })),
    stepUp: Type.Optional(
      Type.Object(
        {
          channel: Type.Enum(['OTP', 'MAGIC_LINK', 'OAUTH']),
          method: Type.String({ minLength: 1, maxLength: 64, description: 'EMAIL, WHATSAPP, the name of a provider' }),
        },
        {
          ...closed,
          description:
            'the other way; e-mail goes to an address that the user of the number proved before, and is refused where there is none',
        },
      ),
    ),
    deadlineMs: Type.Optional(
      Type.Integer({ minimum: 100, maximum: 10_000, default: 3000, description: 'for all checks together' }),
    ),
  },
  {
    ...closed,
    description: 'What is asked of the operator before a message goes to a number, and what follows from it',
  },
)
export type GatePolicy = Static<typeof GatePolicy>

export type GateCheck = 'simSwap' | 'callForwarding' | 'portability'
export type GateOutcome = 'record' | 'stepUp' | 'refuse'
