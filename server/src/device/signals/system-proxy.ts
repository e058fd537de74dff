// Is the device set to send its traffic through a proxy?

import type { Signal } from './signal.ts'
import type { FlagResult } from './verdicts.ts'

/** Companies set one too, so it weighs little in scores. */
export const systemProxy: Signal<FlagResult> = {
  version: 1,
  platforms: ['IOS', 'ANDROID'],
  judge({ facts: { proxy } }) {
    if (!proxy) return undefined
    const reasons = Object.entries(proxy).flatMap(([name, isSet]) => (isSet ? [name] : []))
    return { verdict: { result: reasons.length > 0 }, reasons }
  },
}
