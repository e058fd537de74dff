// How does anyone learn to verify our id tokens? From OpenID Connect Discovery 1.0 and the public keys (RFC 7517).

import type { Page } from '../../core/pages/page.ts'
import type { IdTokensNeeds } from './room.ts'

export const discoveryPath = '/.well-known/openid-configuration'
export const keysPath = '/.well-known/jwks.json'
export const tokenPath = '/auth/v1/oauth/token'
export const authorizationPath = '/auth/v1/oauth/authorize'

/**
 * Caching for minutes is safe, because a key is published a day before it signs. Scripts of any
 * page may read it.
 */
const headers = { 'cache-control': 'public, max-age=600', 'access-control-allow-origin': '*' }

const json = (body: object): Page => ({
  type: 'application/json; charset=utf-8',
  body: JSON.stringify(body),
  headers,
})

/**
 * The metadata of section 3. `authorization_endpoint` and `response_types_supported` are required there, and libraries refuse a document
 * without them. People sign in through the SDKs, so the endpoint refuses everybody.
 */
export async function discoveryPage({ idTokens, idTokens: { signingKeys } }: IdTokensNeeds): Promise<Page> {
  const issuer = idTokens.issuer()
  const algorithms = (await signingKeys.published()).map(({ alg }) => alg)
  return json({
    issuer,
    jwks_uri: issuer + keysPath,
    authorization_endpoint: issuer + authorizationPath,
    token_endpoint: issuer + tokenPath,
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    grant_types_supported: ['authorization_code'],
    code_challenge_methods_supported: ['S256'],
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [...new Set(algorithms)],
    claims_supported: [
      ...['iss', 'sub', 'aud', 'azp', 'iat', 'exp', 'auth_time', 'nonce', 'amr'],
      ...['email', 'email_verified', 'phone_number', 'phone_number_verified'],
      ...['name', 'given_name', 'family_name', 'country_code', 'national_phone_number'],
    ],
  })
}

/** There is no client here to redirect an error to (RFC 6749, 4.1.2.1). */
export const authorizationPage = (): Page => ({
  status: 400,
  type: 'application/json; charset=utf-8',
  body: JSON.stringify({
    error: 'unsupported_response_type',
    error_description:
      'People sign in through an SDK of this service: start there, and exchange its code at the token endpoint',
  }),
  headers: { 'cache-control': 'no-store' },
})

/** The key in use comes first, because some clients ignore `kid` and take the first key. */
export async function keysPage({ idTokens: { signingKeys } }: IdTokensNeeds): Promise<Page> {
  return json({ keys: await signingKeys.published() })
}
