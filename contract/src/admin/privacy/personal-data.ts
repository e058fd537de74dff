// What does a role send that sees personal data masked, to see one record in clear?

import Type, { type Static } from 'typebox'
import { DeviceReportRequest } from '../../device-report/device-report.ts'
import { closed } from '../../schema-parts.ts'
import { personal } from '../personal.ts'

export const revealable = ['decision', 'deviceReport', 'event', 'device', 'user', 'phoneNumber'] as const
export type Revealable = (typeof revealable)[number]

export const Reason = Type.String({
  minLength: 3,
  maxLength: 500,
  pattern: '\\S',
  description: 'Why you need it, for the audit log: such as the number of a ticket',
})

export const RevealRequest = Type.Object(
  {
    kind: Type.Enum([...revealable], { description: 'What the record is' }),
    id: Type.String({
      minLength: 1,
      maxLength: 256,
      description:
        'Its decisionId, dfrId, id of the event, deviceId, userId, or the digits of the number with country code',
    }),
    deviceType: Type.Optional({
      ...DeviceReportRequest.properties.deviceType,
      description: 'Of a device report: WEB (default), IOS or ANDROID',
    }),
    reason: Reason,
  },
  { $id: 'RevealRequest' },
)
export type RevealRequest = Static<typeof RevealRequest>

export const Revealed = Type.Object(
  {
    kind: Type.Enum([...revealable]),
    id: Type.String({ description: 'As requested' }),
    record: Type.Record(Type.String(), Type.Unknown(), {
      description: 'As its own endpoint returns it to a role that may read personal data',
    }),
  },
  { $id: 'Revealed', ...closed, description: 'One record, in clear' },
)
export type Revealed = Static<typeof Revealed>

export const ListRevealsRequest = Type.Object(
  {
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 50, description: 'How many' })),
    cursor: Type.Optional(Type.String({ pattern: '^[0-9]{1,9}$', description: '`next` of the page before' })),
  },
  { $id: 'ListRevealsRequest' },
)
export type ListRevealsRequest = Static<typeof ListRevealsRequest>

export const Reveals = Type.Object(
  {
    reveals: Type.Array(
      Type.Object(
        {
          line: Type.Integer({ description: 'Number of the line in the audit log' }),
          at: Type.String({ description: 'When; ISO 8601 UTC' }),
          by: Type.String({ description: 'Who revealed it: a name, or the actor when the details were erased' }),
          kind: Type.Optional(Type.Enum([...revealable], { description: 'What the record is' })),
          reason: Type.Optional(personal('text', Type.String({ description: 'As given' }))),
        },
        closed,
      ),
      { description: 'Newest first. `kind` and `reason` are absent when its subject was erased' },
    ),
    next: Type.Optional(
      Type.String({ description: 'Cursor of the next page. A page may be short, or empty, and have one' }),
    ),
  },
  { $id: 'Reveals', ...closed, description: 'Who saw which kind of record in clear, and why' },
)
export type Reveals = Static<typeof Reveals>
