// Detects hooking frameworks, by their libraries, classes and ports.

import { flag } from '../../core/path-types.ts'
import { flagOf } from './flag-of.ts'
import { type Finding, resultOf, signal } from './signal.ts'
import type { FlagResult } from './verdicts.ts'

/** Default ports of the Frida server. */
export const fridaPorts = [27042, 27043]

/** The SDK reports only names from its own list, so every name counts. */
export const hooking = signal({
  name: 'hooking',
  question: 'Does a hooking framework change what the app does?',
  version: 2,
  platforms: ['IOS', 'ANDROID'],
  judge(evidence): Finding<FlagResult> | undefined {
    const { libraries = [], classes = [], openPorts = [] } = evidence.facts.hookTraces ?? {}
    const ports = openPorts.filter((port) => fridaPorts.includes(port)).map((port) => `port ${port}`)
    return flagOf(evidence, ['hookTraces'], [...libraries, ...classes, ...ports])
  },
  weights: {
    hooking: { fires: resultOf, session: 0.6, because: 'a hooking framework runs' },
  },
  report: {
    field: 'hooking',
    value: resultOf,
    rule: { type: flag('A hooking framework was found'), read: ({ hooking }) => hooking },
  },
})
