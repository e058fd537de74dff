// POST /oauth2/token: issues access tokens: client credentials (two-legged), JWT bearer, CIBA and authorization codes (three-legged).

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { logNumber } from '../call-log.ts'
import type { Network } from '../network.ts'
import { isValidNumber } from '../phone-number.ts'
import { AssertionRefused } from './assertion.ts'
import { lifetimeSeconds as authorizationSeconds, backchannel, interval } from './backchannel.ts'
import { authenticatedClient } from './client-authentication.ts'
import { OAuthError } from './errors.ts'
import { grantedScope } from './scopes.ts'
import { supportedScopes } from './supported-scopes.ts'

const jwtBearerGrant = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const cibaGrant = 'urn:openid:params:grant-type:ciba'

/** CAMARA requires short-lived tokens for the JWT bearer flow. */
const lifetimeSeconds = { client_credentials: 3_600, 'jwt-bearer': 300, ciba: 300, authorization_code: 300 } as const

const contentType = 'application/x-www-form-urlencoded'

export async function tokenEndpoint(app: FastifyInstance, network: Network): Promise<void> {
  const requests = backchannel(network.clock)
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
    const form = formOf(request)
    switch (form.get('grant_type')) {
      case 'client_credentials':
        return await clientCredentials(form, request, reply)
      case jwtBearerGrant:
        return await jwtBearer(form, request, reply)
      case cibaGrant:
        return await ciba(form, request, reply)
      case 'authorization_code':
        return await authorizationCode(form, request, reply)
      case null:
        throw new OAuthError('invalid_request', 'grant_type is missing')
      default:
        throw new OAuthError(
          'unsupported_grant_type',
          `Use client_credentials, authorization_code, ${jwtBearerGrant} or ${cibaGrant}`,
        )
    }
  })

  app.post<{ Body: URLSearchParams | undefined }>('/oauth2/bc-authorize', async (request, reply) => {
    const form = formOf(request)
    const client = await clientOf(form, request)
    const number = /^tel:\+([0-9]+)$/.exec(form.get('login_hint') ?? '')?.[1]
    if (!number || !isValidNumber(number)) {
      throw new OAuthError('unknown_user_id', 'login_hint must be tel:+ and a valid phone number')
    }
    logNumber(network.calls.of(request), number)
    const scope = grantedScope(form.get('scope') ?? '', client)
    reply.header('cache-control', 'no-store')
    const id = requests.begin({ clientId: client.clientId, number, scope })
    return { auth_req_id: id, expires_in: authorizationSeconds, interval }
  })

  app.get('/.well-known/oauth-authorization-server', () => ({
    issuer: network.issuer(),
    token_endpoint: `${network.issuer()}/oauth2/token`,
    backchannel_authentication_endpoint: `${network.issuer()}/oauth2/bc-authorize`,
    backchannel_token_delivery_modes_supported: ['poll'],
    authorization_endpoint: `${network.issuer()}/oauth2/authorize`,
    authorization_response_iss_parameter_supported: true,
    jwks_uri: `${network.issuer()}/oauth2/jwks`,
    grant_types_supported: ['client_credentials', 'authorization_code', jwtBearerGrant, cibaGrant],
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'private_key_jwt'],
    token_endpoint_auth_signing_alg_values_supported: ['PS256', 'ES256', 'EdDSA', 'RS256'],
    scopes_supported: supportedScopes,
  }))

  async function clientOf(form: URLSearchParams, request: FastifyRequest) {
    const { client, authentication } = await authenticatedClient(
      request.headers.authorization,
      form,
      network.clients,
      network.assertions,
    )
    const call = network.calls.of(request)
    if (call) Object.assign(call, { client: client.clientId, authentication })
    return client
  }

  async function clientCredentials(form: URLSearchParams, request: FastifyRequest, reply: FastifyReply) {
    const call = network.calls.of(request)
    if (call) call.grant = 'client_credentials'
    const client = await clientOf(form, request)
    const scope = grantedScope(form.get('scope') ?? '', client)
    return answer(reply, 'client_credentials', client.clientId, scope, undefined)
  }

  /** OpenID Connect CIBA Core 1.0, section 10.1. */
  async function ciba(form: URLSearchParams, request: FastifyRequest, reply: FastifyReply) {
    const call = network.calls.of(request)
    if (call) call.grant = 'ciba'
    const { clientId } = await clientOf(form, request)
    const { scope, number } = requests.poll(form.get('auth_req_id') ?? '', clientId)
    logNumber(call, number)
    return answer(reply, 'ciba', clientId, scope, number)
  }

  /** RFC 6749, 4.1.3, and OpenID Connect Core 1.0, 3.1.3. */
  async function authorizationCode(form: URLSearchParams, request: FastifyRequest, reply: FastifyReply) {
    const call = network.calls.of(request)
    if (call) call.grant = 'authorization_code'
    const { clientId } = await clientOf(form, request)
    const code = network.authorizationCodes.exchange(form.get('code') ?? '', {
      clientId,
      redirectUri: form.get('redirect_uri') ?? '',
      verifier: form.get('code_verifier') ?? undefined,
    })
    logNumber(call, code.number)
    const { byNetwork } = code
    return {
      ...answer(reply, 'authorization_code', clientId, code.scope, code.number, byNetwork),
      id_token: await network.idTokens.sign(code),
    }
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
    byNetwork?: boolean,
  ) {
    reply.header('cache-control', 'no-store')
    return {
      access_token: network.tokens.issue(
        { clientId, grant, scopes, number, ...(byNetwork !== undefined && { byNetwork }) },
        lifetimeSeconds[grant],
      ),
      token_type: 'Bearer',
      expires_in: lifetimeSeconds[grant],
      scope: text,
    }
  }
}

function formOf({ body: form = new URLSearchParams() }: FastifyRequest<{ Body: URLSearchParams | undefined }>) {
  for (const name of new Set(form.keys())) {
    if (form.getAll(name).length > 1) throw new OAuthError('invalid_request', `${name} must not be repeated`)
  }
  return form
}
