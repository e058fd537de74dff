// How does anyone learn to verify our id tokens? From OpenID Connect Discovery 1.0 and the public keys (RFC 7517).

import type { Page } from '../http/pages/page.ts'
import type { Platform } from '../platform.ts'

export const discoveryPath = '/.well-known/openid-configuration'
export const keysPath = '/.well-known/jwks.json'
export const tokenPath = '/auth/v1/oauth/token'

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
 * The metadata of section 3. Without an authorization endpoint, because people sign in through the SDKs. `response_types_supported` is
 * required and must not be empty: `id_token` is what the SDKs return.
 */
export async function discoveryPage({ idTokens, signingKeys }: Platform): Promise<Page> {
  const issuer = idTokens.issuer()
  const algorithms = (await signingKeys.published()).map(({ alg }) => alg)
  return json({
    issuer,
    jwks_uri: issuer + keysPath,
    token_endpoint: issuer + tokenPath,
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    grant_types_supported: ['authorization_code'],
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

/** The key in use comes first, because some clients ignore `kid` and take the first key. */
export async function keysPage({ signingKeys }: Platform): Promise<Page> {
  return json({ keys: await signingKeys.published() })
}
