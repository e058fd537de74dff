// Which calls does our own CAMARA API have? One for each CAMARA call of a check that says how it is served, and the token endpoint.

import Type, { type TSchema } from 'typebox'
import { AccessTokenAnswer, AccessTokenForm, AccessTokenRequest, CamaraErrorBody } from '../checks/camara-api.ts'
import { camaraRequest } from '../checks/camara-request.ts'
import { type CamaraVersion, camaraPath, releasedPath, versionsOf } from '../checks/camara-versions.ts'
import type { AnyCamaraApi, CamaraCall } from '../checks/check.ts'
import { type CheckName, checks, operatorCheckNames } from '../checks/index.ts'
import { CamaraVerifyRequest, numberVerificationApi } from '../checks/number-verification.ts'
import { OAuthErrorBody } from '../legacy-api.ts'
import { type Endpoint, everyCall, type RefusalRow, restricted } from './endpoint.ts'

const refusedAs =
  (body: TSchema) =>
  (description: string, ...samples: string[]): RefusalRow => ({ description, body, samples })
const refused = refusedAs(CamaraErrorBody)
const refusedByOAuth = refusedAs(OAuthErrorBody)

/** One call of our CAMARA API. */
export type CamaraEndpoint = Extract<Endpoint, { caller: 'token' }> & {
  readonly check: Exclude<CheckName, 'portability'>
  readonly api: AnyCamaraApi
  readonly version: CamaraVersion
  // biome-ignore lint/suspicious/noExplicitAny: its functions take what the schemas of its check allow
  readonly call: CamaraCall<any, any>
}

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
    'The body names no number, or the operator does not answer this, or not with these parameters',
    'phone-number-missing',
    'identifier-unsupported',
    'check-not-applicable',
  ),
  429: refused(everyCall[429].description, 'rate-limited'),
  431: refused(everyCall[431].description, 'headers-too-large'),
  500: refused('An unexpected failure', 'unexpected'),
  503: refused('The operator did not answer, or the service is overloaded or stopping', 'unavailable'),
} as const

/** By name of the check, resource and version: `simSwap/check/v2`. */
export const camaraEndpoints: Readonly<Record<string, CamaraEndpoint>> = Object.fromEntries(
  operatorCheckNames.flatMap((check) => {
    const { title, summary } = checks[check]
    const api: AnyCamaraApi | undefined = checks[check].camara
    if (!api) return []
    const calls = api.calls.filter(({ served }) => served !== undefined)
    return versionsOf(api.api).flatMap((version) =>
      calls.map((call): [string, CamaraEndpoint] => [
        `${check}/${call.resource}/${version.version}`,
        {
          ...{ check, api, version, call },
          method: 'POST',
          path: `${camaraPath(api.api, version)}/${call.resource}`,
          caller: 'token',
          tokenScopes: [call.scope, api.api],
          errorFormat: 'camara',
          tag: 'CAMARA',
          summary: `CAMARA ${api.api} ${version.release}: ${call.resource}`,
          description: `${summary} The ${title} check as CAMARA defines it; scope \`${call.scope}\`.`,
          request: camaraRequest(api, call, version),
          answer: call.Response,
          accepted: 'The answer of the operator',
          refusals,
        },
      ]),
    )
  }),
)

const { verify, share } = numberVerificationApi
const numberVerificationPath = releasedPath(numberVerificationApi.api)

const ofPhone = {
  caller: 'token',
  errorFormat: 'camara',
  tag: 'CAMARA',
  accepted: 'The answer of the operator',
  refusals: {
    ...refusals,
    400: refused('Not exactly one of the two numbers, or one of a wrong form', 'field-invalid', 'invalid-json'),
    401: refused('Missing, wrong, expired or used access token', 'access-token-invalid', 'access-token-used'),
    403: refused(
      `The access token lacks the scope, belongs to no phone, or is for another number. ${restricted}`,
      'client-restricted',
      'phone-token-needed',
      'other-number-asked',
    ),
    422: refused('The operator does not answer this', 'check-not-applicable'),
  },
} as const

/** Number Verification: with an access token of the phone that went through the authorization endpoint. */
export const camaraNumberVerificationEndpoints = {
  verify: {
    ...ofPhone,
    method: 'POST',
    path: `${numberVerificationPath}/${verify.resource}`,
    tokenScopes: [verify.scope],
    summary: 'CAMARA number-verification: verify',
    description: `Whether the phone that returned with the code has this number; once for each access token. Scope \`${verify.scope}\`.`,
    request: CamaraVerifyRequest,
    answer: verify.Response,
  },
  share: {
    ...ofPhone,
    method: 'GET',
    path: `${numberVerificationPath}/${share.resource}`,
    tokenScopes: [share.scope],
    summary: 'CAMARA number-verification: device-phone-number',
    description: `Which number the phone has that returned with the code; once for each access token. Scope \`${share.scope}\`.`,
    request: Type.Object({}),
    answer: share.Response,
  },
} as const satisfies Record<string, Endpoint>

/** Every scope of our CAMARA API: those of calls, and those of whole APIs. */
export const camaraScopes: readonly string[] = [
  ...new Set(Object.values(camaraEndpoints).flatMap(({ api, call }) => [api.api, call.scope])),
  verify.scope,
  share.scope,
]

/** For the phone; a page, no endpoint of the contract. */
export const camaraAuthorizationPath = '/camara/oauth2/authorize'

export const camaraTokenEndpoint = {
  method: 'POST',
  path: '/camara/oauth2/token',
  caller: 'client',
  scope: 'telecom',
  errorFormat: 'oauth',
  tag: 'CAMARA',
  summary: 'Token endpoint of the CAMARA API',
  description:
    'OAuth 2.0 client credentials (RFC 6749, 4.4), and authorization codes of Number Verification with PKCE (4.1, RFC 7636). Credentials: HTTP Basic, headers, form fields, or an assertion that the client signed (`private_key_jwt`). The token is only for the CAMARA API of this service.',
  request: AccessTokenRequest,
  fieldFailures: { grant_type: 'clientGrantUnsupported', scope: 'scopeInvalid' },
  form: AccessTokenForm,
  answer: AccessTokenAnswer,
  accepted: 'An access token',
  refusals: {
    400: refusedByOAuth(
      'Another grant type, a scope that this service does not have, or a code that is unknown or used',
      'client-grant-unsupported',
      'scope-invalid',
      'code-invalid',
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
    431: refusedByOAuth(everyCall[431].description, 'headers-too-large'),
    500: refusedByOAuth('An unexpected failure', 'unexpected'),
    503: refusedByOAuth(everyCall[503].description, 'unavailable'),
  },
} as const satisfies Endpoint
