// What does the console send and receive to export and erase a person or device, and to show how long data is stored?

import Type, { type Static } from 'typebox'
import { closed, time } from '../../schema-parts.ts'
import { personal } from '../personal.ts'
import { Reason } from './personal-data.ts'

export const subjectKinds = ['userId', 'phoneNumber', 'email', 'deviceId'] as const

export const PrivacySubject = Type.Object(
  {
    kind: Type.Enum([...subjectKinds], { description: 'What the value is' }),
    value: Type.String({
      minLength: 1,
      maxLength: 256,
      description: 'Your id of the user; digits with country code; an email address; the deviceId of a report',
    }),
  },
  { $id: 'PrivacySubject', description: 'A person or a device' },
)
export type PrivacySubject = Static<typeof PrivacySubject>

export const ExportSubjectRequest = Type.Object(
  { subject: PrivacySubject, reason: Reason },
  { $id: 'ExportSubjectRequest' },
)
export type ExportSubjectRequest = Static<typeof ExportSubjectRequest>

/** An export through the admin API has at most this many records; the command has no limit. */
export const mostExportedRecords = 2000

export const SubjectExport = Type.Object(
  {
    exportedAt: time('When it was made'),
    complete: Type.Boolean({
      description: `False: there are more than ${mostExportedRecords} records. \`ringfence privacy export\` writes all of them`,
    }),
    records: Type.Array(
      Type.Object(
        {
          kind: Type.String({
            description:
              'event, decision, deviceReport, device, user, identity, importedCustomer, accountDevice, habits, signIn, telecomAnswer, entity, listEntry or auditLine',
          }),
          record: Type.Record(Type.String(), Type.Unknown(), { description: 'What is stored' }),
        },
        closed,
      ),
    ),
  },
  { $id: 'SubjectExport', ...closed, description: 'Everything that the store has about a person or device' },
)
export type SubjectExport = Static<typeof SubjectExport>

export const EraseSubjectRequest = Type.Object(
  {
    subject: PrivacySubject,
    reason: Reason,
    keepListEntries: Type.Optional(
      Type.Boolean({
        default: true,
        description: 'Whether entries of lists that name the subject stay, such as that of a proven fraudster',
      }),
    ),
  },
  { $id: 'EraseSubjectRequest' },
)
export type EraseSubjectRequest = Static<typeof EraseSubjectRequest>

/** What an erasure counts. A receipt of another version may have other kinds. */
export const erasedKinds = [
  ...['accountDevice', 'answerOfAChange', 'auditLine', 'batchLine', 'decision', 'delivery', 'deliveryAttempt'],
  ...['device', 'deviceReport', 'entity', 'event', 'habits', 'identity', 'importedContact', 'importedCustomer'],
  ...['label', 'listEntry', 'messageCount', 'numberOfAccount', 'numberVerification', 'seenOnDevice', 'signIn'],
  ...['telecomAnswer', 'user', 'visit', 'watch'],
] as const
export type ErasedKind = (typeof erasedKinds)[number]

export const ErasureReceipt = Type.Object(
  {
    version: Type.Literal(1),
    id: Type.String({ description: 'UUIDv7 of the erasure' }),
    erasedAt: time('When it was complete'),
    by: Type.String({ description: 'Who erased' }),
    reason: personal('text', Type.String({ description: 'As given' })),
    subject: Type.Object(
      {
        kind: Type.Enum([...subjectKinds]),
        salt: Type.String({ description: 'base64url' }),
        hash: Type.String({
          description:
            'scrypt (N 32768, r 8, p 1, 32 bytes) of the value with the salt, base64url: the value itself is not here',
        }),
      },
      closed,
    ),
    erased: Type.Record(Type.String(), Type.Integer(), {
      description: 'How many rows of each kind were deleted or stripped',
    }),
    kept: Type.Record(Type.String(), Type.Integer(), {
      description: 'How many rows of each kind were kept on purpose',
    }),
    remains: Type.Array(Type.String(), { description: 'What may remain for a time, and how long' }),
    publicKey: Type.String({ description: 'Ed25519 public key of the tenant for receipts, base64url' }),
    signature: Type.String({ description: 'Ed25519 over the receipt without this field, base64url' }),
  },
  { $id: 'ErasureReceipt', ...closed, description: 'What was erased, signed' },
)
export type ErasureReceipt = Static<typeof ErasureReceipt>

export const ListErasuresRequest = Type.Object(
  {
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 50, description: 'How many' })),
    before: Type.Optional(
      Type.String({
        pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
        description: 'The id of the last receipt of the page before',
      }),
    ),
  },
  { $id: 'ListErasuresRequest' },
)
export type ListErasuresRequest = Static<typeof ListErasuresRequest>

export const Erasures = Type.Object(
  { receipts: Type.Array(ErasureReceipt, { description: 'Newest first' }) },
  { $id: 'Erasures', ...closed, description: 'Receipts of erasures' },
)
export type Erasures = Static<typeof Erasures>

export const RetentionPeriod = Type.Object(
  {
    kind: Type.String({ description: 'What is stored' }),
    days: Type.Optional(Type.Number({ description: 'How long; absent: until somebody deletes it' })),
    setting: Type.Optional(Type.String({ description: 'The setting that says so' })),
    note: Type.String({ description: 'From when, and what else ends it' }),
  },
  { $id: 'RetentionPeriod', ...closed, description: 'How long a kind of data is stored' },
)
export type RetentionPeriod = Static<typeof RetentionPeriod>

export const Retention = Type.Object(
  { kinds: Type.Array(RetentionPeriod) },
  { $id: 'Retention', ...closed, description: 'How long each kind of data is stored' },
)
export type Retention = Static<typeof Retention>
