// How does a CAMARA operator verify the number of a phone? (CAMARA number-verification 2.1)

import { createHash } from 'node:crypto'
import { type Consent, numberVerificationApi, releasedPath } from '@ringfence/contract'
import Type, { type Static, type TSchema } from 'typebox'
import { readUrl } from '../../core/address/called-url.ts'
import { type CompiledSchema, compileOnUse } from '../../core/json/compile-on-use.ts'
import { describeResponse, errorCodeOf, Guard, type Limits, type UpstreamResponse } from '../../upstream/guard.ts'
import { phoneTokens } from '../../upstream/oauth/phone-tokens.ts'
import { bodyOf } from '../../upstream/response-body.ts'
import type { TokenSettings } from '../../upstream/token-request.ts'
import { UpstreamError } from '../../upstream/upstream-error.ts'
import type { UpstreamResources } from '../../upstream/upstream-resources.ts'
import { ApiPath, apiUrl, BaseUrl } from '../../upstream/upstream-settings.ts'
import type { Inquiry } from '../inquiry.ts'
import { camaraHeaders, saysUnsupported } from './camara-wire.ts'
import { CheckUnsupported, NotOnMobileNetwork, type NumberVerification } from './connector.ts'

const { api, verify, share, notByNetwork } = numberVerificationApi
const usualPath = releasedPath(api)
const Verified = compileOnUse(verify.Response)
const Shared = compileOnUse(share.Response)

export const NumberVerificationSettings = Type.Optional(
  Type.Object(
    {
      authorizationEndpoint: Type.String({
        pattern: '^https?://[^#]+$',
        description: 'the URL that the phone opens over mobile data',
      }),
      issuer: Type.Optional(
        Type.String({
          minLength: 1,
          description:
            'the issuer of id tokens: with it, the operator must send one, and its claims and nonce are checked; so is an `iss` of its answers (RFC 9207). Without it, an `iss` must have the origin of token.endpoint',
        }),
      ),
      pkce: Type.Optional(
        Type.Boolean({
          default: true,
          description: 'send a code challenge (RFC 7636); false only for an operator that refuses it',
        }),
      ),
      loginHint: Type.Optional(
        Type.Boolean({
          default: false,
          description:
            'send the phone number as login_hint, for an operator or aggregator that needs it to route; the URL, and so the log of a proxy, then contains the number',
        }),
      ),
      hashed: Type.Optional(
        Type.Boolean({ default: false, description: 'send hashedPhoneNumber (SHA-256) in place of phoneNumber' }),
      ),
      baseUrl: Type.Optional(BaseUrl('only if this API has a different base URL')),
      path: ApiPath(usualPath),
      scope: Type.Optional(
        Type.String({
          minLength: 1,
          description: 'the complete scope of authorization requests, in place of the default; contains openid',
        }),
      ),
    },
    {
      additionalProperties: false,
      description:
        'Number Verification (number-verification); leave it out if the operator does not offer it. Register AUTH_URL or BASE_URL with /auth/v1/number-verification/callback/ and the name of the connector there as redirect URI',
    },
  ),
)
export type NumberVerificationSettings = NonNullable<Static<typeof NumberVerificationSettings>>

export interface NumberVerificationOptions {
  readonly upstream: string
  readonly settings: NumberVerificationSettings
  readonly baseUrl: string
  readonly token: TokenSettings
  readonly limits: Limits
  readonly sandbox: boolean | undefined
  /** Maps the scope of a call to the scope of the authorization request, without openid. */
  scopeOf(scope: string, consent?: Consent): string
}

/** Throws an error that names the key of the configuration file that cannot work. */
export function camaraNumberVerification(
  options: NumberVerificationOptions,
  resources: UpstreamResources,
): NumberVerification {
  const { upstream, settings, token, limits, sandbox, scopeOf } = options
  const {
    authorizationEndpoint,
    issuer,
    pkce = true,
    loginHint,
    hashed,
    path = usualPath,
    scope: wholeScope,
  } = settings
  const own = settings.baseUrl === undefined ? 'baseUrl' : 'numberVerification.baseUrl'
  const baseUrl = apiUrl(own, settings.baseUrl ?? options.baseUrl, path, sandbox)
  const authorization = readUrl('numberVerification.authorizationEndpoint', authorizationEndpoint, sandbox)
  // Requests for tokens have a limit for themselves.
  const { slots: _, ...ofTokens } = limits
  const tokens = phoneTokens(
    { upstream, token, authorizationEndpoint: authorization, issuer, pkce, limits: ofTokens, sandbox },
    resources,
  )
  const calls = new Guard({ upstream, service: api, baseUrl, ...limits }, resources)

  return {
    begin({ digits }, { state, redirectUri, asks, consent }) {
      const { scope } = asks === 'number' ? share : verify
      const request = {
        scope: wholeScope ?? `openid ${scopeOf(scope, consent)}`,
        state,
        redirectUri,
        ...(loginHint && { loginHint: `tel:+${digits}` }),
      }
      return tokens.begin(request)
    },

    async verify({ digits }, response, begun, inquiry) {
      const accessToken = await tokens.exchange(response, begun, inquiry.signal)
      const number = `+${digits}`
      const body = hashed
        ? { hashedPhoneNumber: createHash('sha256').update(number).digest('hex') }
        : { phoneNumber: number }
      const read = answerOf(`${api}/${verify.resource}`, Verified)
      const request = { method: 'POST', path: `/${verify.resource}`, body: JSON.stringify(body), ...read } as const
      return (await inquiry.pay(() => send(request, accessToken, inquiry))).devicePhoneNumberVerified
    },

    async numberOfPhone(response, begun, inquiry) {
      const accessToken = await tokens.exchange(response, begun, inquiry.signal)
      const read = answerOf(`${api}/${share.resource}`, Shared)
      const request = { method: 'GET', path: `/${share.resource}`, ...read } as const
      return (await inquiry.pay(() => send(request, accessToken, inquiry))).devicePhoneNumber.slice(1)
    },

    upstreams: () => [tokens.state(), calls.state()],
    async close() {
      await Promise.all([tokens.close(), calls.close()])
    },
  }

  /** The token is new, and for one call. */
  function send<T>(
    request: { call: string; method: 'GET' | 'POST'; path: string; body?: string; read(response: UpstreamResponse): T },
    accessToken: string,
    inquiry: Inquiry,
  ): Promise<T> {
    const headers = { ...camaraHeaders(inquiry, request.body), authorization: `Bearer ${accessToken}` }
    return calls.send({ ...request, headers, once: true, tokenIsNew: true }, inquiry.signal)
  }
}

function answerOf<Answer extends TSchema>(call: string, schema: CompiledSchema<Answer>) {
  return {
    call,
    read(response: UpstreamResponse): Static<Answer> {
      const described = describeResponse(call, response)
      const code = errorCodeOf(response.body)
      if (response.status >= 300) {
        if (code === notByNetwork) throw new NotOnMobileNetwork(described)
        if (saysUnsupported(response)) throw new CheckUnsupported(described)
        throw new UpstreamError('rejected', described, code)
      }
      return bodyOf(call, response, schema)
    },
  }
}
