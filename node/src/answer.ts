// What does an answer say? Either what the contract promises, or a RingfenceError.

import { endpoints, shapes } from './endpoints.ts'
import { RingfenceError, type RingfenceErrorCode } from './error.ts'
import { mismatch } from './shape.ts'
import type { Calls } from './types.ts'

/** What an answer says beside its body. */
export interface AnswerMeta {
  /** Id of the request in the service's logs. */
  readonly requestId: string
  readonly correlator: string | undefined
  /** Seconds since the operator or the portability source was asked, where its answer was reused. */
  readonly ageSeconds: number | undefined
  /** true: made-up data of the sandbox operator. */
  readonly sandbox: boolean
  /** The service's remark on the request: fields that it ignored. */
  readonly notice: string | undefined
}

/**
 * A body with its `meta`, which is not enumerable: it is not compared, printed, serialised or copied with the body.
 */
export type Answer<Body> = Body & { readonly meta: AnswerMeta }

export interface RawAnswer {
  readonly status: number
  readonly headers: { get(name: string): string | null }
  readonly text: string
}

/** @throws RingfenceError of every code that an answer can stand for */
export function readAnswer<Name extends keyof Calls>(
  name: Name,
  raw: RawAnswer,
  sentRequestId: string,
): Answer<Calls[Name]['answer']> {
  const requestId = raw.headers.get('x-request-id') ?? sentRequestId
  const body = parsed(raw.text)
  if (raw.status !== 200) throw refusal(raw, body, requestId)
  const miss = body === undefined ? notJson(raw) : mismatch(body, endpoints[name].answer, shapes)
  if (miss) throw unexpected(raw, miss, requestId)
  const age = raw.headers.get('age')
  const meta: AnswerMeta = {
    requestId,
    correlator: raw.headers.get('x-correlator') ?? undefined,
    ageSeconds: age !== null && /^\d+$/.test(age) ? Number(age) : undefined,
    sandbox: raw.headers.get('x-ringfence-sandbox') === 'true',
    notice: raw.headers.get('x-ringfence-notice') ?? undefined,
  }
  return Object.defineProperty(body as Answer<Calls[Name]['answer']>, 'meta', { value: meta })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Codes that say more than the status does. */
const codeOfErrorCode: ReadonlyMap<string | undefined, RingfenceErrorCode> = new Map([
  ['70001', 'missing_credentials'],
  ['70002', 'invalid_credentials'],
  ['P7311', 'unsupported_by_operator'],
  ['P7312', 'unsupported_by_operator'],
  ['P7331', 'unsupported_by_operator'],
  ['7114', 'invalid_token'],
  ['7301', 'expired_token'],
])

function refusal(raw: RawAnswer, body: unknown, requestId: string): RingfenceError {
  const { status } = raw
  const { message, errorCode, description } = errorFields(body)
  // The device report says what is wrong in one text, without a code (specification 2.6).
  const isRefusal = message !== undefined && (errorCode !== undefined || 'errorMessage' in (body as object))
  // A proxy answers these too, with a page of its own, and they mean the same.
  const fromAnyone = status === 429 || status >= 500
  if (!fromAnyone && (status < 400 || !isRefusal)) {
    const redirect = status >= 300 && status < 400 ? `a redirect to ${raw.headers.get('location')}` : undefined
    return unexpected(raw, redirect ?? (body === undefined ? notJson(raw) : 'not an error of the service'), requestId)
  }
  const code = fromAnyone ? codeOfStatus(status) : (codeOfErrorCode.get(errorCode) ?? codeOfStatus(status))
  const said = [message ?? 'No reason given', description].filter(Boolean).join(': ')
  const where = ['HTTP', status, errorCode].filter(Boolean).join(' ')
  return new RingfenceError(code, `${said} (${where})`, {
    status,
    errorCode,
    description,
    requestId,
    retryAfterSeconds: retryAfterSeconds(raw.headers),
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
    message: text('message') ?? text('errorMessage'),
    errorCode: text('errorCode'),
    description: text('description'),
  }
}

/** RFC 9110, 10.2.3: seconds, or a date, which is held against the answer's own so that no two clocks are compared. */
function retryAfterSeconds(headers: RawAnswer['headers']): number | undefined {
  const value = headers.get('retry-after') ?? ''
  if (/^\d+$/.test(value)) return Number(value)
  const seconds = (Date.parse(value) - Date.parse(headers.get('date') ?? '')) / 1000
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}

const notJson = (raw: RawAnswer) => `not JSON but ${raw.headers.get('content-type') ?? 'of no content type'}`

const unexpected = (raw: RawAnswer, miss: string, requestId: string) =>
  new RingfenceError('unexpected_response', `Not an answer of Ringfence (HTTP ${raw.status}): ${miss}`, {
    status: raw.status,
    description: miss,
    requestId,
  })
