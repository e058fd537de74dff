// Does this number belong to somebody else now? (CAMARA number-recycling)

import Type from 'typebox'
import { camaraCall, check } from './check.ts'
import { CalendarDate, PastDate } from './date-time.ts'

interface Question {
  readonly since: string
}

export const numberRecycling = check({
  name: 'numberRecycling',
  title: 'number recycling',
  summary: 'Has this number been given to another subscriber since a date?',
  Params: Type.Object({ since: PastDate('When you last knew whose number it is') }),
  example: { since: '2025-11-01' },
  Answer: Type.Object({
    recycled: Type.Boolean({ description: 'true: the number has had another subscriber since then' }),
    since: CalendarDate('The date that was asked for'),
  }),
  keyOf: ({ since }: Question) => since,
  isWarning: ({ recycled }) => recycled,
  reportsChange: true,
  camara: {
    api: 'number-recycling',
    identifier: 'phoneNumber',
    refusals: { OUT_OF_RANGE: { status: 400, means: 'parameters', hint: 'send a later date' } },
    calls: [
      camaraCall({
        resource: 'check',
        scope: 'number-recycling:check',
        body: ({ since }: Question) => ({ specifiedDate: since }),
        Body: { specifiedDate: PastDate('Date') },
        Response: Type.Object({ phoneNumberRecycled: Type.Boolean() }),
        read: ({ phoneNumberRecycled }, { since }: Question) => ({ recycled: phoneNumberRecycled, since }),
        served: {
          params: ({ specifiedDate }: { specifiedDate: string }) => ({ since: specifiedDate }),
          respond: ({ recycled }) => ({ phoneNumberRecycled: recycled }),
        },
      }),
    ],
  },
})
