// How does a test get a certificate? A self-signed one for 127.0.0.1 (X.509 v3, RFC 5280), written by hand in DER.

import { generateKeyPairSync, sign } from 'node:crypto'

export interface SelfSigned {
  /** PEM; also the authority that signed it. */
  certificate: string
  /** PEM */
  key: string
}

export function selfSignedCertificate(commonName: string): SelfSigned {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const ecdsaWithSha256 = sequence(der(0x06, '2a8648ce3d040302'))
  const name = sequence(der(0x31, sequence(der(0x06, '550403'), der(0x0c, Buffer.from(commonName)))))
  const hourMs = 3_600_000
  const time = (at: number) => der(0x17, Buffer.from(`${new Date(at).toISOString().replace(/\D/g, '').slice(2, 14)}Z`))
  const subjectAltName = sequence(der(0x06, '551d11'), der(0x04, sequence(der(0x87, '7f000001'))))
  const body = sequence(
    der(0xa0, der(0x02, '02')),
    der(0x02, '01'),
    ecdsaWithSha256,
    name,
    sequence(time(Date.now() - hourMs), time(Date.now() + 24 * hourMs)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(subjectAltName)),
  )
  const signature = sign('sha256', body, privateKey)
  const certificate = sequence(body, ecdsaWithSha256, der(0x03, Buffer.concat([Buffer.of(0), signature])))
  const base64 = certificate.toString('base64').replace(/.{64}(?=.)/g, '$&\n')
  return {
    certificate: `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

function der(tag: number, content: Buffer | string): Buffer {
  const bytes = typeof content === 'string' ? Buffer.from(content, 'hex') : content
  const length =
    bytes.length < 0x80
      ? [bytes.length]
      : bytes.length < 0x100
        ? [0x81, bytes.length]
        : [0x82, bytes.length >> 8, bytes.length & 0xff]
  return Buffer.concat([Buffer.of(tag, ...length), bytes])
}

const sequence = (...parts: Buffer[]) => der(0x30, Buffer.concat(parts))
