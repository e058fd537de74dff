// Detects a call in progress.

import { flag } from '../../../core/path-types.ts'
import { type Finding, resultOf, signal } from '../signal.ts'
import type { FlagResult } from '../verdicts.ts'

/** By `AudioManager.getMode()`. While it rings, or an assistant answers, nobody is in a call. */
const modes: Readonly<Record<number, readonly [isCall: boolean, text: string]>> = {
  0: [false, 'no call'],
  1: [false, 'it rings'],
  2: [true, 'a phone call'],
  3: [true, 'a call of an app'],
  4: [false, 'a call is screened'],
  5: [true, 'a redirected phone call'],
  6: [true, 'a redirected call of an app'],
}

/** People phone while they pay, so it is no property of the device and raises no score of it: a decision weighs it. */
export const activeCall = signal({
  name: 'activeCall',
  question: 'Is a call in progress on the phone?',
  version: 1,
  platforms: ['ANDROID'],
  judge({ facts: { audioMode } }): Finding<FlagResult> | undefined {
    const mode = audioMode === undefined ? undefined : modes[audioMode]
    return mode && { verdict: { result: mode[0] }, reasons: mode[0] ? [mode[1]] : [] }
  },
  report: {
    field: 'activeCall',
    value: resultOf,
    rule: { type: flag('A call is in progress on the phone (Android)'), read: ({ activeCall }) => activeCall },
  },
})
