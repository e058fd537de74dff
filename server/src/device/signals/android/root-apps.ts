// Detects a rooted Android device, by its files, apps and properties, and by what its hardware attests of the boot.

import { flag } from '../../../core/path-types.ts'
import { isMissing } from '../../analysis/absent-facts.ts'
import type { Evidence } from '../../analysis/evidence.ts'
import { isWhole } from '../../analysis/whole-facts.ts'
import { type Finding, resultOf, signal } from '../signal.ts'
import type { FlagResult } from '../verdicts.ts'

export const rootApps = signal({
  name: 'rootApps',
  question: 'Is the Android device rooted?',
  version: 4,
  platforms: ['ANDROID'],
  judge(evidence): Finding<FlagResult> | undefined {
    const { rootTraces: traces, build } = evidence.facts
    const boot = bootSigns(evidence)
    if (!traces && boot.strong.length === 0) return undefined
    const { paths = [], packages = [], properties = [] } = traces ?? {}
    // Custom systems are signed with test keys without root, so weak signs need a second one.
    const weak = [...properties, ...boot.weak, ...(build?.tags?.includes('test-keys') ? ['signed with test keys'] : [])]
    const strong = [...paths, ...packages, ...boot.strong]
    const result = strong.length > 0 || weak.length > 1
    // The missing build could be the second sign.
    const isOpen = !isWhole(evidence, 'rootTraces') || (weak.length === 1 && isMissing(evidence, 'build'))
    if (!result && isOpen) return undefined
    return { verdict: { result }, reasons: [...strong, ...weak] }
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

/** What the hardware says of the boot, which no app can hide. A locked phone with a system that its owner signed need not be rooted. */
function bootSigns({ keyAttestation }: Evidence): { strong: string[]; weak: string[] } {
  const { isLocked = true, bootState = 'verified' } = keyAttestation?.rootOfTrust ?? {}
  const isOwn = bootState === 'selfSigned'
  return {
    strong: [
      ...(isLocked ? [] : ['the bootloader is unlocked']),
      ...(isOwn || bootState === 'verified' ? [] : [`verified boot: ${bootState}`]),
    ],
    weak: isOwn ? ['verified boot: selfSigned'] : [],
  }
}
