// Detects a report without facts that its platform always sends.

import { type Finding, resultOf, signal } from './signal.ts'
import type { FlagResult } from './verdicts.ts'

/** What is missing accuses nobody of more than hiding it: it weighs, and asks for a challenge, but never blocks. */
export const missingFacts = signal({
  name: 'missingFacts',
  question: 'Does the report lack facts that its platform always sends?',
  version: 2,
  platforms: ['WEB', 'IOS', 'ANDROID'],
  judge({ lacking, late = [] }): Finding<FlagResult> | undefined {
    if (!lacking) return undefined
    return {
      verdict: { result: lacking.length > 0 },
      reasons: [...lacking.map((name) => `missing: ${name}`), ...late.map((name) => `too late: ${name}`)],
    }
  },
  weights: {
    missingFacts: {
      fires: resultOf,
      session: 0.2,
      because: 'the report lacks facts that its platform always sends',
    },
  },
})
