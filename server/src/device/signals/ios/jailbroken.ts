// Detects a jailbroken iPhone, by two kinds of trace, or by the folder of a rootless jailbreak.

import { flag } from '../../../core/path-types.ts'
import { isMissing } from '../../analysis/absent-facts.ts'
import { type Finding, resultOf, signal } from '../signal.ts'
import type { FlagResult } from '../verdicts.ts'

/** One kind is not enough: a path may be left over, and a harmless library may have a suspicious name. */
const kindsNeeded = 2

/** Since iOS 15 the system stays sealed, and libraries load into few apps: often an app sees only this folder. No app can make it. */
const isRootless = (path: string) => path === '/var/jb' || path.startsWith('/var/jb/')

export const jailbroken = signal({
  name: 'jailbroken',
  question: 'Is the iPhone jailbroken?',
  version: 4,
  platforms: ['IOS'],
  judge(evidence): Finding<FlagResult> | undefined {
    const { jailbreakTraces: traces, simulator } = evidence.facts
    // `simulator` judges simulators.
    if (!traces || simulator?.isTarget) return undefined
    const { paths = [], links = [], libraries = [], wroteOutside, forked } = traces
    const kinds = [
      ...(paths.length > 0 ? [`paths: ${paths.join(', ')}`] : []),
      ...(links.length > 0 ? [`symbolic links: ${links.join(', ')}`] : []),
      ...(libraries.length > 0 ? [`libraries: ${libraries.join(', ')}`] : []),
      ...(wroteOutside ? ['wrote outside the sandbox'] : []),
      ...(forked ? ['started another process'] : []),
    ]
    const result = kinds.length >= kindsNeeded || paths.some(isRootless)
    if (!result && (isMissing(evidence, 'jailbreakTraces') || isMissing(evidence, 'simulator'))) return undefined
    return { verdict: { result }, reasons: kinds }
  },
  weights: {
    jailbroken: {
      fires: resultOf,
      session: 0.3,
      because: 'the protections of the device are off; some owners turn them off themselves',
      suspect: { IOS: 10 },
    },
  },
  report: {
    field: 'jailbroken',
    value: resultOf,
    rule: { type: flag('The device is jailbroken'), read: ({ jailbroken }) => jailbroken },
  },
  secureInfo: {
    returnedBy: 'both',
    unknown: { result: false },
  },
})
