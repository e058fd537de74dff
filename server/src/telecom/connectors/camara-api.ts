// How is one CAMARA API called, and what do its answers mean? (Commonalities 0.6: ErrorInfo, x-correlator, two-legged tokens)

import type { Static, TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import type { PhoneNumber } from '../../phone/phone-number.ts'
import { type Answer, errorCodeOf, guard, inWords, type Limits } from '../../upstream/guard.ts'
import { askWithToken, type TokenClient } from '../../upstream/oauth-token.ts'
import { CheckFailed, CheckUnsupported, type ConnectorResources, type Inquiry, WindowUnsupported } from './connector.ts'

/** One operation of an API, as its OpenAPI document has it. */
export interface CamaraCall<Body extends TSchema = TSchema> {
  resource: string
  scope: string
  answer: Validator<Record<never, never>, Body>
}

export function camaraCall<Body extends TSchema>(resource: string, scope: string, answer: Body): CamaraCall<Body> {
  return { resource, scope, answer: Compile(answer) }
}

export interface CamaraApiOptions {
  upstream: string
  /** "sim-swap" */
  api: string
  /** The version included. */
  baseUrl: URL
  limits: Limits
  tokens: TokenClient
  /** The scope to ask a token for, by the scope of the call. */
  scopeOf(scope: string): string
}

export interface CamaraApi {
  /**
   * Calls about this number, and answers what fits the schema of the call.
   * Throws CheckUnsupported (SERVICE_NOT_APPLICABLE, 501), WindowUnsupported (OUT_OF_RANGE where a window was asked), CheckFailed.
   */
  ask<Body extends TSchema>(
    call: CamaraCall<Body>,
    number: PhoneNumber,
    inquiry: Inquiry,
    window?: { maxAge: number },
  ): Promise<Static<Body>>
  close(): Promise<void>
}

export function camaraApi(options: CamaraApiOptions, resources: ConnectorResources): CamaraApi {
  const { upstream, api, baseUrl, limits, tokens, scopeOf } = options
  const apiGuard = guard({ upstream, service: api, baseUrl, ...limits }, resources)
  return {
    ask({ resource, scope, answer }, { digits }, { signal, correlator }, window) {
      const call = `${api}/${resource}`
      const question = {
        call,
        method: 'POST',
        path: `/${resource}`,
        headers: { 'content-type': 'application/json', accept: 'application/json', 'x-correlator': correlator },
        body: JSON.stringify({ phoneNumber: `+${digits}`, ...window }),
        read(said: Answer) {
          if (said.status >= 300) throw refusalOf(call, said, window !== undefined)
          if (answer.Check(said.body)) return said.body
          throw new CheckFailed('format', `${inWords(call, said)} with a body that does not fit its schema`)
        },
      } as const
      return askWithToken(apiGuard, tokens.tokens(scopeOf(scope)), question, signal)
    },
    close: apiGuard.close,
  }
}

function refusalOf(call: string, said: Answer, windowed: boolean): Error {
  const code = errorCodeOf(said.body)
  const message = inWords(call, said)
  if (said.status === 501 || code === 'SERVICE_NOT_APPLICABLE') return new CheckUnsupported(message)
  if (windowed && code === 'OUT_OF_RANGE') return new WindowUnsupported(message)
  return new CheckFailed('rejected', message)
}
