// What is in the authenticator data of an attestation or assertion? (WebAuthn 6.1; App Attest uses the same fields)

export interface AuthenticatorData {
  /** SHA-256 of `<team id>.<bundle id>`. */
  readonly rpIdHash: Buffer
  /** Number of assertions by the key so far. */
  readonly counter: number
}

export interface AttestedCredential {
  /** `appattest` and seven zero bytes in production, `appattestdevelop` in development builds. */
  readonly aaguid: Buffer
  readonly credentialId: Buffer
}

const headBytes = 37
const aaguidBytes = 16

/** Allows longer data, because iOS 27 adds fields. @throws RangeError when the data is too short */
export function readAuthenticatorData(bytes: Uint8Array): AuthenticatorData {
  const data = Buffer.from(bytes)
  if (data.length < headBytes)
    throw new RangeError(`authenticator data has ${data.length} bytes, fewer than ${headBytes}`)
  return { rpIdHash: data.subarray(0, 32), counter: data.readUInt32BE(33) }
}

/** Reads what follows the head in an attestation. @throws RangeError when the data is too short */
export function readAttestedCredential(bytes: Uint8Array): AttestedCredential {
  const data = Buffer.from(bytes).subarray(headBytes)
  const idAt = aaguidBytes + 2
  if (data.length < idAt) throw new RangeError('authenticator data has no attested credential')
  const idLength = data.readUInt16BE(aaguidBytes)
  if (data.length < idAt + idLength) throw new RangeError('authenticator data ends within the credential id')
  return { aaguid: data.subarray(0, aaguidBytes), credentialId: data.subarray(idAt, idAt + idLength) }
}
