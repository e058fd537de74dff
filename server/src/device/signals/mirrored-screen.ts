// Does somebody else see the screen?

import type { Signal } from './signal.ts'
import type { FlagResult } from './verdicts.ts'

/** Also true while the person records the screen: the system does not tell the two apart. */
export const mirroredScreen: Signal<FlagResult> = {
  version: 1,
  platforms: ['IOS', 'ANDROID'],
  judge({ facts: { screenCapture } }) {
    if (!screenCapture) return undefined
    const reasons = Object.entries(screenCapture).flatMap(([name, holds]) => (holds ? [name] : []))
    return { verdict: { result: reasons.length > 0 }, reasons }
  },
}
