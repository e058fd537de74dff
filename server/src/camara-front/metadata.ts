// How does a CAMARA client find the token endpoint and the keys of access tokens? From metadata (RFC 8414).

import { camaraScopes, camaraTokenEndpoint } from '@ringfence/contract'
import { assertionAlgorithms } from '../clients/client-assertions.ts'
import type { Page } from '../http/pages/page.ts'
import { keysPath } from '../identity-tokens/discovery.ts'
import type { Platform } from '../platform.ts'

/** RFC 8414, 3.1, and where CAMARA's documents expect it. */
export const metadataPaths = [
  '/.well-known/oauth-authorization-server/camara',
  '/camara/.well-known/openid-configuration',
] as const

/** There is no authorization endpoint: every token is for a client, and identifies no phone number. */
export async function metadataPage({ accessTokens, authAddress, signingKeys }: Platform): Promise<Page> {
  const algorithms = (await signingKeys.published()).map(({ alg }) => alg)
  const body = {
    issuer: accessTokens.issuer(),
    token_endpoint: authAddress() + camaraTokenEndpoint.path,
    jwks_uri: authAddress() + keysPath,
    grant_types_supported: ['client_credentials'],
    response_types_supported: [],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'private_key_jwt'],
    token_endpoint_auth_signing_alg_values_supported: assertionAlgorithms,
    access_token_signing_alg_values_supported: [...new Set(algorithms)],
    scopes_supported: camaraScopes,
  }
  return {
    type: 'application/json; charset=utf-8',
    body: JSON.stringify(body),
    headers: { 'cache-control': 'public, max-age=600', 'access-control-allow-origin': '*' },
  }
}
