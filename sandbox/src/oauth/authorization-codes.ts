// Which authorization codes may be exchanged? Each once, soon, by its client, with its redirect URI and its code verifier.

import { hash, randomBytes } from 'node:crypto'
import type { Clock } from '../clock.ts'
import { OAuthError } from './errors.ts'
import type { GrantedScope } from './scopes.ts'

export interface AuthorizationCode {
  readonly clientId: string
  readonly redirectUri: string
  readonly scope: GrantedScope
  /** Of the SIM in the phone. */
  readonly number: string
  readonly byNetwork: boolean
  /** PKCE, S256. */
  readonly challenge: string | undefined
  readonly nonce: string | undefined
}

export interface AuthorizationCodes {
  issue(code: AuthorizationCode): string
  /** Uses the code up. Throws OAuthError invalid_grant, without the reason: whoever stole a code learns nothing. */
  exchange(text: string, by: { clientId: string; redirectUri: string; verifier: string | undefined }): AuthorizationCode
  clear(): void
}

const lifetimeSeconds = 60
const mostCodes = 10_000

/** @param clock the movable clock: moving it forward makes codes expire. */
export function authorizationCodes(clock: Clock): AuthorizationCodes {
  const codes = new Map<string, { code: AuthorizationCode; expiresAtMs: number }>()
  return {
    issue(code) {
      const oldest = codes.keys().next().value
      if (codes.size >= mostCodes && oldest !== undefined) codes.delete(oldest)
      const text = randomBytes(24).toString('base64url')
      codes.set(text, { code, expiresAtMs: clock.now() + lifetimeSeconds * 1000 })
      return text
    },
    exchange(text, { clientId, redirectUri, verifier }) {
      const found = codes.get(text)
      codes.delete(text)
      const fits =
        found &&
        clock.now() < found.expiresAtMs &&
        found.code.clientId === clientId &&
        found.code.redirectUri === redirectUri &&
        found.code.challenge === challengeOf(verifier)
      if (!fits) {
        throw new OAuthError(
          'invalid_grant',
          'The code is unknown, used or expired, or belongs to another client_id, redirect_uri or code_verifier',
        )
      }
      return found.code
    },
    clear: () => codes.clear(),
  }
}

/** RFC 7636, 4.6: S256. */
const challengeOf = (verifier: string | undefined) =>
  verifier === undefined ? undefined : hash('sha256', verifier, 'base64url')
