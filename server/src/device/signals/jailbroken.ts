// Is the iPhone jailbroken?

import type { Signal } from './signal.ts'
import type { FlagResult } from './verdicts.ts'

/** One kind of trace is not enough: paths may be left over, and an honest library may carry a name. A simulator is judged as such. */
const kindsNeeded = 2

export const jailbroken: Signal<FlagResult> = {
  version: 1,
  platforms: ['IOS'],
  judge({ facts: { jailbreakTraces: traces, simulator } }) {
    if (!traces || simulator?.isTarget) return undefined
    const { paths = [], links = [], libraries = [], wroteOutside, forked } = traces
    const kinds = [
      ...(paths.length > 0 ? [`paths: ${paths.join(', ')}`] : []),
      ...(links.length > 0 ? [`folders that are links: ${links.join(', ')}`] : []),
      ...(libraries.length > 0 ? [`libraries: ${libraries.join(', ')}`] : []),
      ...(wroteOutside ? ['wrote outside of the sandbox'] : []),
      ...(forked ? ['started another process'] : []),
    ]
    return { verdict: { result: kinds.length >= kindsNeeded }, reasons: kinds }
  },
}
