// Does the network show another operating system than the browser claims? A method of `vpn`: somebody else's machine speaks for it.

import type { ConnectionFingerprint, TcpFingerprint } from '../../ip/connection-fingerprint.ts'
import { isMobileNetwork } from '../../ip/mobile-network.ts'
import { systemOfUserAgent } from '../analysis/engine.ts'
import type { Evidence } from '../analysis/evidence.ts'
import type { Finding } from './signal.ts'

/** Kernels that can be told apart: Android's is Linux's, that of iPhones and iPads is that of Macs. */
type Kernel = 'windows' | 'apple' | 'linux'

const kernelOf = { windows: 'windows', mac: 'apple', ios: 'apple', android: 'linux', linux: 'linux' } as const

/**
 * Order of the options of a SYN, and where the time to live starts (JA4T's published examples; p0f 3). Windows with time stamps
 * switched on writes as FreeBSD does, which starts at 64.
 */
const stacks: readonly (readonly [options: string, initialTtl: number, kernel: Kernel])[] = [
  ['2-1-3-1-1-4', 128, 'windows'],
  ['2-1-3-4-8', 128, 'windows'],
  ['2-1-3-1-1-8-4', 64, 'apple'],
  ['2-4-8-1-3', 64, 'linux'],
]

/** By the hash of the cipher suites, which outlives versions. Apple's is used by all browsers of iOS and by Safari, and nowhere else. */
const tlsOfApple = ['a09f3c656075']
const tlsOfOthers = { '8daaf6152771': 'Chromium', '5b57614c22b0': 'Firefox' } as const

/**
 * Asked of browsers. `undefined` where no trusted proxy told how the connection looks, where that is not known, or where others speak
 * for honest people: relays, companies' gateways, and on mobile networks proxies of the operator. Of TCP nothing is said of Apple's systems
 * where no lists were fetched, as it may be Private Relay; TLS passes through all of these.
 */
export function osMismatch(evidence: Evidence): Finding<boolean> | undefined {
  const { platform, connection, anonymity, headers, facts, network } = evidence
  const claimed = systemOfUserAgent(headers['user-agent'] ?? facts.userAgent)
  if (platform !== 'WEB' || !connection || !claimed || anonymity?.relay || anonymity?.gateway) return undefined
  const mayBeRelayed = isMobileNetwork(network) || (kernelOf[claimed] === 'apple' && !anonymity)
  const kernel = connection.tcp && !mayBeRelayed ? kernelOfTcp(connection.tcp) : undefined
  const byTcp = kernel && { verdict: kernel !== kernelOf[claimed], text: `the SYN is of ${kernel}` }
  const found = [byTcp, byTls(connection, claimed)].filter((each) => each !== undefined)
  if (found.length === 0) return undefined
  return {
    verdict: found.some(({ verdict }) => verdict),
    reasons: [`the browser claims ${claimed}`, ...found.map(({ text }) => text)],
  }
}

/** `undefined` for an order that nobody knows, and for one with a time to live that contradicts it. */
function kernelOfTcp({ options, initialTtl }: TcpFingerprint): Kernel | undefined {
  const order = options.join('-')
  // Without the time to live, one order is of two systems.
  const fitting = stacks.filter(
    ([known, ttl]) => known === order && (initialTtl === undefined ? known !== '2-1-3-4-8' : ttl === initialTtl),
  )
  return fitting[0]?.[2]
}

function byTls({ ja4 }: ConnectionFingerprint, claimed: keyof typeof kernelOf) {
  const ciphers = ja4?.split('_')[1] ?? ''
  if (tlsOfApple.includes(ciphers)) {
    return { verdict: kernelOf[claimed] !== 'apple', text: 'the TLS greeting is of Apple’s library' }
  }
  const other = Object.hasOwn(tlsOfOthers, ciphers) && tlsOfOthers[ciphers as keyof typeof tlsOfOthers]
  // Every other system has browsers of both; iOS has none.
  return other && claimed === 'ios' ? { verdict: true, text: `the TLS greeting is of ${other}’s library` } : undefined
}
