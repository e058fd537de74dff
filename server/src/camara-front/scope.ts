// What does an OAuth scope of our CAMARA API ask for? At most one purpose, and calls or whole APIs.

import { camaraScopes } from '@ringfence/contract'
import { Refusal } from '../core/errors.ts'

export interface Scope {
  /** A term of the W3C Data Privacy Vocabulary: `FraudPreventionAndDetection`. */
  readonly purpose?: string
  /** Of calls (`sim-swap:check`) or of whole APIs (`sim-swap`). */
  readonly allowed: readonly string[]
}

/** `dpv:FraudPreventionAndDetection`, or the older `dpv:FraudPreventionAndDetection#sim-swap`. */
const purposeForm = /^dpv:([A-Za-z]{1,64})(?:#([a-z0-9:-]{1,100}))?$/

/** `openid` asks for no call, and is left out. Refuses with `scopeInvalid` what this service does not have, several purposes, and a scope without a call. */
export function readScope(text: string): Scope {
  const purposes = new Set<string>()
  const allowed = new Set<string>()
  for (const part of text.split(' ')) {
    if (part === '' || part === 'openid') continue
    const [, purpose, api] = purposeForm.exec(part) ?? []
    if (purpose !== undefined) purposes.add(purpose)
    if (purpose === undefined) allowed.add(part)
    else if (api !== undefined) allowed.add(api)
  }
  if (purposes.size > 1) throw invalid('scope may state one purpose only')
  if (allowed.size === 0) throw invalid(`scope must name a call or an API, such as ${camaraScopes[1]}`)
  if ([...allowed].some((scope) => !camaraScopes.includes(scope)))
    throw invalid('scope names a call that this service does not have; its metadata list all of them')
  const [purpose] = purposes
  return { ...(purpose !== undefined && { purpose }), allowed: [...allowed] }
}

/** The same scope as text. */
export const scopeText = ({ purpose, allowed }: Scope): string =>
  [...(purpose === undefined ? [] : [`dpv:${purpose}`]), ...allowed].join(' ')

const invalid = (mistake: string) => new Refusal('scopeInvalid', { mistake })
