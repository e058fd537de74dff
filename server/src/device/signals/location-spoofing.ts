// Is the location of the device made up?

import { flag } from '../../rules/path-types.ts'
import { type Finding, resultOf, signal } from './signal.ts'
import type { FlagResult } from './verdicts.ts'

/** The system says so itself (iOS 15, Android). A location that an accessory tells is honest: cars and GPS receivers do. */
export const locationSpoofing = signal({
  name: 'locationSpoofing',
  question: 'Is the location of the device fake?',
  version: 1,
  platforms: ['IOS', 'ANDROID'],
  judge({ facts: { location } }): Finding<FlagResult> | undefined {
    if (location?.isSimulated === undefined) return undefined
    return {
      verdict: { result: location.isSimulated },
      reasons: location.isSimulated ? ['the system says that software made the location up'] : [],
    }
  },
  weights: {
    locationSpoofing: { fires: resultOf, session: 0.45, because: 'the location is faked' },
  },
  report: {
    field: 'geoSpoofed',
    value: resultOf,
    rule: { type: flag('The location is faked'), read: ({ geoSpoofed }) => geoSpoofed },
  },
  secureInfo: {
    returnedBy: 'secure-info',
    notApplicable: { result: false },
    rules: {
      locationSpoofing: {
        type: flag('The location is faked'),
        value: resultOf,
        read: ({ signals }) => signals?.locationSpoofing,
      },
    },
  },
})
