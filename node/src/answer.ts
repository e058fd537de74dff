// What does a response say? Returns what the contract defines, or throws a RingfenceError.

import { endpoints, shapes } from './endpoints.ts'
import { RingfenceError, type RingfenceErrorCode } from './error.ts'
import { isNoService } from './hints.ts'
import { mismatch, type Shape } from './shape.ts'
import type { Calls } from './types.ts'

/** Headers of the response. */
export interface AnswerMeta {
  /** Id of the request in the service's log. */
  readonly requestId: string
  readonly correlator: string | undefined
  /** Age in seconds, when the service reused an earlier answer of the operator or portability source. */
  readonly ageSeconds: number | undefined
  /** true: the data is made up, by the sandbox operator. */
  readonly sandbox: boolean
  /** What the service noticed about the request, for example fields that it ignored. */
  readonly notice: string | undefined
}

/** The response body, with `meta`. `meta` is not enumerable: comparing, printing and serialising only use the body. */
export type Answer<Body> = Body & { readonly meta: AnswerMeta }

export interface RawAnswer {
  readonly status: number
  readonly headers: { get(name: string): string | null }
  readonly text: string
}

/** @throws RingfenceError with a code that depends on status and body */
export function readAnswer<Name extends keyof Calls>(
  name: Name,
  raw: RawAnswer,
  sentRequestId: string,
): Answer<Calls[Name]['answer']> {
  return readBody(raw, endpoints[name].answer, sentRequestId)
}

/** The same of a call whose answer has this shape. */
export function readBody<Body>(raw: RawAnswer, shape: Shape, sentRequestId: string): Answer<Body> {
  const requestId = raw.headers.get('x-request-id') ?? sentRequestId
  const body = parsed(raw.text)
  if (raw.status !== 200) throw refusal(raw, body, requestId)
  const miss = body === undefined ? notJson(raw) : mismatch(body, shape, shapes)
  if (miss) throw unexpected(raw, miss, requestId)
  const age = raw.headers.get('age')
  const meta: AnswerMeta = {
    requestId,
    correlator: raw.headers.get('x-correlator') ?? undefined,
    ageSeconds: age !== null && /^\d+$/.test(age) ? Number(age) : undefined,
    sandbox: raw.headers.get('x-ringfence-sandbox') === 'true',
    notice: noticeOf(raw),
  }
  return Object.defineProperty(body as Answer<Body>, 'meta', { value: meta })
}

/** The error of a response with another status than 200. */
export const readRefusal = (raw: RawAnswer, requestId: string): RingfenceError =>
  refusal(raw, parsed(raw.text), raw.headers.get('x-request-id') ?? requestId)

const noticeOf = ({ headers }: RawAnswer) => headers.get('x-ringfence-notice') ?? undefined

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Error codes that are more precise than the status. */
const codeOfErrorCode: ReadonlyMap<string | undefined, RingfenceErrorCode> = new Map([
  ['70001', 'missing_credentials'],
  ['70002', 'invalid_credentials'],
  ['P7311', 'unsupported_by_operator'],
  ['P7312', 'unsupported_by_operator'],
  ['P7331', 'unsupported_by_operator'],
  ['7114', 'invalid_token'],
  ['70016', 'challenge_not_passed'],
  ['7301', 'expired_token'],
  ['7126', 'linked_elsewhere'],
  ['invalid_grant', 'invalid_code'],
])

function refusal(raw: RawAnswer, body: unknown, requestId: string): RingfenceError {
  const { status } = raw
  const { message, errorCode, description } = errorFields(body)
  // The device report returns one text without a code (specification 2.6).
  const isRefusal = message !== undefined && (errorCode !== undefined || 'errorMessage' in (body as object))
  // A proxy returns these statuses too, with its own page; they mean the same.
  const fromProxyToo = status === 429 || status >= 500
  if (!fromProxyToo && (status < 400 || !isRefusal)) {
    const redirect = status >= 300 && status < 400 ? `a redirect to ${raw.headers.get('location')}` : undefined
    return unexpected(raw, redirect ?? (body === undefined ? notJson(raw) : 'not an error of Ringfence'), requestId)
  }
  const code = fromProxyToo ? codeOfStatus(status) : (codeOfErrorCode.get(errorCode) ?? codeOfStatus(status))
  const reason = [message ?? 'No reason given', description].filter(Boolean).join(': ')
  const where = ['HTTP', status, errorCode].filter(Boolean).join(' ')
  const notice = noticeOf(raw)
  return new RingfenceError(code, [`${reason} (${where})`, notice].filter(Boolean).join('. '), {
    status,
    errorCode,
    description,
    requestId,
    retryAfterSeconds: retryAfterSeconds(raw.headers),
    notice,
  })
}

function codeOfStatus(status: number): RingfenceErrorCode {
  if (status === 401) return 'invalid_credentials'
  if (status === 404) return 'not_found'
  if (status === 429) return 'rate_limited'
  if (status === 503) return 'overloaded'
  return status >= 500 ? 'server' : 'invalid_request'
}

function errorFields(body: unknown): Record<'message' | 'errorCode' | 'description', string | undefined> {
  const fields = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>
  const text = (field: string) => (typeof fields[field] === 'string' ? fields[field] : undefined)
  return {
    // Of the token endpoint: RFC 6749, 5.2.
    message: text('message') ?? text('errorMessage') ?? text('error_description'),
    errorCode: text('errorCode') ?? text('error'),
    description: text('description'),
  }
}

/** RFC 9110, 10.2.3: seconds or a date. Compares the date with the response's Date, because clocks may differ. */
function retryAfterSeconds(headers: RawAnswer['headers']): number | undefined {
  const value = headers.get('retry-after') ?? ''
  if (/^\d+$/.test(value)) return Number(value)
  const seconds = (Date.parse(value) - Date.parse(headers.get('date') ?? '')) / 1000
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}

const notJson = (raw: RawAnswer) => `not JSON but ${raw.headers.get('content-type') ?? 'without a content type'}`

const unexpected = (raw: RawAnswer, miss: string, requestId: string) =>
  new RingfenceError(
    'unexpected_response',
    `Not a response of Ringfence (HTTP ${raw.status}): ${miss}. ${isNoService}`,
    {
      status: raw.status,
      description: miss,
      requestId,
    },
  )
