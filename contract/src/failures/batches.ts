// How can a batch, or a line of it, fail? Those with 200 are errors of a line.

export const batchFailures = {
  batchUnknown: {
    status: 404,
    errorCode: 'P7355',
    message: 'Not Found',
    description: 'You have no batch with this batchId, or it has expired; list your batches, or send it again',
  },
  batchesLimited: {
    status: 409,
    errorCode: 'P7356',
    message: 'Conflict',
    description: 'The tenant has too many batches: {mistake}',
  },
  batchInvalid: {
    status: 400,
    errorCode: 'P7357',
    message: 'Invalid Request',
    description: 'The batch cannot be checked: {mistake}',
  },
  batchTypeUnsupported: {
    status: 415,
    errorCode: 'P7358',
    message: 'Unsupported Media Type',
    description: 'Send the lines not compressed, with the header Content-Type: text/csv or application/x-ndjson',
  },
  batchLineInvalid: {
    status: 200,
    errorCode: 'P7351',
    message: 'Invalid line',
    description: '{mistake}',
  },
  batchCanceled: {
    status: 200,
    errorCode: 'P7352',
    message: 'Batch canceled',
    description: 'The batch was canceled before this number was checked',
  },
  batchInterrupted: {
    status: 200,
    errorCode: 'P7353',
    message: 'Check interrupted',
    description:
      'A server stopped while it checked this number. The operator may have been called, so it is not called again; send the number in another batch to check it',
  },
  batchLineErased: {
    status: 200,
    errorCode: 'P7354',
    message: 'Number erased',
    description: 'The phone number of this line and its results were erased',
  },
} as const
