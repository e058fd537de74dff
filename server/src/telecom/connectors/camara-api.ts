// How does Ringfence call a CAMARA API, and what do the responses mean? (Commonalities 0.6: ErrorInfo, x-correlator, two-legged tokens)

import type { Static, TSchema } from 'typebox'
import { type CompiledSchema, compileOnUse } from '../../config/compile-on-use.ts'
import type { PhoneNumber } from '../../phone/phone-number.ts'
import {
  describeResponse,
  errorCodeOf,
  type GuardState,
  guard,
  type Limits,
  type UpstreamResponse,
} from '../../upstream/guard.ts'
import { sendWithToken, type TokenClient } from '../../upstream/oauth-token.ts'
import { UpstreamError } from '../../upstream/upstream-error.ts'
import type { UpstreamResources } from '../../upstream/upstream-resources.ts'
import { CheckUnsupported, type Inquiry, WindowUnsupported } from './connector.ts'

/** One operation of an API, as its OpenAPI document defines it. */
export interface CamaraCall<Body extends TSchema = TSchema> {
  resource: string
  scope: string
  response: CompiledSchema<Body>
}

export function camaraCall<Body extends TSchema>(resource: string, scope: string, response: Body): CamaraCall<Body> {
  return { resource, scope, response: compileOnUse(response) }
}

export interface CamaraApiOptions {
  upstream: string
  /** "sim-swap" */
  api: string
  /** Includes the version. */
  baseUrl: URL
  limits: Limits
  tokens: TokenClient
  /** Maps the scope of a call to the scope of the token request. */
  scopeOf(scope: string): string
}

export interface CamaraApi {
  /**
   * Calls the API about this number and returns a body that fits the schema of the call.
   *
   * @throws CheckUnsupported for SERVICE_NOT_APPLICABLE and 501
   * @throws WindowUnsupported for OUT_OF_RANGE, when `window` was sent
   * @throws UpstreamError
   */
  send<Body extends TSchema>(
    call: CamaraCall<Body>,
    number: PhoneNumber,
    inquiry: Inquiry,
    window?: { maxAge: number },
  ): Promise<Static<Body>>
  /** Its limits, and whether its circuit lets calls through. */
  state(): GuardState
  /** Gets a token with the scope of a call, without the call. */
  getToken(scope: string, signal: AbortSignal): Promise<void>
  close(): Promise<void>
}

export function camaraApi(options: CamaraApiOptions, resources: UpstreamResources): CamaraApi {
  const { upstream, api, baseUrl, limits, tokens, scopeOf } = options
  const apiGuard = guard({ upstream, service: api, baseUrl, ...limits }, resources)
  return {
    send({ resource, scope, response: schema }, { digits }, { signal, correlator, trace }, window) {
      const call = `${api}/${resource}`
      const request = {
        call,
        method: 'POST',
        path: `/${resource}`,
        headers: {
          'content-type': 'application/json',
          accept: 'application/json',
          'x-correlator': correlator,
          ...trace,
        },
        body: JSON.stringify({ phoneNumber: `+${digits}`, ...window }),
        read(response: UpstreamResponse) {
          if (response.status >= 300) throw errorOf(call, response, window !== undefined)
          if (schema.Check(response.body)) return response.body
          throw new UpstreamError(
            'format',
            `${describeResponse(call, response)} with a body that does not fit its schema`,
          )
        },
      } as const
      return sendWithToken(apiGuard, tokens.tokens(scopeOf(scope)), request, signal)
    },
    async getToken(scope, signal) {
      await tokens.tokens(scopeOf(scope))(signal)
    },
    state: apiGuard.state,
    close: apiGuard.close,
  }
}

function errorOf(call: string, response: UpstreamResponse, hasWindow: boolean): Error {
  const code = errorCodeOf(response.body)
  const message = describeResponse(call, response)
  if (response.status === 501 || code === 'SERVICE_NOT_APPLICABLE') return new CheckUnsupported(message)
  if (hasWindow && code === 'OUT_OF_RANGE') return new WindowUnsupported(message)
  return new UpstreamError('rejected', message)
}
