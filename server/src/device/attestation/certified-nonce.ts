// Which nonce did Apple certify? Reads the App Attest extension of a leaf certificate.
// Loaded with the first attestation, because the ASN.1 library costs about 50 ms and 10 MiB.

import type { X509Certificate } from 'node:crypto'
import { AsnConvert, AsnProp, OctetString } from '@peculiar/asn1-schema'
import { Certificate } from '@peculiar/asn1-x509'

const extensionId = '1.2.840.113635.100.8.2'

/** SEQUENCE { [1] EXPLICIT OCTET STRING } */
class CertifiedNonce {
  nonce = new OctetString()
}
// Node strips types only, so the decorator is called as a function.
AsnProp({ type: OctetString, context: 1 })(CertifiedNonce.prototype, 'nonce')

/** The nonce, or undefined when the certificate lacks the extension. Throws for bytes that are not DER of this shape. */
export function certifiedNonce({ raw }: Pick<X509Certificate, 'raw'>): Uint8Array | undefined {
  const { extensions } = AsnConvert.parse(raw, Certificate).tbsCertificate
  const extension = extensions?.find(({ extnID }) => extnID === extensionId)
  return extension && new Uint8Array(AsnConvert.parse(extension.extnValue, CertifiedNonce).nonce.buffer)
}
