// How does a test have a passkey? An authenticator and a browser in software: real keys, CBOR and signatures.

import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { encodeCBOR } from '@levischuck/tiny-cbor'
import type { CreatedCredential, PasskeyCreation, PasskeyRequest, UsedCredential } from '@ringfence/contract'

/** What a hostile or broken authenticator or page does otherwise. */
export interface Otherwise {
  readonly origin?: string
  readonly rpId?: string
  readonly challenge?: string
  /** What the browser says that it does: `webauthn.get`. */
  readonly type?: string
  readonly crossOrigin?: boolean
  readonly isVerified?: boolean
  readonly isPresent?: boolean
  readonly counter?: number
  readonly userHandle?: string | undefined
  /** Another attestation than none. */
  readonly attestation?: { readonly format: string; readonly statement: Map<string, unknown> }
  /** Of the credential data: another than the one in `id`. */
  readonly credentialId?: Buffer
}

const base64url = (bytes: Uint8Array | string) => Buffer.from(bytes).toString('base64url')
const sha256 = (text: string | Uint8Array) => createHash('sha256').update(text).digest()

export type TestAuthenticator = ReturnType<typeof testAuthenticator>

/** One passkey. `isCounting`: each signature has a higher counter than the last. */
export function testAuthenticator(origin: string, { isCounting = true } = {}) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(32)
  let counter = 0
  let userHandle: string | undefined
  const ids = { id: base64url(id), rawId: base64url(id), type: 'public-key' } as const

  function clientData(type: string, challenge: string, otherwise: Otherwise): Buffer {
    return Buffer.from(
      JSON.stringify({
        type: otherwise.type ?? type,
        challenge: otherwise.challenge ?? challenge,
        origin: otherwise.origin ?? origin,
        crossOrigin: otherwise.crossOrigin ?? false,
      }),
    )
  }

  function authenticatorData(rpId: string, otherwise: Otherwise, credential = Buffer.alloc(0)): Buffer {
    if (isCounting) counter++
    const { isPresent = true, isVerified = true } = otherwise
    const flags = (isPresent ? 1 : 0) | (isVerified ? 4 : 0) | (credential.length > 0 ? 64 : 0)
    const tail = Buffer.alloc(5)
    tail.writeUInt8(flags)
    tail.writeUInt32BE(otherwise.counter ?? counter, 1)
    return Buffer.concat([sha256(otherwise.rpId ?? rpId), tail, credential])
  }

  return {
    id: ids.id,
    create({ challenge, rp, user }: PasskeyCreation['options'], otherwise: Otherwise = {}): CreatedCredential {
      userHandle = user.id
      const { x, y } = publicKey.export({ format: 'jwk' })
      const key = new Map<number, number | Uint8Array>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, new Uint8Array(Buffer.from(x!, 'base64url'))],
        [-3, new Uint8Array(Buffer.from(y!, 'base64url'))],
      ])
      const length = Buffer.alloc(2)
      length.writeUInt16BE(id.length)
      const stored = otherwise.credentialId ?? id
      const credential = Buffer.concat([Buffer.alloc(16), length, stored, Buffer.from(encodeCBOR(key))])
      const { format, statement } = otherwise.attestation ?? { format: 'none', statement: new Map() }
      const attestation = new Map<string, unknown>([
        ['fmt', format],
        ['attStmt', statement],
        ['authData', new Uint8Array(authenticatorData(rp.id, otherwise, credential))],
      ])
      return {
        ...ids,
        response: {
          clientDataJSON: base64url(clientData('webauthn.create', challenge, otherwise)),
          attestationObject: base64url(encodeCBOR(attestation as never)),
          transports: ['internal'],
        },
      }
    },
    get({ challenge, rpId }: PasskeyRequest['options'], otherwise: Otherwise = {}): UsedCredential {
      const client = clientData('webauthn.get', challenge, otherwise)
      const data = authenticatorData(rpId, otherwise)
      const handle = 'userHandle' in otherwise ? otherwise.userHandle : userHandle
      return {
        ...ids,
        response: {
          clientDataJSON: base64url(client),
          authenticatorData: base64url(data),
          signature: base64url(sign('sha256', Buffer.concat([data, sha256(client)]), privateKey)),
          ...(handle !== undefined && { userHandle: handle }),
        },
      }
    },
  }
}
