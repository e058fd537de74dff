// Are the developer tools open, or is the phone in developer mode?

import { engineOf } from '../analysis/engine.ts'
import type { Evidence } from '../analysis/evidence.ts'
import { inspectorOf } from '../analysis/inspection.ts'
import type { Finding, Signal } from './signal.ts'
import type { FlagResult } from './verdicts.ts'

/**
 * Of browsers it is told in Chromium only, whether they are docked or in a window of their own. An Android phone says so itself; iOS
 * tells no app.
 */
export const developerTools: Signal<FlagResult> = {
  version: 2,
  platforms: ['WEB', 'ANDROID'],
  judge(evidence) {
    if (evidence.platform === 'ANDROID') return ofAndroid(evidence)
    if (!evidence.facts.inspection || engineOf(evidence) !== 'chromium') return undefined
    const isOpen = inspectorOf(evidence.facts) === 'developer tools'
    const { stacksWritten, awaitRatio } = evidence.facts.inspection
    return { verdict: { result: isOpen }, reasons: [`stacks written ${stacksWritten}, awaits ${awaitRatio}`] }
  },
}

/** Debugging over USB can be on without the menu, where a computer has switched it on. */
function ofAndroid({ facts: { developerOptions } }: Evidence): Finding<FlagResult> | undefined {
  const { isEnabled, isAdbEnabled } = developerOptions ?? {}
  if (isEnabled === undefined && isAdbEnabled === undefined) return undefined
  const reasons = [...(isEnabled ? ['developer options'] : []), ...(isAdbEnabled ? ['debugging over USB'] : [])]
  return { verdict: { result: reasons.length > 0 }, reasons }
}
