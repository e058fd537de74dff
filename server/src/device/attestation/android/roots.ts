// Whose keys are at the end of a chain? Google's attest hardware; those of the software Keystore are public and prove nothing.

import { createPublicKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { ConfigurationError } from '../../../core/config/config.ts'

/** DER, SubjectPublicKeyInfo, in base64. */
export interface AttestationRoots {
  readonly hardware: readonly string[]
  readonly software: readonly string[]
}

/**
 * The public keys of the certificates that Google publishes at https://android.googleapis.com/attestation/root, as of 2026-07-21
 * (github.com/android/keyattestation, roots.json): RSA-4096 `f92009e853b6b045`, to 2042, SHA-256
 * feb2ea7551ee316ed4bb443c8293b884dbfdea40b603ee3e4f4a897e4580fbae; P-384 `Key Attestation CA1`, to 2035, SHA-256
 * 3ee44512a1af2beb39c889490c60ea3f82e43f5d5a5532f5ab9419f676cd07ec. Google issued certificates with other dates for the first key.
 */
const google = [
  'MIICIjANBgkqhkiG9w0BAQEFAAOCAg8AMIICCgKCAgEAr7bHgiuxpwHsK7Qui8xUFmOr75gvMsd/dTEDDJdSSxtf6An7xyqpRR90PL2abxM1dEqlXnf2tqw1Ne4Xwl5jlRfdnJLmN0pTy/4lj4/7tv0Sk3iiKkypnEUtR6WfMgH0QZfKHM1+di+y9TFRtv6y//0rb+T+W8a9nsNL/ggjnar86461qO0rOs2cXjp3kOG1FEJ5MVmFmBGtnrKpa73XpXyTqRxB/M0n1n/W9nGqC4FSYa04T6N5RIZGBN2z2MT5IKGbFlbC8UrW0DxW7AYImQQcHtGl/m00QLVWutHQoVJYnFPlXTcHYvASLu+RhhsbDmxMgJJ0mcDpvsC4PjvB+TxywElgS70vE0XmLD+OJtvsBslHZvPBKCOdT0MS+tgSOIfga+z1Z1g7+DVagf7quvmag8jfPioyKvxnK/EgsTUVi2ghzq8wm27ud/mIM7AY2qEORR8Go3TVB4HzWQgpZrt3i5MIlCaY504LzSRiigHCzAPlHws+W0rB5N+er5/2pJKnfBSDiCiFAVtCLOZ7gLiMm0jhO2B6tUXHI/+MRPjy02i59lINMRRev56GKtcd9qO/0kUJWdZTdA2XoS82ixPvZtXQpUpuL12ab+9EaDK8Z4RHJYYfCT3Q5vNAXaiWQ+8PTWm2QgBR/bkwSWc+NpUFgNPN9PvQi8WEg5UmAGMCAwEAAQ==',
  'MHYwEAYHKoZIzj0CAQYFK4EEACIDYgAEI9ojcU7fPlsFCjxy6IRqzgeOoK0b+YsV9FPQywiyw8EQRTkJ9u3qwfnI4DGoSLlBqClTXJfgfCcZvs60FikNMHnu4fkRzObfgDkU2KNXezT9/RQ+XvNslxPHrHCowhGr',
]

/**
 * The same of the software Keystore, whose private keys are in the source of Android (system/core, keymaster_soft_attestation_keys.xml).
 * Emulators and phones without attestation in hardware send them.
 */
const softwareKeystore = [
  'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE7l1ex+HA220Dpn7mthvsTWpdamguD/9/SQ59dx9EIm29sa/6FsvHrcV30lacqrewLVQBXT5DKyqO107sSHVBpA==',
  'MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQCia63rbi5EYe/VDoLmt5TRdSMfd5tjkWP/96r/C3JHTsAsQ+wzfNes7UA+jCigZtX3hwszl94OuE4TQKuvpSe/lWmgMdsGUmX4RFlXYfC78hdLt0GAZMAoDo9Sd47b0ke2RekZyOmLw9vCkT/X11DEHTVm+Vfkl5YLCazOkjWFmwIDAQAB',
]

export const publishedRoots: AttestationRoots = { hardware: google, software: softwareKeystore }

/** The roots in a PEM file in place of Google's. Throws a ConfigurationError when it cannot be read. */
export function rootsOf(file: string | undefined): AttestationRoots {
  if (file === undefined) return publishedRoots
  try {
    return { ...publishedRoots, hardware: rootsInPem(readFileSync(file, 'utf8')) }
  } catch (cause) {
    const { message } = cause as Error
    throw new ConfigurationError(`KEY_ATTESTATION_ROOTS: ${file} cannot be used: ${message}`, { cause })
  }
}

const pemBlocks = /-----BEGIN (CERTIFICATE|PUBLIC KEY)-----[^-]+-----END \1-----/g

/** The keys of the certificates and public keys in a PEM file. Throws when one cannot be read, and when there is none. */
export function rootsInPem(pem: string): string[] {
  const keys = [...pem.matchAll(pemBlocks)].map(([block, kind]) => {
    const key = kind === 'CERTIFICATE' ? new X509Certificate(block).publicKey : createPublicKey(block)
    return key.export({ type: 'spki', format: 'der' }).toString('base64')
  })
  if (keys.length === 0) throw new Error('it has no certificate and no public key in PEM')
  return keys
}
