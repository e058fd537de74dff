// How does a CAMARA client find the token endpoint and the keys of access tokens? From metadata (RFC 8414).

import { camaraAuthorizationPath, camaraScopes, camaraTokenEndpoint } from '@ringfence/contract'
import { assertionAlgorithms } from '../clients/client-assertions.ts'
import type { Page } from '../core/pages/page.ts'
import { keysPath } from '../sign-in/identity-tokens/discovery.ts'
import type { CamaraFrontNeeds } from './room.ts'

/** RFC 8414, 3.1, and where CAMARA's documents expect it. */
export const metadataPaths = [
  '/.well-known/oauth-authorization-server/camara',
  '/camara/.well-known/openid-configuration',
] as const

export async function metadataPage({
  camaraFront: { accessTokens },
  addresses: { auth: authAddress },
  idTokens: { signingKeys },
}: CamaraFrontNeeds): Promise<Page> {
  const algorithms = (await signingKeys.published()).map(({ alg }) => alg)
  const body = {
    issuer: accessTokens.issuer(),
    authorization_endpoint: authAddress() + camaraAuthorizationPath,
    token_endpoint: authAddress() + camaraTokenEndpoint.path,
    jwks_uri: authAddress() + keysPath,
    grant_types_supported: ['client_credentials', 'authorization_code'],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    prompt_values_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    request_uri_parameter_supported: false,
    // A new one for each phone and time.
    subject_types_supported: ['pairwise'],
    id_token_signing_alg_values_supported: [...new Set(algorithms)],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'private_key_jwt'],
    token_endpoint_auth_signing_alg_values_supported: assertionAlgorithms,
    access_token_signing_alg_values_supported: [...new Set(algorithms)],
    scopes_supported: ['openid', ...camaraScopes],
  }
  return {
    type: 'application/json; charset=utf-8',
    body: JSON.stringify(body),
    headers: { 'cache-control': 'public, max-age=600', 'access-control-allow-origin': '*' },
  }
}
