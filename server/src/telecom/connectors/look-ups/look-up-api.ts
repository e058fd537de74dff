// How does Ringfence call the JSON API of a look-up vendor? One guarded request for each question, checked by a schema.

import type { OperatorCheckName } from '@ringfence/contract'
import type { Static, TSchema } from 'typebox'
import { readUrl } from '../../../core/address/called-url.ts'
import type { CompiledSchema } from '../../../core/json/compile-on-use.ts'
import { describeResponse, Guard, type GuardState, type UpstreamResponse } from '../../../upstream/guard.ts'
import { bodyOf } from '../../../upstream/response-body.ts'
import { UpstreamError } from '../../../upstream/upstream-error.ts'
import type { UpstreamResources } from '../../../upstream/upstream-resources.ts'
import { limitsOf } from '../../../upstream/upstream-settings.ts'
import type { Inquiry } from '../../inquiry.ts'
import { answerOf, CheckUnsupported, type Connector } from '../connector.ts'
import type { LookUpSettings } from './look-up-settings.ts'

export interface LookUpApiOptions {
  /** The name of the connector. */
  upstream: string
  /** What it is called in metrics: "lookup". */
  service: string
  settings: LookUpSettings
  /** The URL of the vendor, where the settings have none. */
  vendorUrl: string
  /** The headers that authenticate a request. */
  credentials(signal: AbortSignal): Promise<Record<string, string>> | Record<string, string>
}

export interface LookUpRequest<Schema extends TSchema, Answer> {
  /** Its name in messages and metrics: "lookup/sim_swap". */
  call: string
  /** Below the base URL, with its query. */
  path: string
  headers?: Record<string, string>
  /** Sent as JSON by POST; absent: GET. */
  body?: unknown
  Response: CompiledSchema<Schema>
  /** What a response means. Throws what it stands for, `NotStated` where it says nothing. */
  read(body: Static<Schema>, described: string): Answer
  /** What an error status stands for, where it is more than a rejection. */
  refusalOf?(response: UpstreamResponse, described: string): Error | undefined
}

export interface LookUpApi {
  /** Throws CheckUnsupported, WindowUnsupported or an UpstreamError. */
  ask<Schema extends TSchema, Answer>(request: LookUpRequest<Schema, Answer>, inquiry: Inquiry): Promise<Answer>
  state(): GuardState
  close(): Promise<void>
}

/** What every vendor's connector has. `checks`: those that the contract with the vendor includes. */
export const vendorConnector = (
  name: string,
  { sandbox }: LookUpSettings,
  { state, close }: LookUpApi,
  checks: Connector['checks'] = {},
): Connector => ({ name, ...(sandbox && { sandbox }), checks, upstreams: () => [state()], close })

/** Those checks of `all` that the contract with the vendor includes. */
export const included = (all: Connector['checks'], names: readonly OperatorCheckName[]): Connector['checks'] =>
  Object.fromEntries(names.map((name) => [name, all[name]]))

/** Throws an error that names the setting that cannot work. */
export function lookUpApi(
  { upstream, service, settings, vendorUrl, credentials }: LookUpApiOptions,
  resources: UpstreamResources,
): LookUpApi {
  const baseUrl = readUrl('baseUrl', settings.baseUrl ?? vendorUrl, settings.sandbox)
  const limits = limitsOf(settings, resources.readSecret)
  const api = new Guard({ upstream, service, baseUrl, ...limits }, resources)
  return {
    async ask({ call, path, headers, body, Response, read, refusalOf }, { signal, correlator, trace }) {
      const request = {
        call,
        method: body === undefined ? 'GET' : 'POST',
        path,
        headers: {
          accept: 'application/json',
          'x-correlator': correlator,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...trace,
          ...headers,
          ...(await credentials(signal)),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        // A vendor's credentials do not expire: 401 counts against the upstream.
        tokenIsNew: true,
        read(response: UpstreamResponse) {
          const described = describeResponse(call, response)
          if (response.status === 501) throw new CheckUnsupported(described)
          if (response.status >= 300) throw refusalOf?.(response, described) ?? new UpstreamError('rejected', described)
          const found = bodyOf(call, response, Response)
          return answerOf(call, () => read(found, described))
        },
      } as const
      return api.send(request, signal)
    },
    state: () => api.state(),
    close: () => api.close(),
  }
}
