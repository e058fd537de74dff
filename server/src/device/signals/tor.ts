// Detects an IP address on lists of Tor exits.

import { type Finding, resultOf, signal } from './signal.ts'
import type { FlagResult } from './verdicts.ts'

/** By the lists of `ringfence data update`. There is no verdict without lists, and for an IP address that is not public. */
export const tor = signal({
  name: 'tor',
  question: 'Is the IP address a Tor exit?',
  version: 1,
  platforms: ['WEB', 'IOS', 'ANDROID'],
  judge({ anonymity, network }): Finding<FlagResult> | undefined {
    if (!anonymity) return undefined
    return {
      verdict: { result: anonymity.tor },
      reasons: anonymity.tor ? [`${network?.ip} is on ${anonymity.listedBy.join(', ')}`] : [],
    }
  },
  weights: {
    tor: {
      fires: resultOf,
      session: 0.5,
      because: 'the IP address is a Tor exit',
      suspect: { WEB: 14, ANDROID: 16, IOS: 17 },
      ratesIpAddress: true,
    },
  },
  report: {
    field: 'proxy',
    value: resultOf,
  },
})
