// Which certificates does a made-up Android phone have for its key? Four, as a factory installs them, under the root of the test service.

import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import {
  bits,
  boolean,
  der,
  integer,
  octets,
  oid,
  printable,
  sequence,
  set,
  tagged,
} from '@ringfence/server/device/attestation/testing/der-writer.ts'
import { type DescriptionParts, descriptionOf } from '@ringfence/server/device/attestation/testing/key-description.ts'
import type { AndroidAttestation } from '../visits.ts'

export interface Attesting {
  /** SHA-256 of the text that the key signs in this call. */
  readonly challenge: Uint8Array
  readonly attests: AndroidAttestation
  /** Of the app that made the key. */
  readonly packageName: string
  /** SHA-256 of those that signed it, in hex. */
  readonly certificates: readonly string[]
  /** PKCS #8 in base64. */
  readonly root: string
}

const descriptions: Readonly<Record<AndroidAttestation, Partial<DescriptionParts>>> = {
  strongBox: { attestationLevel: 2, keyLevel: 2 },
  hardware: {},
  unlocked: { locked: 0, bootState: 2 },
  selfSigned: { bootState: 1 },
  software: { attestationLevel: 0, keyLevel: 0 },
  repackaged: { certificates: [Buffer.alloc(32, 0xee)] },
  nothing: {},
}

/** Base64 of DER, the leaf first. */
export function chainOf(publicKey: KeyObject, attesting: Attesting): string[] {
  const { challenge, attests, packageName, root: rootKey } = attesting
  const certificates = attesting.certificates.map((each) => Buffer.from(each, 'hex'))
  const root = createPrivateKey({ key: Buffer.from(rootKey, 'base64'), type: 'pkcs8', format: 'der' })
  const [factory, chip] = [newKey(), newKey()]
  const title = attribute('2.5.4.12', attests === 'strongBox' ? 'StrongBox' : 'TEE')
  const description = descriptionOf({ challenge, packageName, certificates, ...descriptions[attests] })
  const said = sequence(oid('1.3.6.1.4.1.11129.2.1.17'), octets(description))
  const chain = [
    certificate({ subject: [attribute('2.5.4.3', 'Android Keystore Key')], publicKey, signer: chip, extension: said }),
    certificate({ subject: [serialAttribute(), title], publicKey: chip, signer: factory, extension: mayIssue }),
    certificate({ subject: [serialAttribute(), title], publicKey: factory, signer: root, extension: mayIssue }),
    certificate({ subject: [serialAttribute()], publicKey: root, signer: root, extension: mayIssue }),
  ]
  return chain.map((each) => each.toString('base64'))
}

const newKey = () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
const attribute = (id: string, value: string) => set(sequence(oid(id), printable(value)))
const serialAttribute = () => attribute('2.5.4.5', randomBytes(8).toString('hex'))
const mayIssue = sequence(oid('2.5.29.19'), boolean(0xff), octets(sequence(boolean(0xff))))

interface Certified {
  readonly subject: readonly Buffer[]
  readonly publicKey: KeyObject
  readonly signer: KeyObject
  readonly extension: Buffer
}

const ecdsaWithSha256 = sequence(oid('1.2.840.10045.4.3.2'))
const time = (text: string) => der(0x18, Buffer.from(text))
/** Tests move the clock. */
const always = sequence(time('20000101000000Z'), time('29991231235959Z'))

/** X.509, version 3. Nobody compares the names of issuers. */
function certificate({ subject, publicKey, signer, extension }: Certified): Buffer {
  const key = publicKey.type === 'private' ? createPublicKey(publicKey) : publicKey
  const signed = sequence(
    tagged(0, integer(2)),
    der(0x02, Buffer.concat([Buffer.of(0x41), randomBytes(15)])),
    ecdsaWithSha256,
    sequence(...subject),
    always,
    sequence(...subject),
    key.export({ type: 'spki', format: 'der' }),
    tagged(3, sequence(extension)),
  )
  return sequence(signed, ecdsaWithSha256, bits(sign('sha256', signed, signer)))
}
