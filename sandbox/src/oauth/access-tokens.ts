// Which access tokens are alive, and what do they allow?

import { randomBytes } from 'node:crypto'
import type { Clock } from '../clock.ts'
import type { Scope } from './scopes.ts'

export interface AccessToken {
  readonly clientId: string
  readonly grant: 'client_credentials' | 'jwt-bearer'
  readonly scopes: readonly Scope[]
  /** 3-legged: the number that the token speaks for, and no other; undefined: 2-legged. */
  readonly number: string | undefined
  readonly expiresAtMs: number
}

export interface AccessTokens {
  issue(token: Omit<AccessToken, 'expiresAtMs'>, lifetimeSeconds: number): string
  /** undefined: unknown or expired. */
  find(text: string): AccessToken | undefined
  clear(): void
}

/** More than any test needs; the oldest is dropped, so that a client that never reuses a token cannot fill the memory. */
const tokensKept = 100_000

/** @param clock the movable one: moving it on makes tokens expire. */
export function accessTokens(clock: Clock): AccessTokens {
  const tokens = new Map<string, AccessToken>()
  return {
    issue(token, lifetimeSeconds) {
      const oldest = tokens.keys().next().value
      if (tokens.size >= tokensKept && oldest !== undefined) tokens.delete(oldest)
      const text = randomBytes(32).toString('base64url')
      tokens.set(text, { ...token, expiresAtMs: clock.now() + lifetimeSeconds * 1_000 })
      return text
    },
    find(text) {
      const token = tokens.get(text)
      return token && clock.now() < token.expiresAtMs ? token : undefined
    },
    clear: () => tokens.clear(),
  }
}
