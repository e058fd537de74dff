// Is the address an open proxy?

import type { Signal } from './signal.ts'
import type { FlagResult } from './verdicts.ts'

/** By the lists of `ringfence data update`; a proxy that the device itself is set to is `systemProxy`. */
export const proxy: Signal<FlagResult> = {
  version: 1,
  platforms: ['WEB', 'IOS', 'ANDROID'],
  judge({ anonymity, network }) {
    if (!anonymity) return undefined
    return {
      verdict: { result: anonymity.proxy },
      reasons: anonymity.proxy ? [`${network?.ip} is on ${anonymity.listedBy.join(', ')}`] : [],
    }
  },
}
