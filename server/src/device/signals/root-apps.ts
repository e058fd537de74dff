// Detects a rooted Android device, by its files, apps and properties.

import { flag } from '../../core/path-types.ts'
import { type Finding, resultOf, signal } from './signal.ts'
import type { FlagResult } from './verdicts.ts'

export const rootApps = signal({
  name: 'rootApps',
  question: 'Is the Android device rooted?',
  version: 1,
  platforms: ['ANDROID'],
  judge({ facts: { rootTraces: traces, build } }): Finding<FlagResult> | undefined {
    if (!traces) return undefined
    const { paths = [], packages = [], properties = [] } = traces
    // Custom systems are signed with test keys without root, so weak signs need a second one.
    const weak = [...properties, ...(build?.tags?.includes('test-keys') ? ['signed with test keys'] : [])]
    const strong = [...paths, ...packages]
    return { verdict: { result: strong.length > 0 || weak.length > 1 }, reasons: [...strong, ...weak] }
  },
  weights: {
    rootApps: {
      fires: resultOf,
      session: 0.3,
      because: 'the protections of the device are off; some owners turn them off themselves',
      suspect: { ANDROID: 12 },
    },
  },
  secureInfo: {
    returnedBy: 'both',
    unknown: { result: false },
    rules: {
      rootApps: {
        type: flag('The device is rooted (Android)'),
        value: resultOf,
        read: ({ signals }) => signals?.rootApps,
      },
    },
  },
})
