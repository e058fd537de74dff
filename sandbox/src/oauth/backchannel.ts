// When may a client fetch the token of a subscriber that the network identifies in the background? (OpenID Connect CIBA, poll mode)

import { randomBytes } from 'node:crypto'
import type { Clock } from '../clock.ts'
import { OAuthError } from './errors.ts'
import type { Scope } from './supported-scopes.ts'

export interface BackchannelRequest {
  readonly clientId: string
  readonly number: string
  readonly scope: { readonly scopes: readonly Scope[]; readonly text: string }
}

export const lifetimeSeconds = 120
/** Seconds between two polls. */
export const interval = 1
const mostRequests = 10_000

export interface Backchannel {
  /** Answers the `auth_req_id`. */
  begin(request: BackchannelRequest): string
  /**
   * Throws what a poll of this client gets instead of a token: authorization_pending for the first one, expired_token, invalid_grant.
   * A granted request is used up.
   */
  poll(id: string, clientId: string): BackchannelRequest
}

/** @param clock the movable clock: moving it forward makes requests expire. */
export function backchannel(clock: Clock): Backchannel {
  const pending = new Map<string, { request: BackchannelRequest; expiresAtMs: number; polled: boolean }>()
  return {
    begin(request) {
      const oldest = pending.keys().next().value
      if (pending.size >= mostRequests && oldest !== undefined) pending.delete(oldest)
      const id = randomBytes(24).toString('base64url')
      pending.set(id, { request, expiresAtMs: clock.now() + lifetimeSeconds * 1000, polled: false })
      return id
    },
    poll(id, clientId) {
      const found = pending.get(id)
      if (!found || found.request.clientId !== clientId) throw new OAuthError('invalid_grant', 'auth_req_id is unknown')
      if (clock.now() >= found.expiresAtMs) throw new OAuthError('expired_token', 'auth_req_id has expired')
      if (!found.polled) {
        found.polled = true
        throw new OAuthError('authorization_pending', 'The network has not identified the subscriber yet')
      }
      pending.delete(id)
      return found.request
    },
  }
}
