// What does @ringfence/node export?

export type { Answer, AnswerMeta } from './answer.ts'
export type { BatchResult, BatchResultsRequest, CreateBatchRequest } from './batches.ts'
export type { DecideOptions, LocalDecision } from './decide.ts'
export { RingfenceError, type RingfenceErrorCode } from './error.ts'
export { type CodeExchange, type CodeExchangeRequest, newCodeVerifier } from './exchange-code.ts'
export { Ringfence } from './ringfence.ts'
export type { CallOptions, Fetch, RingfenceOptions } from './settings.ts'
export type * from './types.ts'
export { verifyWebhook, type WebhookDelivery, type WebhookEvent } from './webhook.ts'
