// GET /oauth2/authorize: who is this phone? The network says it, without asking the person (OpenID Connect Core 1.0, prompt=none).

import { camaraNumberPattern } from '@ringfence/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { logNumber } from '../call-log.ts'
import type { Network } from '../network.ts'
import type { Phone } from '../phone.ts'
import type { SandboxClient } from './clients.ts'
import { OAuthError } from './errors.ts'
import { grantedScope } from './scopes.ts'

const numberForm = new RegExp(camaraNumberPattern)

/** Why there is no code, as OpenID Connect Core 3.1.2.6 names it. */
class NotIdentified extends Error {
  override name = 'NotIdentified'
  readonly code: 'login_required' | 'consent_required'
  constructor(code: NotIdentified['code'], description: string) {
    super(description)
    this.code = code
  }
}

export async function authorizationEndpoint(app: FastifyInstance, network: Network): Promise<void> {
  app.setErrorHandler((error: Error, request, reply) => {
    // Without a client and its redirect URI there is nowhere to redirect to (RFC 6749, 4.1.2.1).
    if (error instanceof OAuthError) return reply.code(error.status).send(error.body)
    request.log.error({ err: error }, 'authorization failed')
    return reply.code(500).send({ error: 'server_error' })
  })

  app.get('/oauth2/authorize', (request, reply) => {
    const query = queryOf(request)
    const client = network.clients.get(query.get('client_id') ?? '')
    if (!client) throw new OAuthError('invalid_request', 'client_id is not registered')
    const redirectUri = redirectUriOf(query, client)
    const call = network.calls.of(request)
    if (call) Object.assign(call, { client: client.clientId, grant: 'authorization_code' })
    const answer = new URLSearchParams({ iss: network.issuer() })
    const state = query.get('state')
    if (state !== null) answer.set('state', state)
    try {
      answer.set('code', issueCode(query, { client, redirectUri, request }))
    } catch (error) {
      if (!(error instanceof OAuthError || error instanceof NotIdentified)) throw error
      answer.set('error', error.code)
      answer.set('error_description', error.message)
    }
    return back(reply, redirectUri, answer)
  })

  app.get('/oauth2/jwks', () => network.idTokens.keys)

  function issueCode(
    query: URLSearchParams,
    { client, redirectUri, request }: { client: SandboxClient; redirectUri: string; request: FastifyRequest },
  ): string {
    if (query.get('response_type') !== 'code') {
      throw new OAuthError('unsupported_response_type', 'response_type must be code')
    }
    const scopeText = query.get('scope') ?? ''
    if (!scopeText.split(' ').includes('openid')) throw new OAuthError('invalid_scope', 'scope must contain openid')
    const scope = grantedScope(scopeText, client)
    const challenge = query.get('code_challenge') ?? undefined
    if (challenge !== undefined && query.get('code_challenge_method') !== 'S256') {
      throw new OAuthError('invalid_request', 'code_challenge_method must be S256')
    }
    const phone = identified(network.phones.calling(request.ip, hintedNumber(query)), network)
    logNumber(network.calls.of(request), phone.number)
    return network.authorizationCodes.issue({
      clientId: client.clientId,
      redirectUri,
      scope,
      number: phone.number,
      byNetwork: !phone.identifiedOtherwise,
      challenge,
      nonce: query.get('nonce') ?? undefined,
    })
  }
}

function queryOf(request: FastifyRequest): URLSearchParams {
  const query = new URL(request.url, 'http://sandbox').searchParams
  for (const name of new Set(query.keys())) {
    if (query.getAll(name).length > 1) throw new OAuthError('invalid_request', `${name} must not be repeated`)
  }
  return query
}

function redirectUriOf(query: URLSearchParams, { redirectUris }: SandboxClient): string {
  const text = query.get('redirect_uri') ?? ''
  const url = URL.parse(text)
  if (url?.hash !== '' || ['javascript:', 'data:'].includes(url.protocol)) {
    throw new OAuthError('invalid_request', 'redirect_uri must be a URL without a fragment')
  }
  if (redirectUris && !redirectUris.includes(text)) {
    throw new OAuthError('invalid_request', 'redirect_uri is not registered for this client')
  }
  return text
}

function hintedNumber(query: URLSearchParams): string | undefined {
  const hint = query.get('login_hint')
  if (hint === null) return undefined
  const number = hint.startsWith('tel:') ? hint.slice('tel:'.length) : ''
  if (!numberForm.test(number)) throw new OAuthError('invalid_request', 'login_hint must be tel:+ and a phone number')
  return number.slice(1)
}

function identified(phone: Phone | undefined, { lines }: Network): Phone {
  if (!phone) throw new NotIdentified('login_required', 'No phone of this operator calls from this IP address')
  if (phone.connection === 'wifi') throw new NotIdentified('login_required', 'The phone is not on mobile data')
  if (phone.connection === 'foreign') {
    throw new NotIdentified('login_required', 'The phone is on the mobile data of another operator')
  }
  if (!lines.at(phone.number).operator?.offersChecks) {
    throw new NotIdentified('login_required', 'No operator of this sandbox that verifies numbers serves the phone')
  }
  if (phone.consentMissing) throw new NotIdentified('consent_required', 'The subscriber has not agreed')
  return phone
}

function back(reply: FastifyReply, redirectUri: string, answer: URLSearchParams) {
  const url = new URL(redirectUri)
  for (const [name, value] of answer) url.searchParams.set(name, value)
  reply.header('cache-control', 'no-store')
  return reply.redirect(url.href, 302)
}
