// What do rules read of a session? Everything that is known of it when its report is made.

import { inputOfDetectors, inputOfTelecom } from '../../rules/session-input.ts'
import type { RuleInput } from '../../rules/vocabulary.ts'
import type { KnownOfNumber } from '../../telecom/known.ts'
import type { Analysis } from '../analyse.ts'
import { secureInfoDetail } from '../views.ts'
import type { KnownOfDevice } from './known.ts'
import type { KnownPast } from './past.ts'

export interface RuleInputParts {
  readonly analysis: Analysis
  readonly known: KnownOfDevice
  readonly newDevice: boolean | undefined
  readonly sessionRiskScore: number
  readonly deviceRiskScore: number
  /** Undefined for a device that has no id. */
  readonly past: KnownPast | undefined
  /** Undefined where no rule asks, and where the session names no valid number. */
  readonly number: KnownOfNumber | undefined
  readonly params: Readonly<Record<string, unknown>>
  /** Epoch milliseconds. */
  readonly now: number
}

const dayMs = 86_400_000

/** What is not known is absent, so that no rule mistakes a default for a finding. */
export function ruleInputOf(parts: RuleInputParts): RuleInput {
  const { analysis, known, newDevice, sessionRiskScore, deviceRiskScore, past, number, params, now } = parts
  const { requestId: _, ...report } = known
  return {
    ...report,
    platform: analysis.platform,
    ...(newDevice !== undefined && { newDevice }),
    sessionRiskScore,
    deviceRiskScore,
    signals: inputOfDetectors(secureInfoDetail(analysis)),
    ...(past && {
      velocity: past.velocity,
      history: {
        deviceAgeDays: Math.max(0, now - (past.firstVisitAt ?? now)) / dayMs,
        badReports: past.badOutcomes.length,
      },
    }),
    ...(number && { telecom: inputOfTelecom(number) }),
    updateInfo: analysis.updateInfo,
    params,
  }
}
