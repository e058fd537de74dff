// Detects a fake location, as the system reports it.

import { flag } from '../../core/path-types.ts'
import { type Finding, resultOf, signal } from './signal.ts'
import type { FlagResult } from './verdicts.ts'

/** iOS 15 and Android report it themselves. A location from an accessory is genuine: cars and GPS receivers send one. */
export const locationSpoofing = signal({
  name: 'locationSpoofing',
  question: 'Is the location of the device fake?',
  version: 1,
  platforms: ['IOS', 'ANDROID'],
  judge({ facts: { location } }): Finding<FlagResult> | undefined {
    if (location?.isSimulated === undefined) return undefined
    return {
      verdict: { result: location.isSimulated },
      reasons: location.isSimulated ? ['the system reports a location simulated by software'] : [],
    }
  },
  weights: {
    locationSpoofing: { fires: resultOf, session: 0.45, because: 'the location is fake' },
  },
  report: {
    field: 'geoSpoofed',
    value: resultOf,
    rule: { type: flag('The location is fake'), read: ({ geoSpoofed }) => geoSpoofed },
  },
  secureInfo: {
    returnedBy: 'secure-info',
    unknown: { result: false },
    rules: {
      locationSpoofing: {
        type: flag('The location is fake'),
        value: resultOf,
        read: ({ signals }) => signals?.locationSpoofing,
      },
    },
  },
})
