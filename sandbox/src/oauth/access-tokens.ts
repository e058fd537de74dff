// Which access tokens are valid, and what do they allow?

import { randomBytes } from 'node:crypto'
import type { Clock } from '../clock.ts'
import type { Scope } from './supported-scopes.ts'

export interface AccessToken {
  readonly clientId: string
  readonly grant: 'client_credentials' | 'jwt-bearer' | 'ciba' | 'authorization_code'
  readonly scopes: readonly Scope[]
  /** Three-legged: the only number that the token is for. undefined: two-legged. */
  readonly number: string | undefined
  /** The network identified the phone; else the subscriber signed in in another way. */
  readonly byNetwork?: boolean
  readonly expiresAtMs: number
}

export interface AccessTokens {
  issue(token: Omit<AccessToken, 'expiresAtMs'>, lifetimeSeconds: number): string
  /** Returns undefined when the token is unknown or expired. */
  find(text: string): AccessToken | undefined
  /** Ends the token of a call that may be made once. */
  useUp(token: AccessToken): void
  clear(): void
}

/** Beyond this the oldest token is dropped, so that a client that never reuses tokens cannot fill the memory. */
const maximumTokens = 100_000

/** @param clock the movable clock: moving it forward makes tokens expire. */
export function accessTokens(clock: Clock): AccessTokens {
  const tokens = new Map<string, AccessToken>()
  return {
    issue(token, lifetimeSeconds) {
      const oldest = tokens.keys().next().value
      if (tokens.size >= maximumTokens && oldest !== undefined) tokens.delete(oldest)
      const text = randomBytes(32).toString('base64url')
      tokens.set(text, { ...token, expiresAtMs: clock.now() + lifetimeSeconds * 1_000 })
      return text
    },
    find(text) {
      const token = tokens.get(text)
      return token && clock.now() < token.expiresAtMs ? token : undefined
    },
    useUp(used) {
      for (const [text, token] of tokens) if (token === used) tokens.delete(text)
    },
    clear: () => tokens.clear(),
  }
}
