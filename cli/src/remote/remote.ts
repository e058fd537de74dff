// How does a command call the admin API of a server? Each call by its name in the contract; failures say what to do.

import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import {
  type AdminEndpoint,
  type AdminEndpointName,
  adminEndpoints,
  type ErrorBody,
  type Problem,
  pathFields,
} from '@ringfence/contract'
import type { Static } from 'typebox'
import { configurationOf } from '../configuration.ts'
import { localUrl } from '../export-command.ts'
import { CommandFailed, exitCodes } from '../failure.ts'
import { version } from '../version.ts'
import { type Key, keyOf, type ServerOptions } from './server-options.ts'

type Endpoints = typeof adminEndpoints
/** A field that may be left out may also be undefined: it is not sent. */
export type RequestOf<Name extends AdminEndpointName> = WithUndefined<Static<Endpoints[Name]['request']>>
type WithUndefined<Fields> = {
  [Field in keyof Fields]: Record<never, never> extends Pick<Fields, Field> ? Fields[Field] | undefined : Fields[Field]
}
export type AnswerOf<Name extends AdminEndpointName> = Static<Endpoints[Name]['answer']>

export interface Remote {
  /** @throws CommandFailed with what the server said */
  call<Name extends AdminEndpointName>(
    name: Name,
    request: RequestOf<Name>,
    options?: RemoteCallOptions,
  ): Promise<AnswerOf<Name>>
}

export interface RemoteCallOptions {
  /** The version of the record that a change replaces; `*` for any. */
  readonly ifMatch?: string
}

const timeoutMs = 60_000
const mostTries = 3
const longestWaitSeconds = 30

/** Undefined when the command names no server: it opens the data itself. */
export function remoteOf(options: ServerOptions): Remote | undefined {
  const { server } = options
  if (server === undefined) {
    if (options.key !== undefined) throw new CommandFailed('--key is for --server URL', { exitCode: exitCodes.usage })
    return undefined
  }
  return remote(server, keyOf(options))
}

/** The server of --server; by default the one that the settings of this machine describe. */
export const runningServer = (options: ServerOptions): Remote =>
  remote(options.server ?? localUrl(configurationOf({}).settings), keyOf(options))

function remote(server: string, key: Key): Remote {
  return {
    async call(name, request, { ifMatch } = {}) {
      const endpoint: AdminEndpoint = adminEndpoints[name]
      const { url, body } = targetOf(server, endpoint, request as Readonly<Record<string, unknown>>)
      const init: RequestInit = {
        method: endpoint.method,
        redirect: 'manual',
        headers: {
          ...{ ...key, accept: 'application/json', 'user-agent': `ringfence-cli/${version}` },
          ...(body !== undefined && { 'content-type': 'application/json' }),
          // The change happens once, also when it is sent again because no answer arrived.
          ...(endpoint.effect === 'write' && { 'idempotency-key': randomUUID() }),
          ...(ifMatch !== undefined && { 'if-match': ifMatch === '*' ? '*' : `"${ifMatch}"` }),
        },
        ...(body !== undefined && { body }),
      }
      const response = await sent(url, init, server)
      return (await answerIn(response, endpoint, server)) as never
    },
  }
}

function targetOf(server: string, { method, path }: AdminEndpoint, fields: Readonly<Record<string, unknown>>) {
  const inPath = pathFields(path)
  const filled = path.replace(/\{(\w+)\}/g, (_, field: string) => encodeURIComponent(String(fields[field])))
  const rest = Object.entries(fields).filter(([field, value]) => !inPath.includes(field) && value !== undefined)
  if (method !== 'GET') return { url: server + filled, body: JSON.stringify(Object.fromEntries(rest)) }
  const query = new URLSearchParams(rest.map(([field, value]) => [field, String(value)]))
  return { url: server + filled + (rest.length > 0 ? `?${query}` : ''), body: undefined }
}

/** Tries again what is temporary: no connection, too many calls, a server that is starting or stopping. */
async function sent(url: string, init: RequestInit, server: string): Promise<Response> {
  for (let tries = 1; ; tries++) {
    try {
      const response = await fetch(url, { ...init, signal: AbortSignal.timeout(timeoutMs) })
      const seconds = Number(response.headers.get('retry-after') ?? 1)
      const isTemporary = [429, 502, 503, 504].includes(response.status) && seconds <= longestWaitSeconds
      if (!isTemporary || tries === mostTries) return response
      await response.body?.cancel()
      await wait(seconds * 1000)
    } catch (error) {
      if (tries === mostTries) throw unreachable(server, error)
      await wait(200 * tries)
    }
  }
}

function unreachable(server: string, error: unknown): CommandFailed {
  const { name, cause, message } = error as Error & { cause?: { code?: string; message?: string } }
  const why =
    name === 'TimeoutError' ? `no answer within ${timeoutMs / 1000} s` : (cause?.code ?? cause?.message ?? message)
  const advice = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY/.test(why)
    ? 'its certificate is not trusted here: name your certificate authority in NODE_EXTRA_CA_CERTS'
    : 'check the URL, and whether the service runs'
  return new CommandFailed(`${server} was not reached (${why}): ${advice}`, {
    exitCode: exitCodes.unreachable,
    cause: error,
  })
}

async function answerIn(response: Response, endpoint: AdminEndpoint, server: string): Promise<unknown> {
  const { status, headers } = response
  if (status >= 300 && status < 400) {
    throw new CommandFailed(`${server} redirects to ${headers.get('location')}: name the URL of the service itself`)
  }
  const body: unknown = await response.json().catch(() => undefined)
  if (response.ok && body !== undefined) return body
  const problem = problemIn(body, response)
  if (!problem) {
    throw new CommandFailed(`${server} answered ${status}, and not as Ringfence does: check the URL`)
  }
  throw refused(problem, endpoint, server)
}

/** An endpoint that clients call too refuses in their error format. */
function problemIn(body: unknown, { status, headers }: Response): Problem | undefined {
  if (isProblem(body)) return body
  if (typeof body !== 'object' || body === null || !('errorCode' in body && 'message' in body)) return undefined
  const { errorCode: type, message: title, description: detail } = body as ErrorBody
  return { type, title, status, detail, requestId: headers.get('x-request-id') ?? '' }
}

function refused(
  { type, status, title, detail, requestId, version: present }: Problem,
  endpoint: AdminEndpoint,
  server: string,
) {
  const name = type.split('/').at(-1)
  const where = `(${status} ${name}, request ${requestId})`
  if (name === 'not-found' || name === '70404') {
    const { method, path } = endpoint
    return new CommandFailed(
      `${server} has no ${method} ${path}: it runs another version than this command, which is ${version} ${where}`,
    )
  }
  const isRefused = status === 401 || status === 403
  const needs =
    (name === 'permission-missing' || name === '70103') && !detail.includes(endpoint.permission)
      ? ` It needs ${endpoint.permission}.`
      : ''
  const now = present === undefined ? '' : ` The present version is ${present}.`
  return new CommandFailed(`${[title, detail].join(': ')}${needs}${now} ${where}`, {
    exitCode: isRefused ? exitCodes.refused : exitCodes.failed,
  })
}

const isProblem = (body: unknown): body is Problem =>
  typeof body === 'object' && body !== null && 'type' in body && 'detail' in body
