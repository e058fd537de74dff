// Who serves a number, as far as the sandbox operator has it? Made-up data, asked over HTTP like a real source.

import Type, { type Static } from 'typebox'
import { Compile } from 'typebox/compile'
import { type Answer, errorCodeOf, guard, inWords } from '../../upstream/guard.ts'
import { askWithToken, TokenSettings, tokenClient } from '../../upstream/oauth-token.ts'
import { BaseUrl, limitProperties, limitsOf, readUrl } from '../../upstream/upstream-settings.ts'
import { CheckFailed, type ConnectorResources } from '../connectors/connector.ts'
import type { PortabilitySource, PortabilitySourceKind } from './source.ts'

export const SandboxSourceSettings = Type.Object(
  {
    type: Type.Literal('sandbox', { description: 'the kind of source' }),
    baseUrl: BaseUrl('the address of the sandbox operator'),
    token: TokenSettings,
    ...limitProperties,
  },
  { additionalProperties: false },
)
export type SandboxSourceSettings = Static<typeof SandboxSourceSettings>

const Operator = Type.Object({ id: Type.String({ minLength: 1 }), name: Type.String() })
const numberRecord = Compile(
  Type.Object({ number: Type.String(), operator: Operator, homeOperator: Operator, ported: Type.Boolean() }),
)

export const sandbox: PortabilitySourceKind<typeof SandboxSourceSettings> = {
  type: 'sandbox',
  Config: SandboxSourceSettings,
  create: sandboxSource,
}

/** Asks `GET /portability/v1/numbers/{digits}`; a number that nobody serves is 404 IDENTIFIER_NOT_FOUND: unknown. */
function sandboxSource(
  name: string,
  settings: SandboxSourceSettings,
  resources: ConnectorResources,
): PortabilitySource {
  const baseUrl = readUrl('baseUrl', settings.baseUrl, true)
  const limits = limitsOf(settings, resources.readSecret)
  const client = tokenClient({ upstream: name, settings: settings.token, limits, sandbox: true }, resources)
  const tokens = client.tokens('portability:read')
  const sourceGuard = guard({ upstream: name, service: 'portability', baseUrl, ...limits }, resources)
  const call = 'portability/numbers'

  return {
    name,
    sandbox: true,
    lookUp({ digits }, { signal, correlator }) {
      const question = {
        call,
        method: 'GET',
        path: `/portability/v1/numbers/${digits}`,
        headers: { accept: 'application/json', 'x-correlator': correlator },
        read(said: Answer) {
          if (errorCodeOf(said.body) === 'IDENTIFIER_NOT_FOUND') return undefined
          if (said.status >= 300) throw new CheckFailed('rejected', inWords(call, said))
          const record = said.body
          // The answer to somebody else's question must not pass.
          if (!numberRecord.Check(record) || record.number !== digits) {
            throw new CheckFailed('format', `${inWords(call, said)} with a body that does not fit its schema`)
          }
          return {
            operator: record.operator.id,
            homeOperator: record.homeOperator.id,
            ported: record.ported,
            asOf: resources.clock.now(),
          }
        },
      } as const
      return askWithToken(sourceGuard, tokens, question, signal)
    },
    async close() {
      await Promise.all([sourceGuard.close(), client.close()])
    },
  }
}
