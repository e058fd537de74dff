// Who attests the keys of a test's phones? An authority in software, whose root the service trusts as it trusts Google's.

import { createPublicKey } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface PhoneAuthority {
  /** PEM file for the setting KEY_ATTESTATION_ROOTS. */
  readonly rootsFile: string
  /** SHA-256 of the certificate that signed the app, in hex. */
  readonly appCertificates: readonly string[]
  /** Certificates in base64, the leaf first, of a key (SubjectPublicKeyInfo in base64) that was made for a challenge (base64). */
  attest(publicKey: string, challenge: string): Promise<string[]>
}

/** The phones are locked, their keys are in a trusted environment, and they run this app. */
export async function startPhoneAuthority(folder: string, packageName: string): Promise<PhoneAuthority> {
  const { attestationAuthority } = await import('@ringfence/server/device/attestation/testing/attesting-phone.ts')
  const { appCertificates } = await import('@ringfence/server/device/attestation/testing/key-description.ts')
  const authority = await attestationAuthority({ now: Date.now() })
  const rootsFile = join(folder, 'roots.pem')
  writeFileSync(rootsFile, keyOf(authority.root).export({ format: 'pem', type: 'spki' }))
  return {
    rootsFile,
    appCertificates,
    async attest(publicKey, challenge) {
      const description = { challenge: Buffer.from(challenge, 'base64'), packageName }
      const chain = await authority.attest(keyOf(publicKey), { description })
      return chain.map((certificate) => certificate.toString('base64'))
    },
  }
}

const keyOf = (spki: string) => createPublicKey({ key: Buffer.from(spki, 'base64'), format: 'der', type: 'spki' })
