// May this call be made? An access token that is alive, with one of the scopes that the call needs.

import type { FastifyRequest } from 'fastify'
import { Refusal } from './camara/errors.ts'
import type { Network } from './network.ts'
import type { AccessToken } from './oauth/access-tokens.ts'
import type { Scope } from './oauth/scopes.ts'

const tokenKey = 'accessToken'

/**
 * A hook for routes that need one of these scopes.
 * Throws Refusal: 401 UNAUTHENTICATED without a living token, 403 PERMISSION_DENIED with one for something else.
 */
export function needsScope(network: Network, ...oneOf: readonly Scope[]) {
  return async (request: FastifyRequest): Promise<void> => {
    const text = /^Bearer +([\w.~+/-]+=*)$/i.exec(request.headers.authorization ?? '')?.[1]
    const token = text === undefined ? undefined : network.tokens.find(text)
    if (!token) throw new Refusal('unauthenticated')
    const call = network.calls.of(request)
    if (call) Object.assign(call, { client: token.clientId, grant: token.grant })
    if (!oneOf.some((scope) => token.scopes.includes(scope))) {
      throw new Refusal('permissionDenied', `The access token has none of the scopes ${oneOf.join(', ')}.`)
    }
    request.setDecorator(tokenKey, token)
  }
}

/** The token that `needsScope` let through. */
export function accessTokenOf(request: FastifyRequest): AccessToken {
  return request.getDecorator<AccessToken>(tokenKey)
}

/** To be called once for every scope of routes that use `needsScope`. */
export const accessDecorator = tokenKey
