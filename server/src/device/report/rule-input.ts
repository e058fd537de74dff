// What do rules read of a session? Everything that is known of it when its report is made, and can be told again from what is kept.

import { inputOfDetectors } from '../../rules/session-input.ts'
import type { RuleInput } from '../../rules/vocabulary.ts'
import type { Analysis } from '../analysis/analyse.ts'
import { secureInfoDetail } from '../analysis/views.ts'
import type { KnownPast } from '../history/device-history.ts'
import type { KeptOfInput, ReportBasis } from './basis.ts'
import { knownFields } from './fields.ts'

const dayMs = 86_400_000

/** `now`: epoch milliseconds. */
export const inputOfPast = (
  { velocity, firstVisitAt, badOutcomes }: KnownPast,
  now: number,
): Required<Pick<RuleInput, 'velocity' | 'history'>> => ({
  velocity,
  history: { deviceAgeDays: Math.max(0, now - (firstVisitAt ?? now)) / dayMs, badReports: badOutcomes.length },
})

/** What is not known is absent, so that no rule mistakes a default for a finding. */
export function ruleInputOf(
  analysis: Analysis,
  { localRate, scores, ...kept }: KeptOfInput & Pick<ReportBasis, 'scores'>,
): RuleInput {
  const { requestId: _, ...report } = knownFields(analysis, localRate)
  const { newDevice, velocity, history, telecom, params } = kept
  return {
    ...report,
    platform: analysis.platform,
    ...(newDevice !== undefined && { newDevice }),
    sessionRiskScore: scores.session.score,
    deviceRiskScore: scores.device.score,
    signals: inputOfDetectors(secureInfoDetail(analysis)),
    ...(velocity && { velocity }),
    ...(history && { history }),
    ...(telecom && { telecom }),
    // Whoever does not say what the user is doing says that it is something else.
    updateInfo: { userEventType: 'OTHERS', ...analysis.updateInfo },
    params,
  }
}
