// Are calls to this number forwarded? (specification 4.2; CAMARA call-forwarding-signal 0.4)

import Type from 'typebox'
import { camaraCall, check } from './check.ts'

const kinds = ['unconditional', 'conditional_busy', 'conditional_not_reachable', 'conditional_no_answer'] as const

type Kind = (typeof kinds)[number]

interface Found {
  active: boolean
  kinds?: Kind[]
}

interface Question {
  readonly conditional: boolean
  /** It leaves out what counts for this operator, so that its answer is not known as the answer of the check. */
  readonly isNarrow?: true
  /** Only a call that names the kinds answers it. */
  readonly needsKinds?: true
}

interface Params {
  /** Only our own CAMARA API asks this. */
  readonly asks?: 'unconditional' | 'kinds'
}

export const callForwarding = check({
  name: 'callForwarding',
  title: 'call forwarding',
  summary: 'Are calls to this number forwarded?',
  Params: Type.Object({}),
  example: {},
  Answer: Type.Object({
    active: Type.Boolean({ description: 'true: calls are forwarded' }),
    kinds: Type.Optional(
      Type.Array(Type.Enum([...kinds]), {
        maxItems: kinds.length,
        description: 'Every forwarding that is active, where the operator names them',
      }),
    ),
  }),
  Operator: Type.Object(
    {
      conditional: Type.Boolean({
        description: 'true: forwarding when busy, unanswered or unreachable counts too (mostly voicemail)',
      }),
    },
    { additionalProperties: false, description: 'which forwarding counts' },
  ),
  fill: ({ asks }: Params, { conditional = false }: { conditional?: boolean }): Question => ({
    conditional: conditional && asks !== 'unconditional',
    ...(conditional && asks === 'unconditional' && { isNarrow: true }),
    ...(asks === 'kinds' && { needsKinds: true }),
  }),
  keyOf({ conditional, needsKinds, isNarrow }: Question) {
    if (isNarrow) return undefined
    return needsKinds ? 'kinds' : conditional ? 'conditional' : ''
  },
  isWarning: ({ active }) => active,
  camara: {
    api: 'call-forwarding-signal',
    identifier: 'phoneNumber',
    calls: [
      camaraCall({
        resource: 'unconditional-call-forwardings',
        scope: 'call-forwarding-signal:unconditional-call-forwardings:read',
        answers: ({ conditional, needsKinds }: Question) => !conditional && !needsKinds,
        // CAMARA's schema does not require `active`, but a response without it answers nothing.
        Response: Type.Object({ active: Type.Boolean() }),
        read: ({ active }) => ({ active }),
        served: { params: () => ({ asks: 'unconditional' }), respond: ({ active }) => ({ active }) },
      }),
      camaraCall({
        resource: 'call-forwardings',
        scope: 'call-forwarding-signal:call-forwardings:read',
        Response: Type.Union([
          Type.Array(Type.Literal('inactive'), { minItems: 1, maxItems: 1 }),
          Type.Array(Type.Enum([...kinds]), { minItems: 1 }),
        ]),
        read(found, { conditional }: Question): Found {
          const active = (found as string[]).filter((kind): kind is Kind => kind !== 'inactive')
          return { active: active.some((kind) => kind === 'unconditional' || conditional), kinds: [...new Set(active)] }
        },
        served: {
          params: () => ({ asks: 'kinds' }),
          respond: ({ kinds }) => (kinds?.length === 0 ? ['inactive'] : kinds),
        },
      }),
    ],
  },
})
