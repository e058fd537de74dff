// Which calls does our own CAMARA API have? One for each CAMARA call of a check that says how it is served, and the token endpoint.

import Type, { type TSchema } from 'typebox'
import {
  AccessTokenAnswer,
  AccessTokenForm,
  AccessTokenRequest,
  CamaraDevice,
  CamaraErrorBody,
  CamaraPhoneNumber,
} from '../checks/camara-api.ts'
import type { AnyCamaraApi, CamaraCall } from '../checks/check.ts'
import { type CheckName, checks, operatorCheckNames } from '../checks/index.ts'
import { withoutRanges } from '../checks/ranges.ts'
import { OAuthErrorBody } from '../legacy-api.ts'
import { type Endpoint, everyCall, type RefusalRow, restricted } from './endpoint.ts'

const refusedAs =
  (body: TSchema) =>
  (description: string, ...samples: string[]): RefusalRow => ({ description, body, samples })
const refused = refusedAs(CamaraErrorBody)
const refusedByOAuth = refusedAs(OAuthErrorBody)

/** One call of our CAMARA API. */
export interface CamaraEndpoint extends Endpoint {
  readonly check: Exclude<CheckName, 'portability'>
  readonly api: AnyCamaraApi
  // biome-ignore lint/suspicious/noExplicitAny: its functions take what the schemas of its check allow
  readonly call: CamaraCall<any, any>
}

const subjects = { phoneNumber: { phoneNumber: CamaraPhoneNumber }, device: { device: Type.Optional(CamaraDevice) } }

const refusals = {
  400: refused(
    'A field is wrong or out of range, or the window is longer than the operator may look back',
    'field-invalid',
    'out-of-range',
    'nothing-to-compare',
    'invalid-json',
  ),
  401: refused('Missing, wrong or expired access token', 'access-token-invalid'),
  403: refused(`The access token lacks the scope. ${restricted}`, 'client-restricted'),
  404: refused('No operator is known for this number', 'invalid-phone-number'),
  405: refused(everyCall[405].description, 'method-not-allowed'),
  408: everyCall[408],
  413: refused(everyCall[413].description, 'body-too-large'),
  415: refused(everyCall[415].description, 'media-type-unsupported'),
  422: refused(
    'The body names no number, or the operator does not answer this',
    'phone-number-missing',
    'identifier-unsupported',
    'check-not-applicable',
  ),
  429: refused(everyCall[429].description, 'rate-limited'),
  431: everyCall[431],
  500: refused('An unexpected failure', 'unexpected'),
  503: refused('The operator did not answer, or the service is overloaded or stopping', 'unavailable'),
} as const

/** By name of the check and resource: `simSwap/check`. */
export const camaraEndpoints: Readonly<Record<string, CamaraEndpoint>> = Object.fromEntries(
  operatorCheckNames.flatMap((check) => {
    const { title, summary } = checks[check]
    const api: AnyCamaraApi | undefined = checks[check].camara
    if (!api) return []
    return api.calls
      .filter(({ served }) => served !== undefined)
      .map((call): [string, CamaraEndpoint] => [
        `${check}/${call.resource}`,
        {
          ...{ check, api, call },
          method: 'POST',
          path: `${api.path as `/${string}`}/${call.resource}`,
          caller: 'token',
          errorFormat: 'camara',
          tag: 'CAMARA',
          summary: `CAMARA ${api.api}: ${call.resource}`,
          description: `${summary} The ${title} check as CAMARA defines it; scope \`${call.scope}\`.`,
          request: Type.Object({
            ...subjects[api.identifier],
            ...withoutRanges(call.Body ?? {}),
          }),
          answer: call.Response,
          accepted: 'The answer of the operator',
          refusals,
        },
      ])
  }),
)

/** Every scope of our CAMARA API: those of calls, and those of whole APIs. */
export const camaraScopes: readonly string[] = [
  ...new Set(Object.values(camaraEndpoints).flatMap(({ api, call }) => [api.api, call.scope])),
]

export const camaraTokenEndpoint = {
  method: 'POST',
  path: '/camara/oauth2/token',
  caller: 'client',
  errorFormat: 'oauth',
  tag: 'CAMARA',
  summary: 'Token endpoint of the CAMARA API',
  description:
    'OAuth 2.0 client credentials (RFC 6749, 4.4). Credentials: HTTP Basic, headers, form fields, or an assertion that the client signed (`private_key_jwt`). The token is only for the CAMARA API of this service.',
  request: AccessTokenRequest,
  form: AccessTokenForm,
  answer: AccessTokenAnswer,
  accepted: 'An access token',
  refusals: {
    400: refusedByOAuth(
      'Another grant type, or a scope that this service does not have',
      'client-grant-unsupported',
      'scope-invalid',
      'invalid-json',
    ),
    401: refusedByOAuth(
      'Missing or invalid credentials (invalid_client)',
      'credentials-missing',
      'credentials-invalid',
      'assertion-invalid',
    ),
    403: refusedByOAuth(`${restricted} (unauthorized_client)`, 'client-restricted'),
    405: refusedByOAuth(everyCall[405].description, 'method-not-allowed'),
    408: everyCall[408],
    413: refusedByOAuth(everyCall[413].description, 'body-too-large'),
    415: refusedByOAuth(everyCall[415].description, 'media-type-unsupported'),
    429: refusedByOAuth(everyCall[429].description, 'rate-limited'),
    431: everyCall[431],
    500: refusedByOAuth('An unexpected failure', 'unexpected'),
    503: refusedByOAuth(everyCall[503].description, 'unavailable'),
  },
} as const satisfies Endpoint
