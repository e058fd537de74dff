// Is the location of the device made up?

import type { Signal } from './signal.ts'
import type { FlagResult } from './verdicts.ts'

/** The system says so itself (iOS 15, Android). A location that an accessory tells is honest: cars and GPS receivers do. */
export const locationSpoofing: Signal<FlagResult> = {
  version: 1,
  platforms: ['IOS', 'ANDROID'],
  judge({ facts: { location } }) {
    if (location?.isSimulated === undefined) return undefined
    return {
      verdict: { result: location.isSimulated },
      reasons: location.isSimulated ? ['the system says that software made the location up'] : [],
    }
  },
}
