// What comes back from one request? An answer of any kind, or a RingfenceError: timeout, connection or aborted.

import type { RawAnswer } from './answer.ts'
import { RingfenceError } from './error.ts'
import type { Fetch } from './settings.ts'

export interface Sending {
  readonly url: string
  readonly headers: Record<string, string> & { 'x-request-id': string }
  readonly body: string
  readonly signal: AbortSignal | undefined
}

/** Sends once and reads the whole answer, within `limitMs`. A redirect is not followed: the secret stays with its host. */
export async function attemptOnce(sending: Sending, limitMs: number, fetch: Fetch): Promise<RawAnswer> {
  const { url, headers, body, signal } = sending
  const requestId = headers['x-request-id']
  if (signal?.aborted) throw aborted(sending)
  const controller = new AbortController()
  const giveUp = () => controller.abort()
  const timer = setTimeout(giveUp, limitMs)
  signal?.addEventListener('abort', giveUp)
  try {
    const answer = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal: controller.signal })
    return { status: answer.status, headers: answer.headers, text: await answer.text() }
  } catch (cause) {
    if (signal?.aborted) throw aborted(sending)
    if (controller.signal.aborted) {
      throw new RingfenceError('timeout', `No answer from ${url} within ${Math.round(limitMs)} ms`, { requestId })
    }
    throw new RingfenceError('connection', `No answer from ${url}: ${reasonOf(cause)}`, { requestId, cause })
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', giveUp)
  }
}

export function aborted({ url, headers, signal }: Sending): RingfenceError {
  const details = { requestId: headers['x-request-id'], cause: signal?.reason }
  return new RingfenceError('aborted', `The call of ${url} was aborted`, details)
}

/** fetch hides the reason (ECONNREFUSED, a bad certificate) one level down, sometimes as a code without words. */
function reasonOf(failure: unknown): string {
  if (!(failure instanceof Error)) return String(failure)
  const { cause } = failure
  if (!(cause instanceof Error)) return failure.message
  return cause.message || ('code' in cause ? String(cause.code) : failure.message)
}
