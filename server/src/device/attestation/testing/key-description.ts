// What does an Android phone say of an attested key? The extension of its certificate, good and with any fault.

import android from '@ringfence/contract/samples/android-facts.everything.json' with { type: 'json' }
import { boolean, enumerated, integer, octets, sequence, set, tagged } from './der-writer.ts'

/** SHA-256 of the certificates that sign the app of the tests, in hex. */
export const appCertificates: readonly string[] = android.appIntegrity.certificates
export const appDigests = appCertificates.map((each) => Buffer.from(each, 'hex'))

/** What the phone says of a key; each has the value of a good key unless a test gives another. */
export interface DescriptionParts {
  challenge: Uint8Array
  packageName: string
  /** SHA-256 of the certificates that signed the app. */
  certificates: readonly Uint8Array[]
  attestationLevel: number
  keyLevel: number
  /** `ff` is true, 0 false. */
  locked: number
  bootState: number
  origin: number
  purposes: readonly number[]
  /** In place of the entries of each list. */
  softwareEnforced: (entries: Buffer[]) => Buffer[]
  hardwareEnforced: (entries: Buffer[]) => Buffer[]
}

/** The extension of a key in the trusted environment of a locked phone. */
export function descriptionOf(parts: Partial<DescriptionParts>): Buffer {
  const { challenge = Buffer.from('challenge'), packageName = 'com.example.shop.android' } = parts
  const { certificates = appDigests, attestationLevel = 1, keyLevel = 1, locked = 0xff } = parts
  const { bootState = 0, origin = 0, purposes = [2] } = parts
  const application = sequence(set(sequence(octets(packageName), integer(7))), set(...certificates.map(octets)))
  const ofSystem = [tagged(701, integer(1)), tagged(709, octets(application))]
  const ofHardware = [
    tagged(1, set(...purposes.map(integer))),
    tagged(2, integer(3)),
    tagged(503, Buffer.of(5, 0)),
    tagged(702, integer(origin)),
    tagged(
      704,
      sequence(octets(Buffer.alloc(32, 7)), boolean(locked), enumerated(bootState), octets(Buffer.alloc(32, 8))),
    ),
    tagged(705, integer(0)),
  ]
  return sequence(
    integer(4),
    enumerated(attestationLevel),
    integer(41),
    enumerated(keyLevel),
    octets(challenge),
    octets(''),
    sequence(...(parts.softwareEnforced?.(ofSystem) ?? ofSystem)),
    sequence(...(parts.hardwareEnforced?.(ofHardware) ?? ofHardware)),
  )
}
