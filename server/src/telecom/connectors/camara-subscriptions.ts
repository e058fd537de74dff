// How does Ringfence subscribe to SIM swaps at a CAMARA operator? (CAMARA sim-swap-subscriptions 0.4)

import type { Consent } from '@ringfence/contract'
import Type from 'typebox'
import { compileOnUse } from '../../core/json/compile-on-use.ts'
import { describeResponse, Guard, type Limits, type UpstreamResponse } from '../../upstream/guard.ts'
import { sendWithToken, type TokenClient } from '../../upstream/oauth-token.ts'
import { bodyOf } from '../../upstream/response-body.ts'
import { UpstreamError } from '../../upstream/upstream-error.ts'
import type { UpstreamResources } from '../../upstream/upstream-resources.ts'
import { ApiPath, BaseUrl } from '../../upstream/upstream-settings.ts'
import { camaraHeaders, saysUnsupported } from './camara-wire.ts'
import { CheckUnsupported, type SwapSubscriptions } from './connector.ts'

export const subscriptionsApi = 'sim-swap-subscriptions'
export const subscriptionsPath = `/${subscriptionsApi}/v0.4`
/** Events have this type; `v0` becomes `v1` with the API. */
const swappedType = 'org.camaraproject.sim-swap-subscriptions.v0.swapped'

export const SubscriptionSettings = Type.Optional(
  Type.Object(
    {
      baseUrl: Type.Optional(BaseUrl('only if this API has a different base URL')),
      path: ApiPath(subscriptionsPath),
      scope: Type.Optional(
        Type.String({ minLength: 1, description: 'the complete scope of token requests, in place of the default' }),
      ),
    },
    {
      additionalProperties: false,
      description:
        'subscriptions to SIM swaps of watched numbers (sim-swap-subscriptions); leave it out if the operator does not offer it. Needs BASE_URL, where the operator reaches this service',
    },
  ),
)

const Created = compileOnUse(
  Type.Object({
    id: Type.String({ minLength: 1, maxLength: 256 }),
    expiresAt: Type.Optional(Type.String({ format: 'date-time' })),
  }),
)

interface Options {
  readonly upstream: string
  readonly baseUrl: URL
  readonly limits: Limits
  readonly tokens: TokenClient
  readonly wholeScope: string | undefined
  /** Maps the scope of a call to the scope of the token request. */
  scopeOf(scope: string, consent?: Consent): string
}

export function camaraSubscriptions(options: Options, resources: UpstreamResources): SwapSubscriptions {
  const { upstream, baseUrl, limits, tokens, wholeScope, scopeOf } = options
  const api = new Guard({ upstream, service: subscriptionsApi, baseUrl, ...limits }, resources)
  const tokensFor = (action: string, consent?: Consent) =>
    tokens.tokens(wholeScope ?? scopeOf(`${subscriptionsApi}:${action}`, consent))
  return {
    async subscribe({ digits }, { sink, accessToken, until }, inquiry) {
      const call = 'sim-swap-subscriptions/create'
      const expires = new Date(until).toISOString()
      const body = JSON.stringify({
        protocol: 'HTTP',
        sink,
        sinkCredential: {
          credentialType: 'ACCESSTOKEN',
          accessToken,
          accessTokenExpiresUtc: expires,
          accessTokenType: 'bearer',
        },
        types: [swappedType],
        config: { subscriptionDetail: { phoneNumber: `+${digits}` }, subscriptionExpireTime: expires },
      })
      const request = {
        call,
        method: 'POST',
        path: '/subscriptions',
        // An operator that answers 502 may have accepted it: a second one would report each swap twice.
        once: true,
        headers: camaraHeaders(inquiry, body),
        body,
        read(response: UpstreamResponse) {
          if (response.status >= 300) {
            const message = describeResponse(call, response)
            throw saysUnsupported(response) ? new CheckUnsupported(message) : new UpstreamError('rejected', message)
          }
          const { id, expiresAt } = bodyOf(call, response, Created)
          return { id, ...(expiresAt !== undefined && { expiresAt: Date.parse(expiresAt) }) }
        },
      } as const
      return sendWithToken(api, tokensFor(`${swappedType}:create`, inquiry.consent), request, inquiry.signal)
    },
    async end(id, inquiry) {
      const call = 'sim-swap-subscriptions/delete'
      const request = {
        call,
        method: 'DELETE',
        path: `/subscriptions/${encodeURIComponent(id)}`,
        headers: camaraHeaders(inquiry),
        read(response: UpstreamResponse) {
          // 404: it has ended already.
          if (response.status >= 300 && response.status !== 404)
            throw new UpstreamError('rejected', describeResponse(call, response))
        },
      } as const
      await sendWithToken(api, tokensFor('delete'), request, inquiry.signal)
    },
    state: () => api.state(),
    close: () => api.close(),
  }
}
