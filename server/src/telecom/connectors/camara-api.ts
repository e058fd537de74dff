// How does Ringfence call a CAMARA API, and what do the responses mean? (Commonalities 0.6: ErrorInfo, x-correlator, two-legged tokens)

import type { AnyCamaraApi, CamaraCall, Consent } from '@ringfence/contract'
import { compileOnUse } from '../../core/json/compile-on-use.ts'
import type { PhoneNumber } from '../../phone/phone-number.ts'
import {
  describeResponse,
  errorCodeOf,
  Guard,
  type GuardState,
  type Limits,
  type UpstreamResponse,
} from '../../upstream/guard.ts'
import { sendWithToken, type TokenClient } from '../../upstream/oauth-token.ts'
import { bodyOf } from '../../upstream/response-body.ts'
import { UpstreamError } from '../../upstream/upstream-error.ts'
import type { UpstreamResources } from '../../upstream/upstream-resources.ts'
import type { Inquiry } from '../inquiry.ts'
import { camaraHeaders, saysUnsupported } from './camara-wire.ts'
import { answerOf, CheckUnsupported, notImplemented, ParametersUnsupported, WindowUnsupported } from './connector.ts'

export interface CamaraClientOptions {
  upstream: string
  api: AnyCamaraApi
  /** Includes the version. */
  baseUrl: URL
  limits: Limits
  tokens: TokenClient
  /** Maps the scope of a call to the scope of the token request. Throws CheckUnsupported for a purpose that the operator did not grant. */
  scopeOf(scope: string, consent?: Consent): string
}

export interface CamaraClient {
  /**
   * Calls the API about this number, and reads the answer.
   *
   * @throws CheckUnsupported for SERVICE_NOT_APPLICABLE and 501
   * @throws ParametersUnsupported for what the check lists as such, and for OUT_OF_RANGE that it does not list
   * @throws WindowUnsupported for what the check lists as such, and for a date that is known for a shorter period only
   * @throws UpstreamError
   */
  send<Question, Answer>(
    call: CamaraCall<Question, Answer>,
    number: PhoneNumber,
    question: Question,
    inquiry: Inquiry,
  ): Promise<Answer>
  /** Its limits, and whether its circuit lets calls through. */
  state(): GuardState
  /** Gets a token with the scope of a call, without the call. */
  getToken(scope: string, signal: AbortSignal): Promise<void>
  close(): Promise<void>
}

export function camaraClient(options: CamaraClientOptions, resources: UpstreamResources): CamaraClient {
  const { upstream, api, baseUrl, limits, tokens, scopeOf } = options
  const apiGuard = new Guard({ upstream, service: api.api, baseUrl, ...limits }, resources)
  const schemas = new Map(api.calls.map(({ resource, Response }) => [resource, compileOnUse(Response)]))
  return {
    async send({ resource, scope, body, read }, { digits }, question, inquiry) {
      const call = `${api.api}/${resource}`
      const phoneNumber = `+${digits}`
      // A token of the number identifies it. To send it too is an error (UNNECESSARY_IDENTIFIER).
      const identifier = api.identifier === 'device' ? { device: { phoneNumber } } : { phoneNumber }
      const content = JSON.stringify({ ...(!tokens.perNumber && identifier), ...body?.(question) })
      const request = {
        call,
        method: 'POST',
        path: `/${resource}`,
        headers: camaraHeaders(inquiry, content),
        body: content,
        read(response: UpstreamResponse) {
          if (response.status >= 300) throw errorOf(call, response, api.refusals, body !== undefined)
          const found = bodyOf(call, response, schemas.get(resource)!)
          return answerOf(call, () => read(found, question, resources.clock.now()))
        },
      } as const
      return sendWithToken(apiGuard, tokens.tokens(scopeOf(scope, inquiry.consent), digits), request, inquiry.signal)
    },
    async getToken(scope, signal) {
      await tokens.tokens(scopeOf(scope))(signal)
    },
    state: () => apiGuard.state(),
    close: () => apiGuard.close(),
  }
}

function errorOf(
  call: string,
  response: UpstreamResponse,
  refusals: AnyCamaraApi['refusals'] = {},
  hasParameters: boolean,
): Error {
  const code = errorCodeOf(response.body)
  const message = describeResponse(call, response)
  if (saysUnsupported(response)) return new CheckUnsupported(message, response.status === 501 ? notImplemented : code)
  const refusal = code !== undefined && Object.hasOwn(refusals, code) ? refusals[code] : undefined
  // A call without parameters has none that are wrong.
  if (!hasParameters) return new UpstreamError('rejected', message, code)
  if (refusal?.means === 'window') return new WindowUnsupported(message)
  if (refusal?.means === 'parameters') return new ParametersUnsupported(message, refusal.hint, code)
  if (code === 'OUT_OF_RANGE') return new ParametersUnsupported(message, 'send other values', code)
  return new UpstreamError('rejected', message, code)
}
