// Which decisions of a backtest are not allowed only because something required is not known?

import type { Label } from '../../device/history/label.ts'
import type { Action, RuleSet } from '../language/rule.ts'
import type { RuleInput } from '../language/vocabulary.ts'
import { type CompiledRequirements, compileRequirements, decidedAction } from '../requirements/required.ts'
import type { StoredReport } from './stored-report.ts'
import { countReport, emptyTally, type Tally } from './tally.ts'

export interface RequiredResult {
  readonly tally: Tally
  /** By what is not known, such as `device` or `simSwap`: a decision may lack several. */
  readonly byPart: Record<string, Tally>
}

/** What the requirements of one rule set add to its rules, over all reports. */
export class RequiredCounts {
  readonly #requirements: CompiledRequirements
  readonly result: RequiredResult = { tally: emptyTally(), byPart: {} }

  constructor(set: RuleSet) {
    this.#requirements = compileRequirements(set)
  }

  /** The action of a report: that of the rules, or a stronger one. Of a device report, nothing is required. */
  add({ decisionId }: StoredReport, ofRules: Action, input: RuleInput, label: Label | undefined): Action {
    if (decisionId === undefined) return ofRules
    const required = this.#requirements.of(input)
    const action = decidedAction(ofRules, required)
    if (action === ofRules) return ofRules
    const { tally, byPart } = this.result
    countReport(tally, label)
    for (const part of new Set(required.missing.map(({ what, path }) => path ?? what))) {
      byPart[part] ??= emptyTally()
      countReport(byPart[part], label)
    }
    return action
  }
}
