// How does the console call the service? Every call of the admin API by its name, with the types of the contract.

import { type AdminCall, endpoints } from './endpoints.ts'
import { CallFailed, problemIn } from './problem.ts'
import type { Calls, Me } from './types.ts'
import { unattendedHeader } from './unattended.ts'

export type CallName = keyof Calls
/** A field that may be left out may also be undefined: it is not sent. */
export type RequestOf<Name extends CallName> = WithUndefined<Calls[Name]['request']>
type WithUndefined<Fields> = {
  [Field in keyof Fields]: Record<never, never> extends Pick<Fields, Field> ? Fields[Field] | undefined : Fields[Field]
}
export type AnswerOf<Name extends CallName> = Calls[Name]['answer']

interface CallOptions {
  readonly signal?: AbortSignal
  /** The version of the record that the call replaces. */
  readonly version?: number | string
  /** Another tenant of the person than the chosen one. */
  readonly tenantId?: string | undefined
  /** The change happens once, however often it is sent with this key. */
  readonly idempotencyKey?: string
  /** A read that was refused since the session has ended is sent again in the next one, as every read without a signal is. */
  readonly outlivesSession?: boolean
  /** It is sent although the page is being closed. */
  readonly outlivesPage?: boolean
}

/** Whether the cache reads: it ends its calls by their signals, and reads again what was refused. */
export const isOfCache = ({ signal, outlivesSession = signal === undefined }: CallOptions = {}): boolean =>
  !outlivesSession

/** Who calls: known after `me`, and sent with every call. */
interface Caller {
  readonly csrfToken?: string
  readonly tenantId?: string
}

/** What a session needs to send; `me` of another session replaces it. */
export const callerOf = ({ session, tenant }: Me): Caller => ({
  ...(session && { csrfToken: session.csrfToken }),
  tenantId: tenant.tenantId,
})

export type Call = <Name extends CallName>(
  name: Name,
  request: RequestOf<Name>,
  options?: CallOptions,
) => Promise<AnswerOf<Name>>

/** @param caller read at each call, since it changes when somebody signs in */
export function calling(caller: () => Caller): Call {
  return async (name, request, { signal, version, idempotencyKey, outlivesPage = false, ...options } = {}) => {
    const endpoint = endpoints[name]
    const { path, rest } = fill(endpoint.path, request)
    const { csrfToken, tenantId } = { ...caller(), ...options }
    const headers: Record<string, string> = { accept: 'application/json', ...unattendedHeader() }
    if (tenantId !== undefined) headers['x-ringfence-tenant'] = tenantId
    if (csrfToken !== undefined && endpoint.method === 'POST') headers['x-ringfence-csrf'] = csrfToken
    if (version !== undefined) headers['if-match'] = `"${version}"`
    if (idempotencyKey !== undefined) headers['idempotency-key'] = idempotencyKey
    if (endpoint.method === 'POST') headers['content-type'] = 'application/json'
    return send(target(endpoint, path, rest), {
      method: endpoint.method,
      headers,
      credentials: 'same-origin',
      keepalive: outlivesPage,
      ...(endpoint.method === 'POST' && { body: JSON.stringify(rest) }),
      ...(signal && { signal }),
    })
  }
}

/** Parts in braces are fields of the request; the others are sent. */
function fill(template: string, request: object): { path: string; rest: Record<string, unknown> } {
  const rest: Record<string, unknown> = { ...request }
  const path = template.replace(/\{(\w+)\}/g, (_, field: string) => {
    const value = rest[field]
    delete rest[field]
    return encodeURIComponent(String(value))
  })
  return { path, rest }
}

function target({ method }: AdminCall, path: string, fields: Readonly<Record<string, unknown>>): string {
  if (method !== 'GET') return path
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) query.set(name, String(value))
  }
  return query.size > 0 ? `${path}?${query}` : path
}

async function send<Answer>(url: string, init: RequestInit): Promise<Answer> {
  let response: Response
  try {
    response = await fetch(url, init)
  } catch (error) {
    if (init.signal?.aborted) throw error
    throw new CallFailed(undefined)
  }
  const body: unknown = await response.json().catch(() => undefined)
  if (response.ok && body !== undefined) return body as Answer
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN)
  throw new CallFailed(problemIn(body, response), Number.isFinite(retryAfter) ? retryAfter : undefined)
}
