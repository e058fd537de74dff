// Does the network show a different operating system than the browser claims? A method of `vpn`: another machine made the connection.

import type { ConnectionFingerprint, TcpFingerprint } from '../../core/call.ts'
import { isMobileNetwork } from '../../ip/mobile-network.ts'
import { systemOfUserAgent } from '../analysis/engine.ts'
import type { Evidence } from '../analysis/evidence.ts'
import type { Finding } from './signal.ts'

/** Kernels that differ on the network: Android has that of Linux, iPhones and iPads that of Macs. */
type Kernel = 'windows' | 'apple' | 'linux'

const kernelOf = { windows: 'windows', mac: 'apple', ios: 'apple', android: 'linux', linux: 'linux' } as const

/**
 * The order of the TCP options in a SYN, and the initial time to live (p0f 3). Windows with timestamps has the order of FreeBSD,
 * which starts at 64.
 */
const stacks: readonly (readonly [options: string, initialTtl: number, kernel: Kernel])[] = [
  ['2-1-3-1-1-4', 128, 'windows'],
  ['2-1-3-4-8', 128, 'windows'],
  ['2-1-3-1-1-8-4', 64, 'apple'],
  ['2-4-8-1-3', 64, 'linux'],
]

/** Hashes of cipher suites, which stay the same across versions. Only Safari and the browsers on iOS use Apple's. */
const tlsOfApple = ['a09f3c656075']
const tlsOfOthers = { '8daaf6152771': 'Chromium', '5b57614c22b0': 'Firefox' } as const

/**
 * For browsers. `undefined` when no trusted proxy reported the connection, when its fingerprint is unknown, and behind relays and
 * company gateways, which connect for honest people. TCP is not compared on mobile networks, where the operator's proxy may
 * connect, and for Apple systems when no list of relays is installed, as it may be Private Relay. TLS passes through both unchanged.
 */
export function osMismatch(evidence: Evidence): Finding<boolean> | undefined {
  const { platform, connection, anonymity, headers, facts, network } = evidence
  const claimed = systemOfUserAgent(headers['user-agent'] ?? facts.userAgent)
  if (platform !== 'WEB' || !connection || !claimed || anonymity?.relay || anonymity?.gateway) return undefined
  const mayBeRelayed = isMobileNetwork(network) || (kernelOf[claimed] === 'apple' && anonymity?.relay === undefined)
  const kernel = connection.tcp && !mayBeRelayed ? kernelOfTcp(connection.tcp) : undefined
  const byTcp = kernel && { verdict: kernel !== kernelOf[claimed], text: `the SYN is that of ${kernel}` }
  const found = [byTcp, byTls(connection, claimed)].filter((each) => each !== undefined)
  if (found.length === 0) return undefined
  return {
    verdict: found.some(({ verdict }) => verdict),
    reasons: [`the browser claims ${claimed}`, ...found.map(({ text }) => text)],
  }
}

/** `undefined` for an unknown order, and when the time to live contradicts the order. */
function kernelOfTcp({ options, initialTtl }: TcpFingerprint): Kernel | undefined {
  const order = options.join('-')
  // The time to live counts too: Windows and FreeBSD share an order.
  return stacks.find(([known, ttl]) => known === order && ttl === initialTtl)?.[2]
}

function byTls({ ja4 }: ConnectionFingerprint, claimed: keyof typeof kernelOf) {
  const ciphers = ja4?.split('_')[1] ?? ''
  if (tlsOfApple.includes(ciphers)) {
    return { verdict: kernelOf[claimed] !== 'apple', text: 'the TLS handshake is that of Apple’s library' }
  }
  const other = Object.hasOwn(tlsOfOthers, ciphers) && tlsOfOthers[ciphers as keyof typeof tlsOfOthers]
  // Only iOS has no browsers with these libraries.
  return other && claimed === 'ios'
    ? { verdict: true, text: `the TLS handshake is that of ${other}’s library` }
    : undefined
}
