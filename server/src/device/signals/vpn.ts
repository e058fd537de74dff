// Does the device sit elsewhere than its address, or behind a VPN?

import { isMobileNetwork } from '../../ip/mobile-network.ts'
import type { Evidence } from '../analysis/evidence.ts'
import { countryOfZone, utcOffsetMinutes, zonesOfCountry } from '../analysis/time-zones.ts'
import { osMismatch } from './os-mismatch.ts'
import { resistsFingerprinting } from './privacy-settings.ts'
import type { Finding, Signal } from './signal.ts'
import type { VpnResult } from './verdicts.ts'

/** An address whose place is known no better may lie in another zone than its centre. */
const vagueRadiusKm = 500

const methods = { timezoneMismatch, publicVPN, auxiliaryMobile, osMismatch }

/** Any method that found one is enough; a method that the evidence does not answer is absent. */
export const vpn: Signal<VpnResult> = {
  version: 3,
  platforms: ['WEB', 'IOS', 'ANDROID'],
  judge(evidence) {
    const found = Object.entries(methods).flatMap(([name, method]) => {
      const finding = method(evidence)
      return finding ? [{ name, ...finding }] : []
    })
    if (found.length === 0) return undefined
    const { timezone } = evidence.facts
    return {
      verdict: {
        result: found.some(({ verdict }) => verdict),
        originCountry: timezone === undefined ? 'unknown' : countryOfZone(timezone),
        ...(timezone !== undefined && { originTimezone: timezone }),
        methods: Object.fromEntries(found.map(({ name, verdict }) => [name, verdict])),
      },
      reasons: found.flatMap(({ reasons }) => reasons),
    }
  },
}

/** Is the address that of a provider of VPNs? By the lists of `ringfence data update`. */
function publicVPN({ anonymity, network }: Evidence): Finding<boolean> | undefined {
  return (
    anonymity && {
      verdict: anonymity.vpn,
      reasons: anonymity.vpn ? [`${network?.ip} is on ${anonymity.listedBy.join(', ')}`] : [],
    }
  )
}

/**
 * Does the phone itself say that a tunnel is in use? An interface utun without an address is on every iPhone, and ipsec
 * carries calls over Wi-Fi.
 */
function auxiliaryMobile({ platform, facts: { networkInterfaces } }: Evidence): Finding<boolean> | undefined {
  if (platform === 'WEB' || !networkInterfaces) return undefined
  const { scopedTunnels = [], routableTunnels = [] } = networkInterfaces
  const tunnels = [
    ...routableTunnels.filter((name) => !name.startsWith('ipsec')),
    ...scopedTunnels.filter((name) => /^(tun|tap|ppp)/.test(name)),
  ]
  return { verdict: tunnels.length > 0, reasons: tunnels.map((name) => `tunnel ${name}`) }
}

/**
 * Compares offsets from UTC at the time of the evidence, as one zone has several names. `undefined` where either is not known, and for a
 * browser that keeps its zone to itself.
 */
function timezoneMismatch(evidence: Evidence): Finding<boolean> | undefined {
  const { facts, network, now } = evidence
  const device = offsetOfDevice(evidence)
  const ofAddress = network?.timezone === undefined ? undefined : utcOffsetMinutes(network.timezone, now)
  if (device === undefined || ofAddress === undefined || resistsFingerprinting(evidence)) return undefined
  const { country, accuracyRadius = 0 } = network?.ipLocation ?? {}
  const isVague = accuracyRadius > vagueRadiusKm || isMobileNetwork(network)
  const zones = isVague && country ? zonesOfCountry(country.code) : []
  const possible = new Set([ofAddress, ...zones.map((zone) => utcOffsetMinutes(zone, now))])
  const zone = facts.timezone ?? 'no zone'
  const where = isVague ? `, or elsewhere in ${country?.code ?? 'an unknown country'}` : ''
  return {
    verdict: !possible.has(device),
    reasons: [`device: ${zone}, ${device} minutes from UTC; address: ${network?.timezone}, ${ofAddress}${where}`],
  }
}

/** By the zone's name; where there is none that we know, by the offset that the device tells. */
function offsetOfDevice({ facts: { timezone, timezoneOffset }, now }: Evidence): number | undefined {
  const named = timezone === undefined ? undefined : utcOffsetMinutes(timezone, now)
  return named ?? (timezoneOffset === undefined ? undefined : -timezoneOffset)
}
