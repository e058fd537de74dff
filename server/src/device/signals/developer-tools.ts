// Are the developer tools open?

import { engineOf } from './engine.ts'
import { inspectorOf } from './inspection.ts'
import type { Signal } from './signal.ts'
import type { FlagResult } from './verdicts.ts'

/** Told in Chromium only, whether they are docked or in a window of their own; elsewhere nothing is said. */
export const developerTools: Signal<FlagResult> = {
  version: 1,
  platforms: ['WEB'],
  judge(evidence) {
    if (!evidence.facts.inspection || engineOf(evidence) !== 'chromium') return undefined
    const isOpen = inspectorOf(evidence.facts) === 'developer tools'
    const { stacksWritten, awaitRatio } = evidence.facts.inspection
    return { verdict: { result: isOpen }, grounds: [`stacks written ${stacksWritten}, awaits ${awaitRatio}`] }
  },
}
