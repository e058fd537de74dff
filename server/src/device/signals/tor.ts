// Is the address an exit of Tor?

import type { Signal } from './signal.ts'
import type { FlagResult } from './verdicts.ts'

/** By the lists of `ringfence data update`; nothing is said where none were fetched, or the address is not public. */
export const tor: Signal<FlagResult> = {
  version: 1,
  platforms: ['WEB', 'IOS', 'ANDROID'],
  judge({ anonymity, network }) {
    if (!anonymity) return undefined
    return {
      verdict: { result: anonymity.tor },
      reasons: anonymity.tor ? [`${network?.ip} is on ${anonymity.listedBy.join(', ')}`] : [],
    }
  },
}
