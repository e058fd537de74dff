// Which TCP and TLS fingerprint of a client's connection do trusted proxies report in their headers?

import { parseConnectionAddress } from '../core/address/address.ts'
import type { ConnectionFingerprint, TcpFingerprint } from '../core/call.ts'
import type { Settings } from '../core/config/settings.ts'
import type { Sender } from './client-address.ts'
import { trustedBlocks } from './trusted-proxies.ts'

/** Returns undefined when no trusted proxy sent a readable header. */
export type ConnectionFingerprints = (sender: Sender) => ConnectionFingerprint | undefined

/**
 * Reads the headers that the settings name, from trusted proxies only. The proxy at the edge must replace these headers, not append
 * to them: a header that comes twice or has another form is ignored.
 */
export function connectionFingerprints(
  settings: Pick<Settings, 'trustedProxies' | 'tcpFingerprintHeader' | 'tlsFingerprintHeader'>,
): ConnectionFingerprints {
  const { tcpFingerprintHeader, tlsFingerprintHeader } = settings
  if (tcpFingerprintHeader === undefined && tlsFingerprintHeader === undefined) return () => undefined
  const trusted = trustedBlocks(settings)
  return ({ peer, headers }) => {
    const address = peer === undefined ? undefined : parseConnectionAddress(peer)
    if (!address || !trusted.contains(address)) return undefined
    const textOf = (name: string | undefined) => {
      const value = name === undefined ? undefined : headers[name]
      return typeof value === 'string' ? value : undefined
    }
    const tcp = readTcpFingerprint(textOf(tcpFingerprintHeader) ?? '')
    const ja4 = readJa4(textOf(tlsFingerprintHeader) ?? '')
    return tcp || ja4 ? { ...(tcp && { tcp }), ...(ja4 && { ja4 }) } : undefined
  }
}

const initialTtls = [32, 64, 128, 255] as const

/**
 * `ip.fp(3)` of HAProxy in hex: eight bytes, the received TTL, the kinds of the options. The eight bytes summarise both and must
 * agree with them, so that no other mode is read by mistake.
 */
export function readTcpFingerprint(text: string): TcpFingerprint | undefined {
  if (!/^([0-9a-f]{2}){9,49}$/i.test(text)) return undefined
  const bytes = Buffer.from(text, 'hex')
  const [, traits = 0, , , , , , presence = 0, ttl = 0, ...options] = bytes
  const ttlClass = initialTtls.findIndex((initial) => ttl <= initial)
  if (ttlClass !== ((traits >> 4) & 3) || presenceOf(options) !== presence) return undefined
  return { initialTtl: initialTtls[ttlClass]!, options }
}

/** A bit for each kind from 2 to 8, and one for all above. */
const presenceOf = (options: readonly number[]) =>
  options.reduce((bits, kind) => (kind < 2 ? bits : bits | (1 << Math.min(kind - 2, 7))), 0)

/** JA4: protocol, version, SNI, numbers of ciphers and extensions, ALPN; a hash of the ciphers, one of the extensions. */
function readJa4(text: string): string | undefined {
  return /^[tqd](?:1[0-3]|s[23]|d[1-3]|00)[di]\d{4}[0-9a-z]{2}_[0-9a-f]{12}_[0-9a-f]{12}$/.test(text) ? text : undefined
}
