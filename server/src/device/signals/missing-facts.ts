// Detects a report without facts that its platform always sends, or with so few that a question about the browser stays open.

import { WebFacts } from '@ringfence/contract'
import { isMissing } from '../analysis/absent-facts.ts'
import type { Evidence } from '../analysis/evidence.ts'
import { absentSomewhere } from '../analysis/owed-facts.ts'
import { missingOf } from '../analysis/whole-facts.ts'
import { type Finding, resultOf, signal } from './signal.ts'
import type { MissingFactsResult } from './verdicts.ts'
import { bot } from './web/bot.ts'
import { tampering } from './web/tampering.ts'

/** What is missing accuses nobody of more than hiding it: it weighs, and asks for a challenge, but never blocks. */
export const missingFacts = signal({
  name: 'missingFacts',
  question: 'Does the report lack facts that its platform always sends?',
  version: 5,
  platforms: ['WEB', 'IOS', 'ANDROID'],
  judge(evidence, before): Finding<MissingFactsResult> | undefined {
    const { lacking, late = [] } = evidence
    if (!lacking) return undefined
    const missing = lacking.flatMap((name) => named(evidence, name))
    const { open, unanswered } = openQuestions(evidence, before)
    const facts = [...new Set([...missing, ...unanswered])]
    return {
      verdict: facts.length === 0 ? { result: false } : { result: true, facts },
      reasons: [
        ...missing.map((name) => `missing: ${name}`),
        ...late.map((name) => `too late: ${name}`),
        ...open.map(({ name }) => `not known: ${name}`),
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
 * What nobody knows of this browser, though fonts that came late do not explain it, nor facts that some browsers lack: else not to know would be
 * cheaper than the truth. With what it lacks; a user agent that names no known browser is enough to leave a question open.
 */
function openQuestions(evidence: Evidence, before: Readonly<Record<string, unknown>> = {}) {
  const { facts, late = [], notOwed = [], platform } = evidence
  // Fonts are late in most slow browsers. Graphics answer the same question of them: which system it is.
  const tardy = isMissing(evidence, 'webgl') ? [] : late.filter((name) => name === 'fonts')
  const patient = { ...evidence, notOwed: [...notOwed, ...tardy, ...absentSomewhere] }
  const open = [bot, tampering].filter(
    ({ name, judge }) => platform === 'WEB' && !Object.hasOwn(before, name) && judge(patient) === undefined,
  )
  if (open.length === 0) return { open, unanswered: [] }
  const absent = webFacts.filter((name) => isMissing(patient, name))
  const others = Object.fromEntries(Object.entries(facts).filter(([name]) => !absent.some((each) => each === name)))
  const isOpenWithout = (excused: readonly string[]) => {
    const only = { ...patient, facts: others, notOwed: [...patient.notOwed, ...excused] }
    return open.some(({ judge }) => judge(only) === undefined)
  }
  if (isOpenWithout(absent)) return { open, unanswered: ['userAgent'] }
  const deciding = absent.filter((fact) => isOpenWithout(absent.filter((name) => name !== fact)))
  const lacking = deciding.length === 0 ? absent : deciding
  return { open, unanswered: lacking.flatMap((name) => named(evidence, name)) }
}

const webFacts = Object.keys(WebFacts.properties) as (keyof WebFacts)[]

/** The parts that it lacks. A keychain id without its id lacks none, and names no phone. */
function named(evidence: Evidence, name: string): readonly string[] {
  const parts = missingOf(evidence, name)
  return parts.length === 0 ? [name] : parts
}
