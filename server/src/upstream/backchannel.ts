// How does Ringfence get a token of one phone number that the network identifies? OpenID Connect CIBA Core 1.0, poll mode.

import { setTimeout as delay } from 'node:timers/promises'
import { describeResponse, type UpstreamResponse } from './guard.ts'
import { UpstreamError } from './upstream-error.ts'

const call = 'bc-authorize'
const usualIntervalSeconds = 5
const longestIntervalSeconds = 30
/** However long the operator would let us poll. */
const longestMs = 120_000

export interface BackchannelForms {
  /** Sends a form with the client authentication, and reads the response. */
  send<T>(
    path: 'authorize' | 'token',
    form: Record<string, string>,
    read: (response: UpstreamResponse) => T,
  ): Promise<T>
  /** Aborts when nobody needs the token any more. */
  signal: AbortSignal
}

/**
 * Begins the sign-in of the number, and polls until the network has identified it.
 *
 * @returns the response of the token endpoint
 * @throws UpstreamError `rejected` when the operator refuses, `timeout` when it takes too long
 */
export async function backchannelToken(
  { digits, scope }: { digits: string; scope: string },
  { send, signal }: BackchannelForms,
): Promise<UpstreamResponse> {
  const startedAt = performance.now()
  // CIBA Core 7.1: the scope of a request includes openid.
  const form = { login_hint: `tel:+${digits}`, scope: scope.split(' ').includes('openid') ? scope : `openid ${scope}` }
  const { id, intervalSeconds, expiresSeconds } = await send('authorize', form, readRequest)
  const poll = { grant_type: 'urn:openid:params:grant-type:ciba', auth_req_id: id }
  let pauseSeconds = intervalSeconds
  const endMs = startedAt + Math.min(expiresSeconds * 1000, longestMs)
  for (;;) {
    const outcome = await send('token', poll, readPoll)
    if (outcome !== 'pending' && outcome !== 'slow-down') return outcome
    if (outcome === 'slow-down') pauseSeconds = Math.min(pauseSeconds + usualIntervalSeconds, longestIntervalSeconds)
    if (performance.now() + pauseSeconds * 1000 > endMs) {
      throw new UpstreamError('timeout', `${call}: the network did not identify the subscriber in time`)
    }
    await delay(pauseSeconds * 1000, undefined, { signal, ref: false })
  }
}

function readRequest(response: UpstreamResponse) {
  const described = describeResponse(call, response)
  if (response.status >= 300) throw new UpstreamError('rejected', described)
  const { auth_req_id: id, interval = usualIntervalSeconds, expires_in: expires } = Object(response.body)
  const isUsable =
    typeof id === 'string' && /^[\x21-\x7e]{1,2000}$/.test(id) && Number.isFinite(interval) && expires > 0
  if (!isUsable) throw new UpstreamError('format', `${described} without a usable auth_req_id`)
  const intervalSeconds = Math.min(Math.max(interval, 0.1), longestIntervalSeconds)
  return { id, intervalSeconds, expiresSeconds: Number(expires) }
}

function readPoll(response: UpstreamResponse): UpstreamResponse | 'pending' | 'slow-down' {
  const { error } = Object(response.body)
  if (response.status === 400 && error === 'authorization_pending') return 'pending'
  return response.status === 400 && error === 'slow_down' ? 'slow-down' : response
}
