// What does a scope request? In CAMARA: one purpose, and the calls or whole APIs that it is for.

import type { SandboxClient } from './clients.ts'
import { OAuthError } from './errors.ts'
import { type Scope, supportedScopes } from './supported-scopes.ts'

/** `dpv:<purpose>`, or the older form `dpv:<purpose>#<scope or API>`. */
const purposeWord = /^dpv:([A-Za-z]+)(?:#(\S+))?$/

export interface GrantedScope {
  scopes: readonly Scope[]
  /** The granted scope, for the response. */
  text: string
}

/**
 * Reads a scope and checks it against the client's registration (CAMARA Security and Interoperability Profile, "Purpose as a
 * scope"). The portability scope belongs to the sandbox and needs no purpose; `openid` is accepted and not granted.
 * Throws OAuthError invalid_scope.
 */
export function grantedScope(text: string, client: SandboxClient): GrantedScope {
  const words = text.split(' ').filter((word) => word !== '' && word !== 'openid')
  const purposes = new Set<string>()
  const scopes = new Set<Scope>()
  for (const word of words) {
    const purpose = purposeWord.exec(word)
    if (purpose?.[1]) purposes.add(purpose[1])
    if (!purpose) scopes.add(supported(word))
    else if (purpose[2]) scopes.add(supported(purpose[2]))
  }
  if (scopes.size === 0) throw new OAuthError('invalid_scope', `Name a scope: ${supportedScopes.join(', ')}`)
  const personal = [...scopes].some((scope) => scope !== 'portability:read')
  if (purposes.size > 1 || (personal && purposes.size === 0)) {
    throw new OAuthError('invalid_scope', 'Name exactly one purpose, such as dpv:FraudPreventionAndDetection')
  }
  for (const purpose of purposes) {
    if (!(client.purposes ?? ['FraudPreventionAndDetection']).includes(purpose)) {
      throw new OAuthError('invalid_scope', `The client is not registered for the purpose dpv:${purpose}`)
    }
  }
  for (const scope of scopes) {
    if (client.scopes && !client.scopes.includes(scope)) {
      throw new OAuthError('invalid_scope', `The client is not registered for the scope ${scope}`)
    }
  }
  return { scopes: [...scopes], text: words.join(' ') }
}

function supported(word: string): Scope {
  const scope = supportedScopes.find((candidate) => candidate === word)
  if (!scope) throw new OAuthError('invalid_scope', `Unknown scope ${word}; supported: ${supportedScopes.join(', ')}`)
  return scope
}
