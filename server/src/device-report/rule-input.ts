// What do rules read about a session? Everything known when its report is made; it can be rebuilt from the stored record.

import type { Missing } from '@ringfence/contract'
import type { Analysis } from '../device/analysis/analyse.ts'
import { knownDetectors } from '../device/analysis/views.ts'
import type { KnownHistory, Resembled } from '../device/history/device-history.ts'
import { inputOfDetectors } from '../rules/language/session-input.ts'
import type { RuleInput } from '../rules/language/vocabulary.ts'
import type { ReportBasis, StoredInput } from './basis.ts'
import { knownFields } from './fields.ts'

const dayMs = 86_400_000

/** What rules read about the history of the device. `now`: epoch milliseconds. */
export const historyInput = (
  { velocity, firstVisitAt, badLabels, linked, likely }: KnownHistory,
  now: number,
): Pick<RuleInput, 'likely'> & Required<Pick<RuleInput, 'velocity' | 'history'>> => ({
  velocity,
  history: {
    deviceAgeDays: Math.max(0, now - (firstVisitAt ?? now)) / dayMs,
    badReports: badLabels.length,
    linkedBadReports: linked.badReports,
  },
  ...(likely && { likely: likelyInput(likely) }),
})

/** What a report may lack whose rest is known. Rules read the first that it lacks: no lesser one hides that nothing proves the phone. */
export const gapsOfDevice = ['unattested', 'incomplete', 'crowded'] as const

/** What is missing of the report of a device, in the order of `gapsOfDevice`. */
export function missingOfDevice({
  judgement: { verdicts },
  identification,
}: Pick<Analysis, 'judgement' | 'identification'>): MissingOfDevice[] {
  const { result, facts } = verdicts.missingFacts ?? {}
  const gaps = {
    unattested: verdicts.unattested?.isRequired && {},
    incomplete: result && { ...(facts && { facts: [...facts] }) },
    crowded: identification?.crowded && {},
  }
  return gapsOfDevice.flatMap((why) => (gaps[why] ? [{ what, why, ...gaps[why] }] : []))
}

const what = 'device' as const
type MissingOfDevice = Missing & { readonly why: (typeof gapsOfDevice)[number] }

function likelyInput({ velocity, ...rest }: Resembled): NonNullable<RuleInput['likely']> {
  const counts = Object.entries(velocity).filter(([name]) => /^(accounts|phoneNumbers)PerDevice/.test(name))
  return { ...rest, ...Object.fromEntries(counts) }
}

/** Unknown values are absent, so that a rule cannot mistake a default for a finding. */
export function ruleInputOf(
  analysis: Analysis,
  { localRate, scores, ...stored }: StoredInput & Pick<ReportBasis, 'scores'>,
): RuleInput {
  const { requestId: _, ...report } = knownFields(analysis, localRate)
  const [missing] = missingOfDevice(analysis)
  const { newDevice, velocity, history, likely, telecom, params } = stored
  return {
    ...report,
    platform: analysis.platform,
    appId: analysis.appId,
    ...(analysis.installationId !== undefined && { installationId: analysis.installationId }),
    ...(newDevice !== undefined && { newDevice }),
    sessionRiskScore: scores.session.score,
    deviceRiskScore: scores.device.score,
    signals: inputOfDetectors(knownDetectors(analysis)),
    ...(missing && { missing: { device: missing.why } }),
    ...(velocity && { velocity }),
    ...(history && { history }),
    ...(likely && { likely }),
    ...(telecom && { telecom }),
    // Without a userEventType, the user does something else.
    updateInfo: { userEventType: 'OTHERS', ...analysis.updateInfo },
    params,
  }
}
