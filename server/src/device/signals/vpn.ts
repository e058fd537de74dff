// Does the device sit elsewhere than its address?

import type { Evidence } from '../evidence.ts'
import { resistsFingerprinting } from './privacy-settings.ts'
import type { Finding, Signal } from './signal.ts'
import { countryOfZone, utcOffsetMinutes, zonesOfCountry } from './time-zones.ts'
import type { VpnResult } from './verdicts.ts'

/** An address whose place is known no better may lie in another zone than its centre. */
const vagueRadiusKm = 500
/** Mobile networks lead far away to the internet. They are known by name only. */
const mobileNetwork = /mobil|wireless|cellular|cellco|\bgsm\b|\blte\b|\bjio\b|airtel|vodafone|\btelcel\b|\bclaro\b/i

/** One method so far: the zone of the device against the zone of its address. */
export const vpn: Signal<VpnResult> = {
  version: 1,
  platforms: ['WEB', 'IOS', 'ANDROID'],
  judge(evidence) {
    const found = timezoneMismatch(evidence)
    if (!found) return undefined
    const { timezone } = evidence.facts
    return {
      verdict: {
        result: found.verdict,
        originCountry: timezone === undefined ? 'unknown' : countryOfZone(timezone),
        ...(timezone !== undefined && { originTimezone: timezone }),
        methods: { timezoneMismatch: found.verdict },
      },
      grounds: found.grounds,
    }
  },
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
  const { country, asn, accuracyRadius = 0 } = network?.ipLocation ?? {}
  const isVague = accuracyRadius > vagueRadiusKm || mobileNetwork.test(asn?.name ?? '')
  const zones = isVague && country ? zonesOfCountry(country.code) : []
  const possible = new Set([ofAddress, ...zones.map((zone) => utcOffsetMinutes(zone, now))])
  const zone = facts.timezone ?? 'no zone'
  const where = isVague ? `, or elsewhere in ${country?.code ?? 'an unknown country'}` : ''
  return {
    verdict: !possible.has(device),
    grounds: [`device: ${zone}, ${device} minutes from UTC; address: ${network?.timezone}, ${ofAddress}${where}`],
  }
}

/** By the zone's name; where there is none that we know, by the offset that the device tells. */
function offsetOfDevice({ facts: { timezone, timezoneOffset }, now }: Evidence): number | undefined {
  const named = timezone === undefined ? undefined : utcOffsetMinutes(timezone, now)
  return named ?? (timezoneOffset === undefined ? undefined : -timezoneOffset)
}
