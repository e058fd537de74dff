// POST /oauth2/token: issues access tokens, with client credentials (two-legged) or a JWT bearer assertion (three-legged).

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { logNumber } from '../call-log.ts'
import type { Network } from '../network.ts'
import { isValidNumber } from '../phone-number.ts'
import { AssertionRefused } from './assertion.ts'
import { authenticatedClient } from './client-authentication.ts'
import { OAuthError } from './errors.ts'
import { grantedScope } from './scopes.ts'
import { supportedScopes } from './supported-scopes.ts'

const jwtBearerGrant = 'urn:ietf:params:oauth:grant-type:jwt-bearer'

/** CAMARA requires short-lived tokens for the JWT bearer flow. */
const lifetimeSeconds = { client_credentials: 3_600, 'jwt-bearer': 300 } as const

const contentType = 'application/x-www-form-urlencoded'

export async function tokenEndpoint(app: FastifyInstance, network: Network): Promise<void> {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(contentType, { parseAs: 'string' }, (_request, body, done) => {
    done(null, new URLSearchParams(String(body)))
  })
  app.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
    reply.header('cache-control', 'no-store')
    if (error instanceof OAuthError) {
      // RFC 6749, 5.2: the response names the scheme that the client used.
      if (error.status === 401 && request.headers.authorization)
        reply.header('www-authenticate', 'Basic realm="sandbox"')
      return reply.code(error.status).send(error.body)
    }
    const status = error.statusCode ?? 500
    if (status >= 500) {
      request.log.error({ err: error }, 'token request failed')
      return reply.code(500).send({ error: 'server_error' })
    }
    return reply.code(400).send(new OAuthError('invalid_request', `Send the parameters as ${contentType}`).body)
  })

  app.post<{ Body: URLSearchParams | undefined }>('/oauth2/token', async (request, reply) => {
    const form = request.body ?? new URLSearchParams()
    for (const name of new Set(form.keys())) {
      if (form.getAll(name).length > 1) throw new OAuthError('invalid_request', `${name} must not be repeated`)
    }
    switch (form.get('grant_type')) {
      case 'client_credentials':
        return await clientCredentials(form, request, reply)
      case jwtBearerGrant:
        return await jwtBearer(form, request, reply)
      case null:
        throw new OAuthError('invalid_request', 'grant_type is missing')
      default:
        throw new OAuthError('unsupported_grant_type', `Use client_credentials or ${jwtBearerGrant}`)
    }
  })

  app.get('/.well-known/oauth-authorization-server', () => ({
    issuer: network.issuer(),
    token_endpoint: `${network.issuer()}/oauth2/token`,
    grant_types_supported: ['client_credentials', jwtBearerGrant],
    response_types_supported: [],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'private_key_jwt'],
    token_endpoint_auth_signing_alg_values_supported: ['PS256', 'ES256', 'EdDSA', 'RS256'],
    scopes_supported: supportedScopes,
  }))

  async function clientCredentials(form: URLSearchParams, request: FastifyRequest, reply: FastifyReply) {
    const call = network.calls.of(request)
    if (call) call.grant = 'client_credentials'
    const { client, authentication } = await authenticatedClient(
      request.headers.authorization,
      form,
      network.clients,
      network.assertions,
    )
    if (call) Object.assign(call, { client: client.clientId, authentication })
    const scope = grantedScope(form.get('scope') ?? '', client)
    return answer(reply, 'client_credentials', client.clientId, scope, undefined)
  }

  /** RFC 7523, 2.1, with the limits of CAMARA's profile: the assertion is both the grant and the client authentication. */
  async function jwtBearer(form: URLSearchParams, request: FastifyRequest, reply: FastifyReply) {
    const call = network.calls.of(request)
    if (call) call.grant = 'jwt-bearer'
    if (form.has('scope')) throw new OAuthError('invalid_request', 'Put the scope into the assertion')
    const { client, claims } = await network.assertions
      .accept(form.get('assertion') ?? '')
      .catch((refused: unknown) => {
        if (refused instanceof AssertionRefused) throw new OAuthError('invalid_grant', `assertion: ${refused.message}`)
        throw refused
      })
    if (call) Object.assign(call, { client: client.clientId, authentication: 'jwt-bearer' })
    if (claims.iat === undefined) throw new OAuthError('invalid_grant', 'assertion: iat is missing')
    const number = /^tel:\+([0-9]+)$/.exec(claims.sub ?? '')?.[1]
    if (!number || !isValidNumber(number)) {
      throw new OAuthError('invalid_grant', 'assertion: sub must be tel:+ and a valid phone number')
    }
    logNumber(call, number)
    const scope = grantedScope(typeof claims.scope === 'string' ? claims.scope : '', client)
    return answer(reply, 'jwt-bearer', client.clientId, scope, number)
  }

  function answer(
    reply: FastifyReply,
    grant: keyof typeof lifetimeSeconds,
    clientId: string,
    { scopes, text }: ReturnType<typeof grantedScope>,
    number: string | undefined,
  ) {
    reply.header('cache-control', 'no-store')
    return {
      access_token: network.tokens.issue({ clientId, grant, scopes, number }, lifetimeSeconds[grant]),
      token_type: 'Bearer',
      expires_in: lifetimeSeconds[grant],
      scope: text,
    }
  }
}
