// What does the audit log of a tenant say, and has anybody changed it?

import Type, { type Static } from 'typebox'
import { closed, time } from '../../schema-parts.ts'

const when = (description: string) =>
  Type.String({
    pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}(:\\d{2}(\\.\\d{1,3})?)?Z$',
    description: `${description}; ISO 8601 UTC`,
  })
const number = (description: string) => Type.Integer({ minimum: 0, maximum: 999_999_999, description })

export const AuditLine = Type.Object(
  {
    number: Type.Integer({ description: 'Place in the log, from 1, without gaps' }),
    at: time('When it happened'),
    actor: Type.String({ description: '`person:…`, `client:…` or `command:…`' }),
    action: Type.String({ description: 'Name of the call, or signIn, signOut, signInFailed, refused, invite' }),
    details: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'Who in words, role, requestId, IP address, and what was sent. An erased value is `[erased]`',
      }),
    ),
    erased: Type.Boolean({ description: 'Whether personal data in the details was erased. The chain still holds' }),
    hash: Type.String({ description: 'Keyed hash of this line and the one before, hexadecimal' }),
  },
  { $id: 'AuditLine', ...closed, description: 'Who did what, when and from where' },
)
export type AuditLine = Static<typeof AuditLine>

export const ListAuditRequest = Type.Object(
  {
    actor: Type.Optional(
      Type.String({ pattern: '^(person|client|command):\\S{1,128}$', description: 'Only of this actor' }),
    ),
    action: Type.Optional(Type.String({ pattern: '^[A-Za-z]{1,64}$', description: 'Only this action' })),
    from: Type.Optional(when('Not before')),
    to: Type.Optional(when('Before')),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: 'Lines in a page; default 50' })),
    cursor: Type.Optional(Type.String({ pattern: '^[0-9]{1,9}$', description: '`next` of the page before' })),
  },
  { $id: 'ListAuditRequest' },
)
export type ListAuditRequest = Static<typeof ListAuditRequest>

export const AuditPage = Type.Object(
  {
    lines: Type.Array(AuditLine, { description: 'Newest first' }),
    next: Type.Optional(
      Type.String({ description: 'Cursor of the next page. A page may be short, or empty, and have one' }),
    ),
  },
  { $id: 'AuditPage', ...closed, description: 'Lines of the audit log' },
)
export type AuditPage = Static<typeof AuditPage>

export const ExportAuditRequest = Type.Object(
  {
    after: Type.Optional(number('Lines after this number; default 0, from the first')),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, description: 'Lines in a slice; default 500' })),
  },
  { $id: 'ExportAuditRequest' },
)
export type ExportAuditRequest = Static<typeof ExportAuditRequest>

export const AuditSlice = Type.Object(
  {
    lines: Type.Array(AuditLine, { description: 'Oldest first' }),
    next: Type.Optional(Type.Integer({ description: '`after` of the next slice; absent at the end' })),
  },
  { $id: 'AuditSlice', ...closed, description: 'A slice of the audit log' },
)
export type AuditSlice = Static<typeof AuditSlice>

export const VerifyAuditRequest = Type.Object(
  {
    after: Type.Optional(number('Check the lines after this number; default 0')),
    head: Type.Optional(
      Type.String({
        pattern: '^[0-9a-f]{64}$',
        description: 'Hash of the line `after`: `head` of the slice before, or one that you noted',
      }),
    ),
  },
  { $id: 'VerifyAuditRequest' },
)
export type VerifyAuditRequest = Static<typeof VerifyAuditRequest>

export const VerifiedAudit = Type.Object(
  {
    lines: Type.Integer({ description: 'Number of the last line that was checked' }),
    erased: Type.Integer({
      description:
        'Lines of this slice with erased personal data. Their place in the chain, and that the service erased it, was checked',
    }),
    head: Type.Optional(Type.String({ description: 'Hash of the last line. Note it: a shorter log has another one' })),
    next: Type.Optional(Type.Integer({ description: '`after` of the next slice; absent at the end' })),
    broken: Type.Optional(
      Type.Object(
        { number: Type.Integer(), reason: Type.String() },
        { ...closed, description: 'The first line that is wrong. Absent when the log is intact' },
      ),
    ),
  },
  { $id: 'VerifiedAudit', ...closed, description: 'Whether lines were changed or deleted' },
)
export type VerifiedAudit = Static<typeof VerifiedAudit>
