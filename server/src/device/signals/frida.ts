// Detects Frida, by its libraries, classes and ports.

import { flag } from '../../core/path-types.ts'
import { flagOf } from './flag-of.ts'
import { fridaPorts, hooking } from './hooking.ts'
import { type Finding, resultOf, signal } from './signal.ts'
import type { FlagResult } from './verdicts.ts'

export const frida = signal({
  name: 'frida',
  question: 'Is Frida running?',
  version: 2,
  platforms: ['IOS', 'ANDROID'],
  judge(evidence): Finding<FlagResult> | undefined {
    const { libraries = [], classes = [], openPorts = [] } = evidence.facts.hookTraces ?? {}
    const names = [...libraries, ...classes].filter((name) => /frida/i.test(name))
    const ports = openPorts.filter((port) => fridaPorts.includes(port)).map((port) => `port ${port}`)
    return flagOf(evidence, ['hookTraces'], [...names, ...ports])
  },
  weights: {
    frida: { fires: resultOf, session: 0.6, because: 'Frida runs', suspect: { ANDROID: 14 }, replaces: hooking.name },
  },
  report: {
    field: 'hooking',
    value: resultOf,
  },
  secureInfo: {
    returnedBy: 'both',
    unknown: { result: false },
    rules: {
      frida: { type: flag('Frida was found'), value: resultOf, read: ({ signals }) => signals?.frida },
    },
  },
})
