// Detects a VPN, by lists, tunnels, time zones and the operating system that the network shows.

import { flag, text } from '../../core/path-types.ts'
import { currentTimeZoneName } from '../../core/places/time-zone-name.ts'
import { countryOfZone } from '../../core/places/zones-of-country.ts'
import { lawfulZones } from '../../ip/lawful-zones.ts'
import { isMissing } from '../analysis/absent-facts.ts'
import { engineOf } from '../analysis/engine.ts'
import type { Evidence } from '../analysis/evidence.ts'
import { utcOffsetMinutes } from '../analysis/time-zones.ts'
import { flagOf } from './flag-of.ts'
import { osMismatch } from './os-mismatch.ts'
import { type Finding, signal } from './signal.ts'
import type { VpnResult } from './verdicts.ts'
import { resistsFingerprinting } from './web/privacy-settings.ts'

const methods = { timezoneMismatch, publicVPN, auxiliaryMobile, osMismatch }

/** One method that finds a VPN is enough; a method without an answer is absent. */
export const vpn = signal({
  name: 'vpn',
  question: 'Is the device elsewhere than its IP address, or behind a VPN?',
  version: 5,
  platforms: ['WEB', 'IOS', 'ANDROID'],
  judge(evidence): Finding<VpnResult> | undefined {
    const found = Object.entries(methods).flatMap(([name, method]) => {
      const finding = method(evidence)
      return finding ? [{ name, ...finding }] : []
    })
    if (found.length === 0) return undefined
    const { timezone } = evidence.facts
    // Facts that are missing could be those of a VPN.
    const isOpen =
      (deviceOffset(evidence) === undefined && isMissing(evidence, 'timezone')) ||
      (evidence.platform !== 'WEB' && isMissing(evidence, 'networkInterfaces'))
    const result = found.some(({ verdict }) => verdict) || (isOpen ? undefined : false)
    return {
      verdict: {
        ...(result !== undefined && { result }),
        originCountry: timezone === undefined ? 'unknown' : countryOfZone(timezone),
        ...(timezone !== undefined && { originTimezone: currentTimeZoneName(timezone) }),
        methods: Object.fromEntries(found.map(({ name, verdict }) => [name, verdict])),
      },
      reasons: found.flatMap(({ reasons }) => reasons),
    }
  },
  weights: {
    timezoneMismatch: {
      fires: ({ methods }) => methods.timezoneMismatch,
      session: 0.2,
      because: 'the time zone of the device is not that of its IP address; travellers are rare',
      suspect: { WEB: 3, ANDROID: 4, IOS: 4 },
    },
    publicVPN: {
      fires: ({ methods }) => methods.publicVPN,
      session: 0.2,
      because: 'the IP address is that of a VPN; many honest people use one',
      suspect: { WEB: 4, ANDROID: 5, IOS: 5 },
      ratesIpAddress: true,
    },
    auxiliaryMobile: {
      fires: ({ methods }) => methods.auxiliaryMobile,
      session: 0.2,
      because: 'the device reports an active VPN',
      suspect: { ANDROID: 6, IOS: 6 },
    },
    osMismatch: {
      fires: ({ methods }) => methods.osMismatch,
      session: 0.3,
      because: 'the network shows a different operating system than the browser claims',
    },
  },
  report: {
    field: 'vpn',
    value: ({ result }) => result === true,
    rule: { type: flag('A VPN is active'), read: ({ vpn }) => vpn },
  },
  secureInfo: {
    returnedBy: 'both',
    unknown: {
      result: false,
      originCountry: 'unknown',
      originTimezone: 'unknown',
      methods: { timezoneMismatch: false, publicVPN: false, auxiliaryMobile: false, osMismatch: false },
    },
    complete: ({ methods, ...others }, platform) => ({
      ...others,
      methods: { ...methods, ...(platform === 'WEB' ? { auxiliaryMobile: false } : { osMismatch: false }) },
    }),
    shorten({ originTimezone: _, methods: { auxiliaryMobile: __, osMismatch: ___, ...methods }, ...others }) {
      return { ...others, methods }
    },
    rules: {
      timezoneMismatch: {
        type: flag('The time zone of the device is not that of its IP address'),
        value: ({ methods }) => methods.timezoneMismatch,
        read: ({ signals }) => signals?.timezoneMismatch,
      },
      publicVPN: {
        type: flag('The IP address is that of a VPN provider'),
        value: ({ methods }) => methods.publicVPN,
        read: ({ signals }) => signals?.publicVPN,
      },
      auxiliaryMobile: {
        type: flag('The phone reports an active VPN'),
        value: ({ methods }) => methods.auxiliaryMobile,
        read: ({ signals }) => signals?.auxiliaryMobile,
      },
      osMismatch: {
        type: flag('The network shows a different operating system than the browser claims'),
        value: ({ methods }) => methods.osMismatch,
        read: ({ signals }) => signals?.osMismatch,
      },
      vpnOriginCountry: {
        type: text('Country of the time zone of the device, ISO 3166-1 alpha-2, or unknown'),
        value: ({ originCountry }) => originCountry,
        read: ({ signals }) => signals?.vpnOriginCountry,
      },
      vpnOriginTimezone: {
        type: text('Time zone of the device, an IANA name'),
        value: ({ originTimezone }) => originTimezone,
        read: ({ signals }) => signals?.vpnOriginTimezone,
      },
    },
  },
})

/** Is the IP address that of a VPN provider? By the lists of `ringfence data update`. */
function publicVPN({ anonymity, network }: Evidence): Finding<boolean> | undefined {
  if (anonymity?.vpn === undefined) return undefined
  const { vpn, listedBy } = anonymity
  return { verdict: vpn, reasons: vpn ? [`${network?.ip} is on ${listedBy.join(', ')}`] : [] }
}

/**
 * Does the phone report a tunnel in use? A `utun` interface without an IP address is on every iPhone, and `ipsec` carries Wi-Fi
 * calls.
 */
function auxiliaryMobile(evidence: Evidence): Finding<boolean> | undefined {
  if (evidence.platform === 'WEB') return undefined
  const { scopedTunnels = [], routableTunnels = [] } = evidence.facts.networkInterfaces ?? {}
  const tunnels = [
    ...routableTunnels.filter((name) => !name.startsWith('ipsec')),
    ...scopedTunnels.filter((name) => /^(tun|tap|ppp)/.test(name)),
  ]
  const flag = flagOf(
    evidence,
    ['networkInterfaces'],
    tunnels.map((name) => `tunnel ${name}`),
  )
  return flag && { verdict: flag.verdict.result, reasons: flag.reasons }
}

/** UTC is the clock of no place. Firefox reports it to hide its zone, in versions that do not report Reykjavík. */
const withoutPlace: readonly string[] = ['Etc/UTC', 'UTC', 'Etc/GMT', 'GMT']

/**
 * Does the device have another time zone than its IP address? Compares offsets from UTC at the time of the evidence, because a zone has
 * several names. `undefined` when either is unknown, and for a browser that hides its zone.
 */
function timezoneMismatch(evidence: Evidence): Finding<boolean> | undefined {
  const { facts, network, now } = evidence
  const device = deviceOffset(evidence)
  const ipOffset = network?.timezone === undefined ? undefined : utcOffsetMinutes(network.timezone, now)
  if (device === undefined || !network || ipOffset === undefined || resistsFingerprinting(evidence)) return undefined
  if (withoutPlace.includes(currentTimeZoneName(facts.timezone ?? '')) && engineOf(evidence) === 'firefox')
    return undefined
  // Most devices have the clock of their IP address; only others need the clocks around it.
  const isElsewhere =
    device !== ipOffset && !lawfulZones(network).some((zone) => utcOffsetMinutes(zone, now) === device)
  const zone = facts.timezone ?? 'no zone'
  return {
    verdict: isElsewhere,
    reasons: [`device: ${zone}, ${device} minutes from UTC; IP address: ${network.timezone}, ${ipOffset}`],
  }
}

/** By the name of the zone; for an unknown name, by the offset that the device reports. */
function deviceOffset({ facts: { timezone, timezoneOffset }, now }: Evidence): number | undefined {
  const named = timezone === undefined ? undefined : utcOffsetMinutes(timezone, now)
  return named ?? (timezoneOffset === undefined ? undefined : -timezoneOffset)
}
