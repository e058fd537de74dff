// POST /oauth2/token, and the endpoints around it: how are access tokens issued?

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { logNumber } from '../call-log.ts'
import type { Network } from '../network.ts'
import { lifetimeSeconds as authorizationSeconds, backchannel, interval } from './backchannel.ts'
import { OAuthError } from './errors.ts'
import { cibaGrant, clientOf, grants, jwtBearerGrant, numberIn, type TokenRequest } from './grants.ts'
import { grantedScope } from './scopes.ts'
import { supportedScopes } from './supported-scopes.ts'

const contentType = 'application/x-www-form-urlencoded'

export async function tokenEndpoint(app: FastifyInstance, network: Network): Promise<void> {
  const requests = backchannel(network.clock)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(contentType, { parseAs: 'string' }, (_request, body, done) => {
    done(null, new URLSearchParams(String(body)))
  })
  app.setErrorHandler(sendRefusal)
  const post = (path: string, answer: (asked: TokenRequest) => Promise<object>) =>
    app.post<{ Body: URLSearchParams | undefined }>(path, async (request, reply) => {
      reply.header('cache-control', 'no-store')
      return answer({ request, form: formOf(request), network, requests })
    })
  post('/oauth2/token', issueToken)
  post('/oauth2/bc-authorize', beginBackchannel)
  app.get('/.well-known/oauth-authorization-server', () => metadataOf(network.issuer()))
}

async function issueToken(asked: TokenRequest): Promise<object> {
  const { request, form, network } = asked
  const type = form.get('grant_type')
  if (type === null) throw new OAuthError('invalid_request', 'grant_type is missing')
  const grant = grants.get(type)
  if (!grant) {
    throw new OAuthError(
      'unsupported_grant_type',
      `Use client_credentials, authorization_code, ${jwtBearerGrant} or ${cibaGrant}`,
    )
  }
  const { name, lifetimeSeconds } = grant
  const call = network.calls.of(request)
  if (call) call.grant = name
  const { clientId, scope, number, code } = await grant.of(asked)
  if (number !== undefined) logNumber(call, number)
  const token = { clientId, grant: name, scopes: scope.scopes, number, ...(code && { byNetwork: code.byNetwork }) }
  return {
    access_token: network.tokens.issue(token, lifetimeSeconds),
    token_type: 'Bearer',
    expires_in: lifetimeSeconds,
    scope: scope.text,
    ...(code && { id_token: await network.idTokens.sign(code) }),
  }
}

async function beginBackchannel(asked: TokenRequest): Promise<object> {
  const { request, form, network, requests } = asked
  const client = await clientOf(asked)
  const number = numberIn(form.get('login_hint'))
  if (!number) throw new OAuthError('unknown_user_id', 'login_hint must be tel:+ and a valid phone number')
  logNumber(network.calls.of(request), number)
  const scope = grantedScope(form.get('scope') ?? '', client)
  const id = requests.begin({ clientId: client.clientId, number, scope })
  return { auth_req_id: id, expires_in: authorizationSeconds, interval }
}

const metadataOf = (issuer: string) => ({
  issuer,
  token_endpoint: `${issuer}/oauth2/token`,
  backchannel_authentication_endpoint: `${issuer}/oauth2/bc-authorize`,
  backchannel_token_delivery_modes_supported: ['poll'],
  authorization_endpoint: `${issuer}/oauth2/authorize`,
  authorization_response_iss_parameter_supported: true,
  jwks_uri: `${issuer}/oauth2/jwks`,
  grant_types_supported: ['client_credentials', 'authorization_code', jwtBearerGrant, cibaGrant],
  response_types_supported: ['code'],
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: ['client_secret_basic', 'private_key_jwt'],
  token_endpoint_auth_signing_alg_values_supported: ['PS256', 'ES256', 'EdDSA', 'RS256'],
  scopes_supported: supportedScopes,
})

function sendRefusal(error: Error & { statusCode?: number }, request: FastifyRequest, reply: FastifyReply) {
  reply.header('cache-control', 'no-store')
  if (error instanceof OAuthError) {
    // RFC 6749, 5.2: the response names the scheme that the client used.
    if (error.status === 401 && request.headers.authorization) reply.header('www-authenticate', 'Basic realm="sandbox"')
    return reply.code(error.status).send(error.body)
  }
  const status = error.statusCode ?? 500
  if (status >= 500) {
    request.log.error({ err: error }, 'token request failed')
    return reply.code(500).send({ error: 'server_error' })
  }
  return reply.code(400).send(new OAuthError('invalid_request', `Send the parameters as ${contentType}`).body)
}

function formOf({ body: form = new URLSearchParams() }: FastifyRequest<{ Body: URLSearchParams | undefined }>) {
  for (const name of new Set(form.keys())) {
    if (form.getAll(name).length > 1) throw new OAuthError('invalid_request', `${name} must not be repeated`)
  }
  return form
}
