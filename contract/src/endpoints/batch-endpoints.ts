// Which calls does a backend make to check many phone numbers at once?

import {
  Batch,
  BatchPage,
  BatchResult,
  BatchResultsRequest,
  batchTypes,
  CancelBatchRequest,
  CreateBatchRequest,
  ListBatchesRequest,
  ReadBatchRequest,
} from '../checks/batches.ts'
import { aboutConsent, type Endpoint, everyClientCall, refused } from './endpoint.ts'

const batches = {
  caller: 'client',
  scope: 'telecom',
  errorFormat: 'telecom',
  tag: 'Batches',
  accepted: 'Done',
} as const

const wrongField = {
  ...everyClientCall,
  400: refused('A field is wrong, or the body is not JSON', 'field-invalid', 'invalid-json'),
} as const
const ofOne = {
  ...wrongField,
  404: refused('There is no such batch of yours, or it has expired', 'batch-unknown'),
} as const

export const batchEndpoints = {
  createBatch: {
    ...batches,
    method: 'POST',
    path: '/v1/telecom/batches',
    summary: 'Check up to 100,000 phone numbers',
    description:
      'Stores the lines of the body and checks them in the background. CSV has a header with a column phoneNumber; NDJSON has an object with phoneNumber on each line. Other columns are returned with the results. A broken line gets an error of its own, and the others are checked. A number that is there twice is checked once.',
    accepted: 'The batch is stored; read it until its status is completed',
    request: CreateBatchRequest,
    sends: Object.values(batchTypes),
    idempotencyKey: true,
    answer: Batch,
    refusals: {
      ...everyClientCall,
      400: refused(
        'A check is wrong, the tenant requires another purpose, or the body has no number that can be checked',
        'field-invalid',
        'batch-invalid',
        ...aboutConsent,
      ),
      409: refused(
        'The Idempotency-Key was used with another body, or the tenant stores as many lines as it may',
        'idempotency-key-reused',
        'batches-limited',
      ),
      413: refused('The body is larger than 32 MiB', 'body-too-large'),
      415: refused('The body is not CSV or NDJSON, or is compressed', 'batch-type-unsupported'),
    },
  },
  readBatch: {
    ...batches,
    method: 'GET',
    path: '/v1/telecom/batches/{batchId}',
    summary: 'Read a batch',
    description: 'Returns how far a batch is, and what it has cost.',
    request: ReadBatchRequest,
    fieldFailures: { batchId: 'batchUnknown' },
    answer: Batch,
    refusals: ofOne,
  },
  readBatchResults: {
    ...batches,
    method: 'GET',
    path: '/v1/telecom/batches/{batchId}/results',
    summary: 'Read the results of a batch',
    description:
      'Returns the results in the order of the lines, as NDJSON or CSV, also while the batch is running: then those that are done. To continue, send the last line that you have read as `after`.',
    request: BatchResultsRequest,
    fieldFailures: { batchId: 'batchUnknown' },
    answer: BatchResult,
    returns: Object.values(batchTypes).toReversed(),
    refusals: ofOne,
  },
  listBatches: {
    ...batches,
    method: 'POST',
    path: '/v1/telecom/batches/list',
    summary: 'List batches',
    description: 'Returns the batches of the tenant in pages, newest first.',
    request: ListBatchesRequest,
    answer: BatchPage,
    refusals: wrongField,
  },
  cancelBatch: {
    ...batches,
    method: 'POST',
    path: '/v1/telecom/batches/cancel',
    summary: 'Cancel a batch',
    description:
      'Numbers in flight are finished; all others are not checked, and have an error that says so. Canceling a batch that has ended changes nothing.',
    request: CancelBatchRequest,
    answer: Batch,
    refusals: ofOne,
  },
} as const satisfies Record<string, Endpoint>
