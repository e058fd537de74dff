// Is this call allowed? It needs a valid access token with one of the required scopes.

import type { FastifyRequest } from 'fastify'
import { Refusal } from './camara/errors.ts'
import type { Network } from './network.ts'
import type { AccessToken } from './oauth/access-tokens.ts'
import type { Scope } from './oauth/supported-scopes.ts'

const tokenKey = 'accessToken'

/**
 * Makes a hook for routes that need one of these scopes.
 * Throws Refusal: 401 UNAUTHENTICATED without a valid token, 403 PERMISSION_DENIED with a token for other scopes.
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

/** The token that `needsScope` accepted. */
export function accessTokenOf(request: FastifyRequest): AccessToken {
  return request.getDecorator<AccessToken>(tokenKey)
}

/** Name of the request decorator; the app must declare it before routes use `needsScope`. */
export const accessDecorator = tokenKey
