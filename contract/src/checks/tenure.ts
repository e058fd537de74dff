// How long has the subscriber had this number? (CAMARA kyc-tenure 0.2)

import Type from 'typebox'
import { camaraCall, check } from './check.ts'
import { CalendarDate, PastDate } from './date-time.ts'

interface Question {
  readonly since: string
}

const contractTypes = { PAYG: 'PREPAID', PAYM: 'CONTRACT', Business: 'BUSINESS' } as const

export const tenure = check({
  name: 'tenure',
  title: 'tenure',
  summary: 'Has the subscriber had this number without interruption since a date?',
  Params: Type.Object({ since: PastDate('Since when') }),
  example: { since: '2025-11-01' },
  Answer: Type.Object({
    held: Type.Boolean({ description: 'true: the same subscriber has had the number since then' }),
    since: CalendarDate('The date that was asked for'),
    contractType: Type.Optional(
      Type.Enum(['PREPAID', 'CONTRACT', 'BUSINESS'], {
        description: 'Kind of contract, where the operator reports it',
      }),
    ),
  }),
  keyOf: ({ since }: Question) => since,
  isWarning: ({ held }) => !held,
  camara: {
    api: 'kyc-tenure',
    identifier: 'phoneNumber',
    refusals: { OUT_OF_RANGE: { status: 400, means: 'parameters', hint: 'send a later date' } },
    calls: [
      camaraCall({
        resource: 'check-tenure',
        scope: 'kyc-tenure:check-tenure',
        body: ({ since }: Question) => ({ tenureDate: since }),
        Body: { tenureDate: PastDate('Date') },
        Response: Type.Object({
          tenureDateCheck: Type.Boolean(),
          contractType: Type.Optional(Type.Enum(['PAYG', 'PAYM', 'Business'])),
        }),
        read: ({ tenureDateCheck, contractType }, { since }: Question) => ({
          held: tenureDateCheck,
          since,
          ...(contractType && { contractType: contractTypes[contractType] }),
        }),
        served: {
          params: ({ tenureDate }: { tenureDate: string }) => ({ since: tenureDate }),
          respond({ held, contractType }) {
            const [camaraType] = Object.entries(contractTypes).find(([, type]) => type === contractType) ?? []
            return { tenureDateCheck: held, ...(camaraType !== undefined && { contractType: camaraType }) }
          },
        },
      }),
    ],
  },
})
