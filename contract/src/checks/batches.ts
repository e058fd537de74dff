// How does a backend check many phone numbers at once? A batch: up to 100,000 lines, checked in the background.

import Type, { type Static } from 'typebox'
import { InBodyError } from '../errors.ts'
import { closed, time } from '../schema-parts.ts'
import { Consent, consentFor } from './consent.ts'
import { Cost } from './cost.ts'
import { TelecomChecksResult } from './telecom-checks.ts'

const count = (description: string) => Type.Integer({ minimum: 0, description })

/** What a batch may have at most. */
export const batchLimits = {
  lines: 100_000,
  /** Of the whole body. */
  bytes: 32 * 2 ** 20,
  /** Of a line, without its end. */
  lineBytes: 2048,
  /** Beside the phone number. */
  columns: 20,
  columnName: 64,
} as const

/** What a line may be written as, and how results are returned. */
export const batchTypes = { csv: 'text/csv', ndjson: 'application/x-ndjson' } as const
export type BatchFormat = keyof typeof batchTypes

const batchId = Type.String({
  pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
  description: 'batchId of a batch',
})

const { purpose, legalBasis, reference } = Consent.properties

/** The query; the lines are the body. */
export const CreateBatchRequest = Type.Object(
  {
    checks: Type.String({
      minLength: 1,
      maxLength: 1000,
      description:
        'The checks to make for each number, separated by commas, each with its parameters: `simSwap:maxAge=72,deviceSwap`',
      examples: ['simSwap:maxAge=72,deviceSwap'],
    }),
    purpose: Type.Optional(purpose),
    legalBasis,
    reference,
  },
  { $id: 'CreateBatchRequest' },
)
export type CreateBatchRequest = Static<typeof CreateBatchRequest>

const batchStatuses = ['queued', 'running', 'canceling', 'canceled', 'completed'] as const
export type BatchStatus = (typeof batchStatuses)[number]

const BatchCounts = Type.Object(
  {
    total: count('Lines with or without a valid number; a CSV header and empty lines do not count'),
    done: count('Lines whose result can be read. When it equals total, the batch has ended'),
    answered: count('Of these: every check has an answer'),
    failed: count('Of these: a check has no answer, or none was made'),
    invalid: count('Of these: the line is broken, or its number is not a phone number'),
    duplicates: count('Of these: the number is in an earlier line too, so it was checked once'),
  },
  { $id: 'BatchCounts', ...closed, description: 'done = answered + failed + invalid' },
)
export type BatchCounts = Static<typeof BatchCounts>

export const Batch = Type.Object(
  {
    batchId: Type.String({ description: 'Identifies the batch' }),
    status: Type.Enum([...batchStatuses], {
      description:
        '`queued`: nothing was checked yet. `running`: being checked. `canceling`: numbers in flight are finished. `canceled` and `completed`: every line has a result',
    }),
    checks: Type.String({ description: 'The checks, as they were sent' }),
    consent: Type.Optional(consentFor('The purpose that each check of the batch states, as it was sent')),
    columns: Type.Array(Type.String(), { description: 'Columns beside the phone number, in the order of the results' }),
    counts: BatchCounts,
    errors: Type.Record(Type.String(), Type.Integer({ minimum: 1 }), {
      description: 'How many checks or lines have each error code: `{"P7345": 120}` when a cost cap was reached',
    }),
    cost: Type.Optional(Cost),
    sandbox: Type.Optional(Type.Literal(true, { description: 'Results of the sandbox operator are made up' })),
    linesPerSecond: Type.Optional(
      Type.Number({ minimum: 0, description: 'How fast it is being checked; only while it is running' }),
    ),
    createdAt: time('When its lines had arrived'),
    completedAt: Type.Optional(time('When it was completed or canceled')),
    expiresAt: time('When it is deleted with its results'),
  },
  { $id: 'Batch', ...closed, description: 'A batch of phone numbers' },
)
export type Batch = Static<typeof Batch>

export const ReadBatchRequest = Type.Object({ batchId }, { $id: 'ReadBatchRequest' })
export type ReadBatchRequest = Static<typeof ReadBatchRequest>

export const CancelBatchRequest = Type.Object({ batchId }, { $id: 'CancelBatchRequest' })
export type CancelBatchRequest = Static<typeof CancelBatchRequest>

export const ListBatchesRequest = Type.Object(
  {
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'How many batches a page has at most' }),
    ),
    cursor: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        pattern: '^[A-Za-z0-9_-]+$',
        description: 'nextCursor of the page before',
      }),
    ),
  },
  { $id: 'ListBatchesRequest' },
)
export type ListBatchesRequest = Static<typeof ListBatchesRequest>

export const BatchPage = Type.Object(
  {
    batches: Type.Array(Batch, { description: 'Newest first' }),
    nextCursor: Type.Optional(Type.String({ description: 'Send it as `cursor` for the next page; absent: no more' })),
  },
  { $id: 'BatchPage', ...closed, description: 'A page of batches' },
)
export type BatchPage = Static<typeof BatchPage>

export const BatchResultsRequest = Type.Object(
  {
    batchId,
    after: Type.Optional(
      Type.String({ pattern: '^[0-9]{1,7}$', description: 'Only lines after this one: the last that you have read' }),
    ),
    format: Type.Optional(
      Type.Enum(['ndjson', 'csv'], {
        description: '`ndjson` or `csv`. Default: what the Accept header names, else `ndjson`',
      }),
    ),
  },
  { $id: 'BatchResultsRequest' },
)
export type BatchResultsRequest = Static<typeof BatchResultsRequest>

export const BatchResult = Type.Object(
  {
    line: Type.Integer({ minimum: 1, description: 'The line in the body that was sent; a CSV header is line 1' }),
    phoneNumber: Type.Optional(Type.String({ description: 'As it was sent; absent: the line is broken' })),
    data: Type.Optional(
      Type.Record(Type.String(), Type.String(), { description: 'The other columns of the line, unchanged' }),
    ),
    duplicateOf: Type.Optional(
      Type.Integer({ minimum: 1, description: 'The earlier line with this number, whose result this is' }),
    ),
    phoneDetail: Type.Optional(TelecomChecksResult.properties.phoneDetail),
    checks: Type.Optional(TelecomChecksResult.properties.checks),
    error: Type.Optional(InBodyError),
  },
  {
    $id: 'BatchResult',
    ...closed,
    description: 'The result of a line: its checks, or the error that says why there are none',
  },
)
export type BatchResult = Static<typeof BatchResult>
