// Which settings does a CAMARA upstream have in the configuration file?

import {
  type AnyCamaraApi,
  checks,
  type OperatorCheckName,
  operatorCheckNames,
  purposePattern,
  releasedPath,
} from '@ringfence/contract'
import Type, { type Static } from 'typebox'
import { TokenSettings } from '../../upstream/token-request.ts'
import { ApiPath, BaseUrl, limitProperties } from '../../upstream/upstream-settings.ts'
import { NumberVerificationSettings } from './camara-number-verification.ts'
import { SubscriptionSettings } from './camara-subscriptions.ts'

const strict = { additionalProperties: false }

export const defaults = { purpose: 'dpv:FraudPreventionAndDetection', scopeFormat: 'purpose scope' } as const

const apiBaseUrl = Type.Optional(BaseUrl('only if this API has a different base URL'))
const scope = Type.Optional(
  Type.String({
    minLength: 1,
    description: 'the complete scope of token requests for this API, in place of the default',
  }),
)

const ApiSettings = ({ api, calls }: AnyCamaraApi) =>
  Type.Optional(
    Type.Object(
      {
        baseUrl: apiBaseUrl,
        path: ApiPath(releasedPath(api)),
        calls: Type.Optional(
          Type.Array(Type.Enum(calls.map(({ resource }) => resource)), {
            minItems: 1,
            uniqueItems: true,
            default: calls.slice(0, 1).map(({ resource }) => resource),
            description:
              'the calls that the operator offers, in order of preference; Ringfence uses the next one when a call is not supported',
          }),
        ),
        scope,
      },
      { ...strict, description: 'leave it out if the operator does not offer it' },
    ),
  )

/** One for each check that operators answer. */
const apis = Object.fromEntries(operatorCheckNames.map((name) => [name, ApiSettings(checks[name].camara!)])) as Record<
  OperatorCheckName,
  ReturnType<typeof ApiSettings>
>

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
    purposes: Type.Optional(
      Type.Record(Type.String({ pattern: purposePattern }), Type.String({ pattern: '^\\S{1,256}$' }), {
        additionalProperties: false,
        minProperties: 1,
        maxProperties: 32,
        description:
          'the purposes that the operator granted: for each purpose that a call states, the one of its access token (often the same). A call with another purpose is not sent to this operator; one without a purpose has `purpose`. Default: every call has `purpose`',
      }),
    ),
    scopeFormat: Type.Optional(
      Type.Enum(['purpose scope', 'purpose#api', 'scope'], {
        default: defaults.scopeFormat,
        description:
          'how the scope states the purpose: "dpv:… sim-swap:check", the older form "dpv:…#sim-swap", or not at all',
      }),
    ),
    ...apis,
    numberVerification: NumberVerificationSettings,
    simSwapSubscriptions: SubscriptionSettings,
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
