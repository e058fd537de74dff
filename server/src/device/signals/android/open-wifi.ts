// Detects a Wi-Fi without encryption.

import { flag } from '../../../core/path-types.ts'
import { type Finding, resultOf, signal } from '../signal.ts'
import type { FlagResult } from '../verdicts.ts'

/** Values of `WifiInfo.getCurrentSecurityType()`: none, and WEP, which anybody can break. */
const isOpenBy: Readonly<Record<number, string>> = { 0: 'no encryption', 1: 'WEP' }
/** The last value that is known. Higher ones are of a newer Android. */
const newestType = 13

/** Hotels and trains have one, so it weighs nothing. Absent in the mobile network. */
export const openWifi = signal({
  name: 'openWifi',
  question: 'Is the phone in a Wi-Fi without encryption?',
  version: 1,
  platforms: ['ANDROID'],
  judge({ facts: { wifi } }): Finding<FlagResult> | undefined {
    const { security } = wifi ?? {}
    if (security === undefined || security < 0 || security > newestType) return undefined
    const reason = isOpenBy[security]
    return { verdict: { result: reason !== undefined }, reasons: reason === undefined ? [] : [reason] }
  },
  report: {
    field: 'openWifi',
    value: resultOf,
    rule: { type: flag('The phone is in a Wi-Fi without encryption (Android)'), read: ({ openWifi }) => openWifi },
  },
})
