// How does Ringfence prove to an operator's token endpoint who it is? By a signed assertion, or by a shared secret.

import { createPrivateKey, type KeyObject, type webcrypto } from 'node:crypto'
import { type ClientAuth, ClientSecretBasic, ClientSecretPost, PrivateKeyJwt } from 'oauth4webapi'
import Type, { type Static } from 'typebox'
import { type ReadSecret, SecretReference } from '../config/secret-reference.ts'

const algorithms = {
  RS256: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
  PS256: { name: 'RSA-PSS', hash: 'SHA-256' },
  ES256: { name: 'ECDSA', namedCurve: 'P-256' },
} as const
type Algorithm = keyof typeof algorithms

export const authenticationProperties = {
  authentication: Type.Enum(['private_key_jwt', 'client_secret_basic', 'client_secret_post'], {
    description: 'how the client shows who it is, as agreed with the operator; CAMARA asks for private_key_jwt',
  }),
  privateKey: Type.Optional({
    ...SecretReference,
    description: 'for private_key_jwt: the key, as PEM or JWK, by { file: PATH } or { env: NAME }',
  }),
  algorithm: Type.Optional(
    Type.Enum(['RS256', 'PS256', 'ES256'], {
      description: 'for private_key_jwt; otherwise what the key says: ES256 for P-256, RS256 for RSA',
    }),
  ),
  keyId: Type.Optional(
    Type.String({ minLength: 1, description: 'for private_key_jwt: the kid under which the operator knows the key' }),
  ),
  clientSecret: Type.Optional({
    ...SecretReference,
    description: 'for client_secret_basic and client_secret_post: by { file: PATH } or { env: NAME }',
  }),
}
const Authentication = Type.Object(authenticationProperties)
export type Authentication = Static<typeof Authentication>

/**
 * Reads the secret and makes the client authentication of it (RFC 6749 section 2.3.1, RFC 7523 section 2.2, RFC 7518).
 * Throws an error that names the key, and holds nothing of the secret.
 */
export function clientAuthentication(settings: Authentication, readSecret: ReadSecret): ClientAuth {
  const { authentication, privateKey, clientSecret } = settings
  if (authentication === 'private_key_jwt') {
    if (!privateKey) throw new Error('token.privateKey is missing: private_key_jwt signs with it')
    return signedAssertion(readSecret(privateKey), settings)
  }
  if (!clientSecret) throw new Error(`token.clientSecret is missing: ${authentication} sends it`)
  const secret = readSecret(clientSecret)
  return authentication === 'client_secret_basic' ? ClientSecretBasic(secret) : ClientSecretPost(secret)
}

function signedAssertion(text: string, { algorithm, keyId }: Authentication): ClientAuth {
  const { key, kid, alg } = readPrivateKey(text)
  const suited = suitedAlgorithms(key)
  const wanted = algorithm ?? alg ?? suited[0] ?? 'RS256, PS256 or ES256'
  const chosen = suited.find((one) => one === wanted)
  if (!chosen) {
    throw new Error(
      `token.privateKey does not suit ${wanted}: it takes an RSA key of 2048 bits or more, or an EC key on P-256`,
    )
  }
  const signingKey = key.toCryptoKey(algorithms[chosen], false, ['sign'])
  const knownAs = keyId ?? kid
  return PrivateKeyJwt({ key: signingKey, ...(knownAs !== undefined && { kid: knownAs }) })
}

function readPrivateKey(text: string): { key: KeyObject; kid?: string; alg?: string } {
  const isJwk = text.trimStart().startsWith('{')
  try {
    if (!isJwk) return { key: createPrivateKey(text) }
    const { kid, alg, ...jwk } = JSON.parse(text) as webcrypto.JsonWebKey & { kid?: string }
    const key = createPrivateKey({ key: jwk, format: 'jwk' })
    return { key, ...(kid !== undefined && { kid }), ...(alg !== undefined && { alg }) }
  } catch {
    // The cause is dropped: a parser's message may quote the key.
    throw new Error(
      `token.privateKey is no readable private key: expected is ${isJwk ? 'a private JWK' : 'an unencrypted PEM'}`,
    )
  }
}

function suitedAlgorithms({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): readonly Algorithm[] {
  if (asymmetricKeyType === 'ec') return asymmetricKeyDetails?.namedCurve === 'prime256v1' ? ['ES256'] : []
  return asymmetricKeyType === 'rsa' && (asymmetricKeyDetails?.modulusLength ?? 0) >= 2048 ? ['RS256', 'PS256'] : []
}
