// Which operator serves a number in the sandbox? Made-up data, queried over HTTP like a real source.

import Type, { type Static } from 'typebox'
import { readUrl } from '../../core/address/called-url.ts'
import { compileOnUse } from '../../core/json/compile-on-use.ts'
import { describeResponse, errorCodeOf, Guard, type UpstreamResponse } from '../../upstream/guard.ts'
import { sendWithToken, TokenClient } from '../../upstream/oauth-token.ts'
import { bodyOf } from '../../upstream/response-body.ts'
import { TokenSettings } from '../../upstream/token-request.ts'
import { UpstreamError } from '../../upstream/upstream-error.ts'
import type { UpstreamResources } from '../../upstream/upstream-resources.ts'
import { BaseUrl, limitProperties, limitsOf } from '../../upstream/upstream-settings.ts'
import { camaraHeaders } from '../connectors/camara-wire.ts'
import type { PortabilitySource, PortabilitySourceKind } from './source.ts'

const SandboxSourceSettings = Type.Object(
  {
    type: Type.Literal('sandbox', { description: 'the kind of source' }),
    baseUrl: BaseUrl('the URL of the sandbox operator'),
    token: TokenSettings,
    ...limitProperties,
  },
  { additionalProperties: false },
)
export type SandboxSourceSettings = Static<typeof SandboxSourceSettings>

const Operator = Type.Object({ id: Type.String({ minLength: 1 }), name: Type.String() })
const numberRecord = compileOnUse(
  Type.Object({ number: Type.String(), operator: Operator, homeOperator: Operator, ported: Type.Boolean() }),
)

export const sandbox: PortabilitySourceKind<typeof SandboxSourceSettings> = {
  type: 'sandbox',
  Config: SandboxSourceSettings,
  create: sandboxSource,
}

/** Calls `GET /portability/v1/numbers/{digits}`. 404 IDENTIFIER_NOT_FOUND means that no operator serves the number. */
function sandboxSource(name: string, settings: SandboxSourceSettings, resources: UpstreamResources): PortabilitySource {
  const baseUrl = readUrl('baseUrl', settings.baseUrl, true)
  const limits = limitsOf(settings, resources.readSecret)
  const client = new TokenClient({ upstream: name, settings: settings.token, limits, sandbox: true }, resources)
  const tokens = client.tokens('portability:read')
  const sourceGuard = new Guard({ upstream: name, service: 'portability', baseUrl, ...limits }, resources)
  const call = 'portability/numbers'

  return {
    name,
    sandbox: true,
    free: true,
    lookUp({ digits }, inquiry) {
      const request = {
        call,
        method: 'GET',
        path: `/portability/v1/numbers/${digits}`,
        headers: camaraHeaders(inquiry),
        read(response: UpstreamResponse) {
          if (errorCodeOf(response.body) === 'IDENTIFIER_NOT_FOUND') return undefined
          if (response.status >= 300) throw new UpstreamError('rejected', describeResponse(call, response))
          const record = bodyOf(call, response, numberRecord)
          if (record.number !== digits)
            throw new UpstreamError('format', `${describeResponse(call, response)} about another number`)
          return {
            operator: record.operator.id,
            homeOperator: record.homeOperator.id,
            ported: record.ported,
            asOf: resources.clock.now(),
          }
        },
      } as const
      return sendWithToken(sourceGuard, tokens, request, inquiry.signal)
    },
    async close() {
      await Promise.all([sourceGuard.close(), client.close()])
    },
  }
}
