// Does `rules suggest` find the pattern that was planted in the fraud story? On the labelled decisions of its service.

import { storedDecisions } from '../../../server/src/decisions/stored/stored-decisions.ts'
import { findReportLabels } from '../../../server/src/device/store/labels/report-labels.ts'
import type { RuleSet } from '../../../server/src/rules/language/rule.ts'
import { printCondition } from '../../../server/src/rules/language/text.ts'
import { collect } from '../../../server/src/rules/suggest/collect.ts'
import { type Suggestions, suggest } from '../../../server/src/rules/suggest/suggest.ts'
import type { TestService } from '../../../server/src/testing/test-service.ts'

/** What `ringfence rules suggest --decisions` computes, with these rules live. */
export async function suggestedFrom({ parts: needs, tenantId }: TestService, rules: RuleSet): Promise<Suggestions> {
  const sample = await collect({
    reports: storedDecisions(tenantId, needs),
    rules,
    labelsOf: (reports) => findReportLabels(needs.database, tenantId, reports),
  })
  return suggest(
    sample,
    rules.velocities?.map(({ name }) => name),
  )
}

/** The planted pattern: gift cards, which no rule of a guide reads. */
export const isPlanted = ({ when }: Suggestions['suggestions'][number]): boolean =>
  printCondition(when).includes('params.item == "gift-card"')
