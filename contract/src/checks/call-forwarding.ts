// Are calls to this number forwarded? (specification 4.2; CAMARA call-forwarding-signal 0.4)

import Type from 'typebox'
import { camaraCall, check } from './check.ts'

const kinds = ['unconditional', 'conditional_busy', 'conditional_not_reachable', 'conditional_no_answer'] as const

interface Question {
  readonly conditional: boolean
}

export const callForwarding = check({
  name: 'callForwarding',
  title: 'call forwarding',
  summary: 'Are calls to this number forwarded?',
  Params: Type.Object({}),
  Answer: Type.Object({
    active: Type.Boolean({ description: 'true: calls are forwarded' }),
  }),
  Operator: Type.Object(
    {
      conditional: Type.Boolean({
        description: 'true: forwarding when busy, unanswered or unreachable counts too (mostly voicemail)',
      }),
    },
    { additionalProperties: false, description: 'which forwarding counts' },
  ),
  fill: (_params, { conditional = false }: { conditional?: boolean }): Question => ({ conditional }),
  keyOf: ({ conditional }: Question) => (conditional ? 'conditional' : ''),
  isWarning: ({ active }) => active,
  camara: {
    api: 'call-forwarding-signal',
    path: '/call-forwarding-signal/v0.4',
    identifier: 'phoneNumber',
    calls: [
      camaraCall({
        resource: 'unconditional-call-forwardings',
        scope: 'call-forwarding-signal:unconditional-call-forwardings:read',
        answers: ({ conditional }: Question) => !conditional,
        // CAMARA's schema does not require `active`, but a response without it answers nothing.
        Response: Type.Object({ active: Type.Boolean() }),
        read: ({ active }) => ({ active }),
      }),
      camaraCall({
        resource: 'call-forwardings',
        scope: 'call-forwarding-signal:call-forwardings:read',
        Response: Type.Union([
          Type.Array(Type.Literal('inactive'), { minItems: 1, maxItems: 1 }),
          Type.Array(Type.Enum([...kinds]), { minItems: 1 }),
        ]),
        read: (found, { conditional }: Question) => ({
          active: (found as string[]).some((kind) => kind === 'unconditional' || (conditional && kind !== 'inactive')),
        }),
      }),
    ],
  },
})
