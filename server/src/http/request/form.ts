// What does a form contain? Text fields, and possibly the credentials of its sender.

import { assertionType } from '../../clients/client-assertions.ts'
import { Refusal } from '../../core/errors.ts'

const formType = /^application\/x-www-form-urlencoded\s*(?:;|$)/i

/** Whether a content type is that of a form, with or without parameters. */
export const isForm = (contentType: string | undefined) => contentType !== undefined && formType.test(contentType)

/**
 * Whether this is a JSON object although its content type may be a form: the specification's sample of secure-info (4.5). No field of a
 * form that an endpoint accepts begins with a brace.
 */
export const beginsJsonObject = (bytes: Buffer) => /^[\t\n\r ]*\{/.test(bytes.toString('latin1', 0, 1024))

/** No form and no query of ours has half as many. */
const mostFields = 64

/** Refuses with `fieldInvalid` a form or query of too many fields, before it is parsed. */
export function refuseWide(what: 'form' | 'query', encoded: Buffer | string): void {
  if (encoded.length < mostFields) return // each field but the last has a separator
  let separators = 0
  for (let at = encoded.indexOf('&'); at >= 0; at = encoded.indexOf('&', at + 1))
    if (++separators === mostFields)
      throw new Refusal('fieldInvalid', { mistake: `the ${what} may have at most ${mostFields} fields` })
}

/** Fields of application/x-www-form-urlencoded by name; a repeated field becomes a list. Refuses with `fieldInvalid`. */
export function parseForm(bytes: Buffer): Record<string, string | string[]> {
  refuseWide('form', bytes)
  const fields = new Map<string, string | string[]>()
  for (const [name, value] of new URLSearchParams(bytes.toString())) {
    const before = fields.get(name)
    if (Array.isArray(before)) before.push(value)
    else fields.set(name, before === undefined ? value : [before, value])
  }
  return Object.fromEntries(fields)
}

/**
 * Takes `client_assertion` (RFC 7521, 4.2) out of the fields of a form; undefined when there is none. Refuses with `fieldInvalid` another
 * type, and a secret beside it.
 */
export function takeAssertion(fields: Record<string, unknown>, clientSecret: string | undefined): string | undefined {
  const { client_assertion: assertion, client_assertion_type: type } = fields
  if (assertion === undefined && type === undefined) return undefined
  delete fields.client_assertion
  delete fields.client_assertion_type
  if (type !== assertionType)
    throw new Refusal('fieldInvalid', { mistake: `client_assertion_type must be ${assertionType}` })
  if (typeof assertion !== 'string') throw new Refusal('fieldInvalid', { mistake: 'client_assertion is missing' })
  if (clientSecret !== undefined) throw new Refusal('fieldInvalid', { mistake: 'send client credentials only once' })
  return assertion
}

/** They bind a code to what a session stored. An empty one says that it stored nothing, and must not count as no binding. (RFC 9700, 2.1.1) */
const bindings = ['code_verifier', 'transaction_id']

/** Refuses a repeated parameter, and leaves out those without a value (RFC 6749, 3.2). */
export function oauthParameters(form: Readonly<Record<string, string | string[]>>): Record<string, string> {
  const unbound = bindings.find((name) => form[name] === '')
  if (unbound) throw new Refusal('fieldInvalid', { mistake: `${unbound} is empty: this session started no sign-in` })
  const entries = Object.entries(form).filter(([, value]) => value !== '')
  if (entries.some(([, value]) => Array.isArray(value))) {
    throw new Refusal('fieldInvalid', { mistake: 'a parameter must not be repeated' })
  }
  return Object.fromEntries(entries) as Record<string, string>
}

export interface FormCredentials {
  clientId: string | undefined
  clientSecret: string | undefined
  /** The other fields. */
  fields: Record<string, unknown>
}

/**
 * Separates `client_id` and `client_secret` (RFC 6749, 2.3.1), or `clientId` and `clientSecret`, from the other fields. Repeated ones are
 * joined by a comma, as Node joins headers; the result is never a valid credential. The body may be JSON: what is no text is not valid either.
 */
export function takeCredentials(body: unknown): FormCredentials {
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body)
  const { client_id, client_secret, clientId, clientSecret, ...fields } = (isObject ? body : {}) as Record<
    string,
    unknown
  >
  return { clientId: joined(client_id, clientId), clientSecret: joined(client_secret, clientSecret), fields }
}

function joined(...values: readonly unknown[]): string | undefined {
  const texts = values
    .flat()
    .filter((value) => value !== undefined)
    .map((value) => (typeof value === 'string' ? value : ','))
  return texts.length === 0 ? undefined : texts.join(', ')
}
