// What do the signals say about one device?

import type { Evidence } from '../analysis/evidence.ts'
import { suspectScoreOf } from '../scores/suspect-score.ts'
import { weightsOf } from '../scores/weights.ts'
import { type SignalName, signals, type Verdicts } from './index.ts'
import type { Signal } from './signal.ts'
import type { SuspectScoreResult } from './verdicts.ts'

export interface Judgement {
  /** A signal without an answer is absent. */
  readonly verdicts: Verdicts & { readonly suspectScore?: SuspectScoreResult }
  /** Why each verdict is as it is. For investigations; never returned to a client. */
  readonly reasons: Readonly<Partial<Record<SignalName, readonly string[]>>>
  /** Versions of the signals that answered, as a newer version may judge the same evidence differently. */
  readonly versions: Readonly<Partial<Record<SignalName, number>>>
}

/** Judges by every signal of the platform. Pure: the same evidence gets the same judgement. */
export function judgeOf(list: readonly Signal[]): (evidence: Evidence) => Judgement {
  const suspectScore = suspectScoreOf(weightsOf(list))
  return (evidence) => {
    const verdicts: Record<string, unknown> = {}
    const reasons: Record<string, readonly string[]> = {}
    const versions: Record<string, number> = {}
    for (const signal of list) {
      const finding = signal.platforms.includes(evidence.platform) ? signal.judge(evidence, verdicts) : undefined
      if (!finding) continue
      verdicts[signal.name] = finding.verdict
      reasons[signal.name] = finding.reasons
      versions[signal.name] = signal.version
    }
    const score = suspectScore(verdicts, evidence.platform)
    return { verdicts: { ...verdicts, ...(score && { suspectScore: score }) }, reasons, versions }
  }
}

export const judgeAll = judgeOf(signals)
