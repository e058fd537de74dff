// Which decision or device report has this id of the caller's? Found by what the request was sent with.

import Type, { type Static } from 'typebox'
import { closed, time } from '../../schema-parts.ts'

export const FindRecordsRequest = Type.Object(
  {
    dfrId: Type.Optional(
      Type.String({ pattern: '^[0-9a-f]{32}$', description: 'Of a device report: finds it, and its decisions' }),
    ),
    transaction: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 128,
        description: 'Your id of the transaction, which your backend sent as Idempotency-Key of the decision',
      }),
    ),
  },
  { $id: 'FindRecordsRequest', description: 'One of the two' },
)
export type FindRecordsRequest = Static<typeof FindRecordsRequest>

export const FoundRecords = Type.Object(
  {
    report: Type.Optional(
      Type.Object(
        {
          dfrId: Type.String(),
          requestId: Type.String({ description: 'Of the engine call: its events are found by it' }),
          at: time('When the device was analysed'),
          deviceId: Type.Optional(Type.String({ description: 'Absent when no device was recognised' })),
        },
        closed,
      ),
    ),
    decisions: Type.Array(Type.Object({ decisionId: Type.String(), createdAt: time('When it was made') }, closed), {
      description: 'Newest first, at most 20',
    }),
  },
  { $id: 'FoundRecords', ...closed, description: 'What is stored under an id of yours' },
)
export type FoundRecords = Static<typeof FoundRecords>
