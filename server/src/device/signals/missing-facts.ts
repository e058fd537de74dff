// Detects a report without facts that its platform always sends, or with so few that a question about the browser stays open.

import type { Evidence } from '../analysis/evidence.ts'
import { absentSomewhere } from '../analysis/owed-facts.ts'
import { bot } from './bot.ts'
import { type Finding, resultOf, signal } from './signal.ts'
import { tampering } from './tampering.ts'
import type { FlagResult } from './verdicts.ts'

/** What is missing accuses nobody of more than hiding it: it weighs, and asks for a challenge, but never blocks. */
export const missingFacts = signal({
  name: 'missingFacts',
  question: 'Does the report lack facts that its platform always sends?',
  version: 3,
  platforms: ['WEB', 'IOS', 'ANDROID'],
  judge(evidence, before): Finding<FlagResult> | undefined {
    const { lacking, late = [] } = evidence
    if (!lacking) return undefined
    const open = openQuestions(evidence, before)
    return {
      verdict: { result: lacking.length > 0 || open.length > 0 },
      reasons: [
        ...lacking.map((name) => `missing: ${name}`),
        ...late.map((name) => `too late: ${name}`),
        ...open.map((name) => `not known: ${name}`),
      ],
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

/**
 * What nobody knows of this browser, though slowness does not explain it, nor facts that some browsers lack: else not to know would be
 * cheaper than the truth.
 */
function openQuestions(evidence: Evidence, before: Readonly<Record<string, unknown>> = {}): string[] {
  if (evidence.platform !== 'WEB') return []
  const { late = [], notOwed = [] } = evidence
  const patient = { ...evidence, notOwed: [...notOwed, ...late, ...absentSomewhere] }
  return [bot, tampering].flatMap(({ name, judge }) =>
    Object.hasOwn(before, name) || judge(patient) !== undefined ? [] : [name],
  )
}
