// What does a device with App Attest send? Made with node:crypto, under a root certificate of the test.

import { createHash, KeyObject, randomBytes, sign, webcrypto } from 'node:crypto'
// @peculiar/x509 needs this import first.
import 'reflect-metadata'
import { encodeCBOR } from '@levischuck/tiny-cbor'
import * as x509 from '@peculiar/x509'

export interface AttestationParts {
  appId: string
  clientData: Uint8Array
  aaguid: string
  counter: number
  /** When the leaf was made, epoch milliseconds. */
  madeAt: number
  format: string
  /** In the certificate, in place of the right nonce. */
  nonce?: Uint8Array
  /** In place of the extension that holds the nonce. */
  nonceExtension?: { id: string; value: Uint8Array }
  credentialId?: Uint8Array
  /** Fields that a newer iOS adds after the known ones. */
  moreAuthData?: Uint8Array
  /** The certificates to send; the default is the leaf and its issuer. */
  chainOf?: (leaf: Uint8Array, issuer: Uint8Array) => Uint8Array[]
}

export interface AttestingDevice {
  keyId: string
  attest(parts: AttestationParts): Promise<Uint8Array>
  assert(parts: { appId: string; clientData: Uint8Array; counter: number }): Uint8Array
}

export interface TestRoot {
  pem: string
  newDevice(): Promise<AttestingDevice>
}

const nonceExtensionId = '1.2.840.113635.100.8.2'
const years = (count: number) => count * 365 * 86_400_000
const p384 = { name: 'ECDSA', namedCurve: 'P-384', hash: 'SHA-384' }
const p256 = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const newKeys = (algorithm: typeof p256) => webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])

/** A root and an intermediate like Apple's, valid for ten years around `now`. */
export async function makeTestRoot(now: number): Promise<TestRoot> {
  x509.cryptoProvider.set(webcrypto as Crypto)
  const validity = { notBefore: new Date(now - years(5)), notAfter: new Date(now + years(5)) }
  const mayIssue = [new x509.BasicConstraintsExtension(true, undefined, true)]
  const rootKeys = await newKeys(p384)
  const root = await x509.X509CertificateGenerator.createSelfSigned({
    ...validity,
    name: 'CN=Test Attestation Root CA',
    signingAlgorithm: p384,
    keys: rootKeys,
    extensions: mayIssue,
  })
  const issuerKeys = await newKeys(p384)
  const issuer = await x509.X509CertificateGenerator.create({
    ...validity,
    subject: 'CN=Test Attestation CA 1',
    issuer: root.subject,
    publicKey: issuerKeys.publicKey as CryptoKey,
    signingKey: rootKeys.privateKey as CryptoKey,
    signingAlgorithm: p384,
    extensions: mayIssue,
  })

  async function newDevice(): Promise<AttestingDevice> {
    const keys = await newKeys(p256)
    const point = Buffer.from(await webcrypto.subtle.exportKey('raw', keys.publicKey))
    const keyId = sha256(point)
    return {
      keyId: keyId.toString('base64'),
      async attest({ appId, clientData, aaguid, counter, madeAt, format, ...changes }) {
        const credentialId = changes.credentialId ?? keyId
        const authData = Buffer.concat([
          head(appId, counter),
          Buffer.from(aaguid.padEnd(16, '\0')),
          uint16(credentialId.length),
          credentialId,
          randomBytes(77), // the COSE key, which App Attest has in the certificate too
          changes.moreAuthData ?? Buffer.alloc(0),
        ])
        const nonce = changes.nonce ?? sha256(Buffer.concat([authData, sha256(clientData)]))
        const { id, value } = changes.nonceExtension ?? { id: nonceExtensionId, value: sequenceOfTaggedOctets(nonce) }
        const leaf = await x509.X509CertificateGenerator.create({
          subject: `CN=${keyId.toString('hex')}`,
          issuer: issuer.subject,
          notBefore: new Date(madeAt),
          notAfter: new Date(madeAt + 3 * 86_400_000),
          publicKey: keys.publicKey as CryptoKey,
          signingKey: issuerKeys.privateKey as CryptoKey,
          signingAlgorithm: p384,
          extensions: [new x509.BasicConstraintsExtension(false), new x509.Extension(id, false, new Uint8Array(value))],
        })
        const certificates = [new Uint8Array(leaf.rawData), new Uint8Array(issuer.rawData)] as const
        return encodeCBOR(
          new Map<string, never>(
            Object.entries({
              fmt: format,
              attStmt: new Map<string, unknown>([
                ['x5c', changes.chainOf?.(...certificates) ?? [...certificates]],
                ['receipt', new Uint8Array(randomBytes(32))],
              ]),
              authData: new Uint8Array(authData),
            }) as [string, never][],
          ),
        )
      },
      assert({ appId, clientData, counter }) {
        const authenticatorData = head(appId, counter)
        const nonce = sha256(Buffer.concat([authenticatorData, sha256(clientData)]))
        const signature = sign('sha256', nonce, KeyObject.from(keys.privateKey))
        return encodeCBOR(
          new Map([
            ['signature', new Uint8Array(signature)],
            ['authenticatorData', new Uint8Array(authenticatorData)],
          ]),
        )
      },
    }
  }

  return { pem: root.toString('pem'), newDevice }
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest()

function head(appId: string, counter: number): Buffer {
  const count = Buffer.alloc(4)
  count.writeUInt32BE(counter)
  return Buffer.concat([sha256(Buffer.from(appId)), Buffer.of(0x40), count])
}

function uint16(number: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(number)
  return bytes
}

/** SEQUENCE { [1] EXPLICIT OCTET STRING }; every length must fit in a byte. */
function sequenceOfTaggedOctets(octets: Uint8Array): Uint8Array<ArrayBuffer> {
  const inner = Buffer.concat([Buffer.of(0x04, octets.length), octets])
  const tagged = Buffer.concat([Buffer.of(0xa1, inner.length), inner])
  return new Uint8Array(Buffer.concat([Buffer.of(0x30, tagged.length), tagged]))
}
