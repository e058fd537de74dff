// Does something change what the functions of the app do?

import type { Signal } from './signal.ts'
import type { FlagResult } from './verdicts.ts'

/** Where the servers of Frida listen by default. */
export const fridaPorts = [27042, 27043]

/** The SDK tells names of a list of its own, so each of them counts. */
export const hooking: Signal<FlagResult> = {
  version: 1,
  platforms: ['IOS', 'ANDROID'],
  judge({ facts: { hookTraces: traces } }) {
    if (!traces) return undefined
    const { libraries = [], classes = [], openPorts = [] } = traces
    const ports = openPorts.filter((port) => fridaPorts.includes(port)).map((port) => `port ${port}`)
    const reasons = [...libraries, ...classes, ...ports]
    return { verdict: { result: reasons.length > 0 }, reasons }
  },
}
