// Which headers do requests and responses have? Names are case-insensitive.

/** Headers of a request. */
export const requestHeaders = {
  clientId: { required: true, description: 'Client id' },
  clientSecret: { required: true, description: 'Client secret; never use it in client-side code' },
  'x-request-id': {
    required: false,
    description: 'Your id of the request, used when it matches [A-Za-z0-9._:-]{1,128}',
  },
  'x-correlator': { required: false, description: 'CAMARA correlator, passed to the operator when it is well-formed' },
  'x-ringfence-deadline-ms': {
    required: false,
    description: 'Maximum time for the answer in milliseconds, 100 to 30000; default 5000',
  },
} as const

/** Header of the endpoints that have `idempotencyKey`. */
export const idempotencyKeyHeader = {
  name: 'Idempotency-Key',
  description:
    'Your id of the request, 1 to 255 letters, digits or ._:- ; a request that is repeated with it gets the same answer and has no further effect',
} as const

export const idempotencyKeyPattern = /^[A-Za-z0-9._:-]{1,255}$/

/** Headers of a response. */
export const answerHeaders = {
  'x-request-id': 'Id of the request, for support',
  'x-correlator': 'CAMARA correlator of the request',
  'x-ringfence-notice':
    'Says what is wrong with the body: unknown fields, which were ignored; with 400, the field and what to send',
  'x-ringfence-sandbox': 'true when the data comes from the sandbox operator',
  age: 'Age of a cached answer of an operator or portability source, in seconds',
} as const

/** Further headers of a refusal, by its status. */
export const refusalHeaders: Readonly<Record<number, Readonly<Record<string, string>>>> = {
  405: { allow: 'The methods of this path' },
  429: {
    'retry-after': 'Seconds to wait',
    ratelimit: 'The remaining quota (draft-ietf-httpapi-ratelimit-headers)',
    'ratelimit-policy': 'The quota and its window in seconds',
  },
  503: { 'retry-after': 'Seconds to wait' },
}

/** Headers of endpoints that may call an operator or a portability source. */
export const telecomOnly: readonly string[] = ['x-ringfence-deadline-ms', 'x-ringfence-sandbox', 'age']

/** CAMARA's pattern of x-correlator (CAMARA Commonalities, XCorrelator). */
export const correlatorPattern = /^[a-zA-Z0-9\-_:;./<>{}]{1,256}$/

export const requestIdPattern = /^[A-Za-z0-9._:-]{1,128}$/

export const deadlineMs = { minimum: 100, maximum: 30_000, default: 5_000 } as const
/** Of a decision: what has not arrived by then is missing. */
export const decisionDeadlineMs = { ...deadlineMs, default: 1_000 } as const
