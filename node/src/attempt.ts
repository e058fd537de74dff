// How is one request sent? Returns any HTTP response, or throws a RingfenceError: timeout, connection or aborted.

import type { RawAnswer } from './answer.ts'
import { RingfenceError } from './error.ts'
import { hintOfReason } from './hints.ts'
import type { Fetch } from './settings.ts'

export interface Sending {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers: Record<string, string> & { 'x-request-id': string }
  /** Absent for a GET. */
  readonly body: string | ArrayBuffer | undefined
  readonly signal: AbortSignal | undefined
}

/** Sends once and reads the whole response within `limitMs`. Does not follow redirects, which would send the secret elsewhere. */
export async function attemptOnce(sending: Sending, limitMs: number, fetch: Fetch): Promise<RawAnswer> {
  const { method, url, headers, body, signal } = sending
  const requestId = headers['x-request-id']
  if (signal?.aborted) throw aborted(sending)
  const controller = new AbortController()
  const giveUp = () => controller.abort()
  const timer = setTimeout(giveUp, limitMs)
  signal?.addEventListener('abort', giveUp)
  try {
    const answer = await fetch(url, {
      method,
      headers,
      ...(body !== undefined && { body }),
      redirect: 'manual',
      signal: controller.signal,
    })
    return { status: answer.status, headers: answer.headers, text: await answer.text() }
  } catch (cause) {
    if (signal?.aborted) throw aborted(sending)
    if (controller.signal.aborted) {
      throw new RingfenceError(
        'timeout',
        `No response from ${url} within ${Math.round(limitMs)} ms. Is the service overloaded, or does something on the way drop packets?`,
        { requestId },
      )
    }
    const reason = reasonOf(cause)
    const notice = hintOfReason(reason)
    const message = [`No response from ${url}: ${reason}`, notice].filter(Boolean).join('. ')
    throw new RingfenceError('connection', message, { requestId, cause, notice })
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', giveUp)
  }
}

export function aborted({ url, headers, signal }: Sending): RingfenceError {
  const details = { requestId: headers['x-request-id'], cause: signal?.reason }
  return new RingfenceError('aborted', `The call to ${url} was aborted`, details)
}

/** fetch puts the reason (ECONNREFUSED, a bad certificate) into `cause`, sometimes as a code without a message. */
function reasonOf(failure: unknown): string {
  if (!(failure instanceof Error)) return String(failure)
  const { cause } = failure
  if (!(cause instanceof Error)) return failure.message
  const code = 'code' in cause ? String(cause.code) : ''
  return cause.message.includes(code)
    ? cause.message || failure.message
    : `${cause.message || failure.message} (${code})`
}
