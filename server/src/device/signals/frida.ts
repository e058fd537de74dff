// Does Frida run?

import { fridaPorts } from './hooking.ts'
import type { Signal } from './signal.ts'
import type { FlagResult } from './verdicts.ts'

export const frida: Signal<FlagResult> = {
  version: 1,
  platforms: ['IOS', 'ANDROID'],
  judge({ facts: { hookTraces: traces } }) {
    if (!traces) return undefined
    const { libraries = [], classes = [], openPorts = [] } = traces
    const names = [...libraries, ...classes].filter((name) => /frida/i.test(name))
    const ports = openPorts.filter((port) => fridaPorts.includes(port)).map((port) => `port ${port}`)
    return { verdict: { result: names.length + ports.length > 0 }, reasons: [...names, ...ports] }
  },
}
