// Detects an IP address on lists of open proxies.

import { flag } from '../../core/path-types.ts'
import { type Finding, resultOf, signal } from './signal.ts'
import type { FlagResult } from './verdicts.ts'

/** By the lists of `ringfence data update`. `systemProxy` detects a proxy in the settings of the device. */
export const proxy = signal({
  name: 'proxy',
  question: 'Is the IP address an open proxy?',
  version: 1,
  platforms: ['WEB', 'IOS', 'ANDROID'],
  judge({ anonymity, network }): Finding<FlagResult> | undefined {
    if (!anonymity) return undefined
    return {
      verdict: { result: anonymity.proxy },
      reasons: anonymity.proxy ? [`${network?.ip} is on ${anonymity.listedBy.join(', ')}`] : [],
    }
  },
  weights: {
    proxy: {
      fires: resultOf,
      session: 0.4,
      because: 'the IP address is an open proxy',
      suspect: { WEB: 14, ANDROID: 12, IOS: 15 },
      publishedAs: 'publicProxy',
      ratesIpAddress: true,
    },
  },
  report: {
    field: 'proxy',
    value: resultOf,
    rule: { type: flag('Behind a proxy'), read: ({ proxy }) => proxy },
  },
})
