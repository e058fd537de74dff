// For which site are passkeys made? The public URL of the service: a passkey of another site is not accepted, nor this one there.

import { isIP } from 'node:net'
import { Refusal } from '../../core/errors.ts'

export interface RelyingParty {
  /** The host name, without port. */
  readonly id: string
  /** What the browser says it has open. */
  readonly origin: string
}

const loopback = new Set(['127.0.0.1', '[::1]', '0.0.0.0', '[::]'])

/** Whether browsers of this machine can open the service under another name of the machine too. */
export const isOnThisMachine = (address: string): boolean => {
  const { hostname } = new URL(address)
  return hostname === 'localhost' || loopback.has(hostname)
}

/** Browsers refuse IP addresses: a service on a loopback address is `localhost`. Refuses with `passkeysUnavailable`. */
export function relyingPartyOf(address: string): RelyingParty {
  const url = new URL(address)
  if (loopback.has(url.hostname)) url.hostname = 'localhost'
  const { hostname: id, origin, protocol } = url
  if (isIP(id.replace(/^\[|\]$/g, '')) !== 0 || (protocol !== 'https:' && id !== 'localhost'))
    throw new Refusal('passkeysUnavailable')
  return { id, origin }
}
