// What does the authenticator data of an attestation or assertion say? (WebAuthn, 6.1; App Attest fills the same fields)

export interface AuthenticatorData {
  /** SHA-256 of `<team id>.<bundle id>`. */
  readonly rpIdHash: Buffer
  /** Assertions made with the key so far. */
  readonly counter: number
}

export interface AttestedCredential {
  /** `appattest` and seven zero bytes in production, `appattestdevelop` in development builds. */
  readonly aaguid: Buffer
  readonly credentialId: Buffer
}

const headBytes = 37
const aaguidBytes = 16

/** Longer data are allowed: iOS 27 adds fields. Throws a RangeError for shorter ones. */
export function readAuthenticatorData(bytes: Uint8Array): AuthenticatorData {
  const data = Buffer.from(bytes)
  if (data.length < headBytes) throw new RangeError(`authenticator data have ${data.length} bytes, not ${headBytes}`)
  return { rpIdHash: data.subarray(0, 32), counter: data.readUInt32BE(33) }
}

/** What follows the head in an attestation. Throws a RangeError where the data end before. */
export function readAttestedCredential(bytes: Uint8Array): AttestedCredential {
  const data = Buffer.from(bytes).subarray(headBytes)
  const idAt = aaguidBytes + 2
  if (data.length < idAt) throw new RangeError('authenticator data hold no attested credential')
  const idLength = data.readUInt16BE(aaguidBytes)
  if (data.length < idAt + idLength) throw new RangeError('authenticator data end within the credential id')
  return { aaguid: data.subarray(0, aaguidBytes), credentialId: data.subarray(idAt, idAt + idLength) }
}
