// How does Ringfence authenticate at an operator's token endpoint? With a signed assertion, a shared secret or a certificate.

import { createPrivateKey, type KeyObject, type webcrypto } from 'node:crypto'
import { type ClientAuth, ClientSecretBasic, ClientSecretPost, PrivateKeyJwt, TlsClientAuth } from 'oauth4webapi'
import Type, { type Static } from 'typebox'
import { type ReadSecret, SecretReference } from '../core/config/secret-reference.ts'

const algorithms = {
  RS256: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
  PS256: { name: 'RSA-PSS', hash: 'SHA-256' },
  ES256: { name: 'ECDSA', namedCurve: 'P-256' },
} as const
type Algorithm = keyof typeof algorithms

export const authenticationProperties = {
  authentication: Type.Enum(['private_key_jwt', 'client_secret_basic', 'client_secret_post', 'tls_client_auth'], {
    description:
      'the client authentication method, as agreed with the operator; CAMARA requires private_key_jwt. tls_client_auth: the certificate in tls, self-signed or not (RFC 8705)',
  }),
  privateKey: Type.Optional({
    ...SecretReference,
    description: 'for private_key_jwt and jwt_bearer: the key as PEM or JWK',
  }),
  algorithm: Type.Optional(
    Type.Enum(['RS256', 'PS256', 'ES256'], {
      description: 'for private_key_jwt; by default the alg of the key, else ES256 for P-256 and RS256 for RSA',
    }),
  ),
  keyId: Type.Optional(
    Type.String({ minLength: 1, description: 'for private_key_jwt: the kid that the operator registered for the key' }),
  ),
  clientSecret: Type.Optional({
    ...SecretReference,
    description: 'for client_secret_basic and client_secret_post: the secret',
  }),
}
const Authentication = Type.Object(authenticationProperties)
export type Authentication = Static<typeof Authentication>

/**
 * Reads the secret and builds the client authentication (RFC 6749 section 2.3.1, RFC 7523 section 2.2, RFC 7518, RFC 8705 section 2).
 *
 * @param hasCertificate whether calls to the token endpoint have a client certificate
 * @throws Error that names the key of the configuration and never quotes the secret.
 */
export function clientAuthentication(
  settings: Authentication,
  readSecret: ReadSecret,
  hasCertificate: boolean,
): ClientAuth {
  const { authentication, privateKey, clientSecret } = settings
  if (authentication === 'private_key_jwt') {
    if (!privateKey) throw new Error('token.privateKey is missing: private_key_jwt needs a key to sign with')
    return signedAssertion(readSecret(privateKey), settings)
  }
  if (authentication === 'tls_client_auth') {
    if (!hasCertificate)
      throw new Error('tls.certificate and tls.privateKey are missing: tls_client_auth needs a client certificate')
    return TlsClientAuth()
  }
  if (!clientSecret) throw new Error(`token.clientSecret is missing: ${authentication} needs it`)
  const secret = readSecret(clientSecret)
  return authentication === 'client_secret_basic' ? ClientSecretBasic(secret) : ClientSecretPost(secret)
}

function signedAssertion(text: string, settings: Authentication): ClientAuth {
  const { key, algorithm, keyId } = signingKey(text, settings)
  const webKey = key.toCryptoKey(algorithms[algorithm], false, ['sign'])
  return PrivateKeyJwt({ key: webKey, ...(keyId !== undefined && { kid: keyId }) })
}

/** A key that signs assertions. */
export interface SigningKey {
  readonly key: KeyObject
  readonly algorithm: Algorithm
  readonly keyId: string | undefined
}

/** Throws an Error that names the key of the configuration and never quotes the secret. */
export function signingKey(text: string, settings: Pick<Authentication, 'algorithm' | 'keyId'>): SigningKey {
  const { key, kid, alg } = readPrivateKey(text)
  const supported = supportedAlgorithms(key)
  const wanted = settings.algorithm ?? alg ?? supported[0] ?? 'RS256, PS256 or ES256'
  const algorithm = supported.find((one) => one === wanted)
  if (!algorithm) {
    throw new Error(
      `token.privateKey cannot sign with ${wanted}: use an RSA key of at least 2048 bits, or an EC key on P-256`,
    )
  }
  return { key, algorithm, keyId: settings.keyId ?? kid }
}

function readPrivateKey(text: string): { key: KeyObject; kid?: string; alg?: string } {
  const isJwk = text.trimStart().startsWith('{')
  try {
    if (!isJwk) return { key: createPrivateKey(text) }
    const { kid, alg, ...jwk } = JSON.parse(text) as webcrypto.JsonWebKey & { kid?: string }
    const key = createPrivateKey({ key: jwk, format: 'jwk' })
    return { key, ...(kid !== undefined && { kid }), ...(alg !== undefined && { alg }) }
  } catch {
    // No cause: the message of a parser may quote the key.
    throw new Error(
      `token.privateKey is not a readable private key: expected ${isJwk ? 'a private JWK' : 'an unencrypted PEM'}`,
    )
  }
}

function supportedAlgorithms({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): readonly Algorithm[] {
  if (asymmetricKeyType === 'ec') return asymmetricKeyDetails?.namedCurve === 'prime256v1' ? ['ES256'] : []
  return asymmetricKeyType === 'rsa' && (asymmetricKeyDetails?.modulusLength ?? 0) >= 2048 ? ['RS256', 'PS256'] : []
}
