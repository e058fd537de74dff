// Which settings does a CAMARA upstream have in the configuration file?

import Type, { type Static } from 'typebox'
import { TokenSettings } from '../../upstream/oauth-token.ts'
import { BaseUrl, limitProperties } from '../../upstream/upstream-settings.ts'

const strict = { additionalProperties: false }

/** SIM Swap v2 and Call Forwarding Signal v0.4, the versions of the Fall 2025 meta-release. */
export const defaults = {
  purpose: 'dpv:FraudPreventionAndDetection',
  scopeFormat: 'purpose scope',
  simSwap: { path: '/sim-swap/v2', calls: ['check'] },
  callForwarding: { path: '/call-forwarding-signal/v0.4', calls: ['unconditional-call-forwardings'] },
} as const

const Path = (path: string) =>
  Type.Optional(
    Type.String({
      pattern: '^/.*[^/]$',
      default: path,
      description: 'path and version of the API, added to the base URL',
    }),
  )
const apiBaseUrl = Type.Optional(BaseUrl('only if this API has a different base URL'))
const scope = Type.Optional(
  Type.String({
    minLength: 1,
    description: 'the complete scope of token requests for this API, in place of the default',
  }),
)

export const CamaraSettings = Type.Object(
  {
    type: Type.Literal('camara', { description: 'the kind of connector' }),
    baseUrl: BaseUrl("the part of the operator's URLs before /sim-swap/v2"),
    token: TokenSettings,
    purpose: Type.Optional(
      Type.String({
        pattern: '^\\S+$',
        default: defaults.purpose,
        description: 'the declared purpose: a term of the W3C Data Privacy Vocabulary',
      }),
    ),
    scopeFormat: Type.Optional(
      Type.Enum(['purpose scope', 'purpose#api', 'scope'], {
        default: defaults.scopeFormat,
        description:
          'how the scope states the purpose: "dpv:… sim-swap:check", the older form "dpv:…#sim-swap", or not at all',
      }),
    ),
    simSwap: Type.Optional(
      Type.Object(
        {
          baseUrl: apiBaseUrl,
          path: Path(defaults.simSwap.path),
          calls: Type.Optional(
            Type.Array(Type.Enum(['check', 'retrieve-date']), {
              minItems: 1,
              uniqueItems: true,
              default: defaults.simSwap.calls,
              description:
                'the calls that the operator offers, in order of preference; Ringfence uses the next one when a call is not supported',
            }),
          ),
          scope,
        },
        { ...strict, description: 'CAMARA SIM Swap; leave it out if the operator does not offer it' },
      ),
    ),
    callForwarding: Type.Optional(
      Type.Object(
        {
          baseUrl: apiBaseUrl,
          path: Path(defaults.callForwarding.path),
          calls: Type.Optional(
            Type.Array(Type.Enum(['unconditional-call-forwardings', 'call-forwardings']), {
              minItems: 1,
              uniqueItems: true,
              default: defaults.callForwarding.calls,
              description: 'the calls that the operator offers; only call-forwardings reports conditional forwarding',
            }),
          ),
          scope,
        },
        { ...strict, description: 'CAMARA Call Forwarding Signal; leave it out if the operator does not offer it' },
      ),
    ),
    ...limitProperties,
    sandbox: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'true for made-up data: responses are marked x-ringfence-sandbox, and http:// is allowed',
      }),
    ),
  },
  strict,
)
export type CamaraSettings = Static<typeof CamaraSettings>
