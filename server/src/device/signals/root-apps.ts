// Is the Android device rooted?

import type { Signal } from './signal.ts'
import type { FlagResult } from './verdicts.ts'

export const rootApps: Signal<FlagResult> = {
  version: 1,
  platforms: ['ANDROID'],
  judge({ facts: { rootTraces: traces, build } }) {
    if (!traces) return undefined
    const { paths = [], packages = [], properties = [] } = traces
    // Systems of enthusiasts are signed with test keys without being rooted, so that these need a second sign.
    const weak = [...properties, ...(build?.tags?.includes('test-keys') ? ['signed with test keys'] : [])]
    const strong = [...paths, ...packages]
    return { verdict: { result: strong.length > 0 || weak.length > 1 }, reasons: [...strong, ...weak] }
  },
}
