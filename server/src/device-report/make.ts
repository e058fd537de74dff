// What is the report of an analysis? Scores, then rules, then every known field under its name in specification 2.6.

import type { DeviceReport } from '@ringfence/contract'
import type { AppSettings } from '../apps/app.ts'
import type { TenantKeys } from '../core/crypto/keyring.ts'
import { JsonText } from '../core/json/json-text.ts'
import type { Analysis } from '../device/analysis/analyse.ts'
import { digitsOf } from '../device/analysis/update-info.ts'
import { historyOf, type ThisVisit } from '../device/history/device-history.ts'
import type { HistoryChange } from '../device/history/history-change.ts'
import { deviceHashOf } from '../device/history/visit.ts'
import { deviceScore } from '../device/scores/device-score.ts'
import { sessionScore } from '../device/scores/session-score.ts'
import { suspectContributions } from '../device/scores/suspect-score.ts'
import { firedWeights } from '../device/scores/weights.ts'
import type { AnalysisColumns } from '../device/store/device-analyses.ts'
import type { RecordedReport } from '../device/store/record.ts'
import { type Evaluation, evaluate, shownInReport } from '../rules/evaluate.ts'
import type { InList } from '../rules/language/list.ts'
import type { Rule } from '../rules/language/rule.ts'
import { inputOfTelecom } from '../rules/language/session-input.ts'
import type { RuleInput } from '../rules/language/vocabulary.ts'
import { withResemblance } from '../rules/lists/resemblance.ts'
import type { LoadedRules } from '../rules/loaded-rules.ts'
import { listReadsOf, readTelecom } from '../rules/rule-sets.ts'
import { knownOfNumber } from '../telecom/known-answers.ts'
import type { ReportBasis } from './basis.ts'
import { knownFields, reportDefaults } from './fields.ts'
import type { ReportNeeds } from './room.ts'
import { historyInput, ruleInputOf } from './rule-input.ts'

export interface ReportParts {
  readonly analysis: Analysis
  readonly visit: AnalysisColumns
  readonly params: Readonly<Record<string, unknown>>
  readonly settings: AppSettings
}

export interface MadeReport {
  readonly report: RecordedReport<ReportBasis>
  readonly action: DeviceReport['ruleAction']['action']
  /** The live rules that fired. */
  readonly fired: readonly Rule[]
  /** Must be stored together with the report. */
  readonly historyChange: HistoryChange
}

/** Makes the report of an analysis and stores nothing. */
export async function makeReport(
  { analysis, visit, params, settings }: ReportParts,
  needs: Pick<ReportNeeds, 'database' | 'rules' | 'settings' | 'telecom' | 'device' | 'tenantKeyring'>,
): Promise<MadeReport> {
  const { now } = analysis.evidence
  const { deviceId } = analysis
  const { tenantId, deviceHash, ipPrefixHash, ipHash } = visit
  const [rules, keys] = await Promise.all([needs.rules.current(tenantId), needs.tenantKeyring.keysOf(tenantId)])
  const digits = readTelecom(rules) ? digitsOf(analysis.updateInfo) : undefined
  const [found, localRate, number] = await Promise.all([
    deviceHash && deviceId !== undefined
      ? historyOf({ ...visit, deviceHash, deviceId, likely: likelyOf(analysis, keys) }, needs)
      : undefined,
    ipPrefixHash && ipHash ? needs.device.localRates.of(tenantId, { ipPrefixHash, ipHash }) : undefined,
    digits === undefined
      ? undefined
      : knownOfNumber(digits, { tenantId, consent: needs.telecom.purposes.automatic(tenantId) }, needs),
  ])
  const past = found?.history

  const known = knownFields(analysis, localRate)
  const session = sessionScore(firedWeights(analysis.judgement.verdicts), known.ipDetails?.fraudScore)
  const device = past ? deviceScore(session, past, now) : session
  const newDevice = analysis.newDevice ?? (past && past.firstVisitAt === undefined)
  const suspect = suspectContributions(analysis.judgement.verdicts, analysis.platform)
  const gathered = {
    ...(newDevice !== undefined && { newDevice }),
    ...(past && historyInput(past, now)),
    ...(number && { telecom: inputOfTelecom(number) }),
    ...(localRate !== undefined && { localRate }),
    params,
    scores: { session, device, suspect },
  }
  const basis = await withResemblance(tenantId, gathered, needs.rules.lookUps)
  const input = ruleInputOf(analysis, basis)
  const { live, shadow } = rules
  const inList = await needs.rules.lookUps.forInput(tenantId, listReadsOf(rules), input)
  const decided = evaluate(live.rules, input, inList)
  const ruleAction = shownInReport(decided.ruleAction)
  const answer: DeviceReport = {
    ...reportDefaults,
    ...known,
    sessionRiskScore: session.score,
    deviceRiskScore: device.score,
    ...(newDevice !== undefined && { newDevice }),
    ruleAction,
    appliedRules: decided.appliedRules,
    additionalData: additionalDataOf(params, analysis, settings),
  }
  const shadowed = shadow && { shadow: { version: shadow.version, ...resultOf(shadow, input, inList) } }
  const report = {
    answer: new JsonText<DeviceReport>(JSON.stringify(answer)),
    basis: { ...basis, rules: { live: live.version, ...shadowed } },
  }
  return { report, action: ruleAction.action, fired: decided.fired, historyChange: found?.change ?? [] }
}

function likelyOf({ identification }: Analysis, keys: TenantKeys): ThisVisit['likely'] {
  const likely = identification?.likely
  return likely && { ...likely, hashOf: (deviceId) => deviceHashOf(deviceId, keys) }
}

function resultOf(
  { rules }: LoadedRules,
  input: RuleInput,
  inList: InList,
): Pick<Evaluation, 'ruleAction' | 'appliedRules'> {
  const { ruleAction, appliedRules } = evaluate(rules, input, inList)
  return { ruleAction, appliedRules }
}

/** The fields that the app's settings list. A param wins over a key of `additionalInput` with the same name. */
function additionalDataOf(
  params: Readonly<Record<string, unknown>>,
  { updateInfo: { additionalInput = {} } }: Analysis,
  { additionalDataFields }: AppSettings,
): DeviceReport['additionalData'] {
  const fields = additionalDataFields.flatMap((name) => {
    const source = [params, additionalInput].find((each) => Object.hasOwn(each, name))
    return source ? [[name, source[name]] as const] : []
  })
  return Object.fromEntries(fields)
}
