// Is a public key of a kind that makers of phones sign certificates with?

import type { KeyObject } from 'node:crypto'

/** Others take long to verify with, and a sender can choose them. */
export function isOrdinary({ asymmetricKeyType, asymmetricKeyDetails: details = {} }: KeyObject): boolean {
  if (asymmetricKeyType === 'ec') return ['prime256v1', 'secp384r1', 'secp521r1'].includes(details.namedCurve ?? '')
  const { modulusLength = Number.POSITIVE_INFINITY, publicExponent = 0n } = details
  return asymmetricKeyType === 'rsa' && modulusLength <= 4096 && publicExponent <= 0xffff_ffffn
}
