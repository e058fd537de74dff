// What is the report of an analysis? Scores, then rules, then everything that is known under the names of specification 2.6.

import type { DeviceReport } from '@ringfence/contract'
import type { AppSettings } from '../../apps/app.ts'
import type { TenantKeys } from '../../keyring.ts'
import type { Platform } from '../../platform.ts'
import { evaluate } from '../../rules/evaluate.ts'
import { type LoadedRules, readTelecom } from '../../rules/rule-sets.ts'
import type { RuleInput } from '../../rules/vocabulary.ts'
import type { DeviceVisit } from '../../storage/device-visits.ts'
import { knownOfNumber } from '../../telecom/known.ts'
import type { Analysis } from '../analyse.ts'
import { deviceScore } from '../scores/device-score.ts'
import { type SessionScore, sessionScore } from '../scores/session-score.ts'
import { suspectContributions } from '../signals/suspect-score.ts'
import { firedSignals } from './fired.ts'
import { knownOf, reportDefaults } from './known.ts'
import { addressHashesOf } from './local-rates.ts'
import { deviceHashOf, digitsOf, pastOf, personOf } from './past.ts'
import { ruleInputOf } from './rule-input.ts'

/** What is kept of a report: what backends are told, and for whoever investigates, how it came about. */
export interface MadeReport {
  readonly answer: DeviceReport
  readonly grounds: ReportGrounds
}

export interface ReportGrounds {
  /** What the rules were asked with; a backtest asks others with it. */
  readonly input: RuleInput
  readonly scores: {
    readonly session: SessionScore
    readonly device: SessionScore
    /** What suspectScore is the sum of. */
    readonly suspect: readonly { readonly source: string; readonly weight: number }[]
  }
  /** What the labels of this tenant make up of the address's fraudScore, 0 to 1; absent where nothing was labelled. */
  readonly localRate?: number
  /** Versions of the rules that decided, and what those in shadow would have said. */
  readonly rules: {
    readonly live: number
    readonly shadow?: Pick<DeviceReport, 'ruleAction' | 'appliedRules'> & { readonly version: number }
  }
}

export interface ReportParts {
  readonly analysis: Analysis
  readonly dfrId: string
  readonly params: Readonly<Record<string, unknown>>
  readonly tenantId: string
  readonly settings: AppSettings
}

/** Makes a report, and the visit that becomes part of the device's history; nothing is stored. */
export async function makeReport(
  { analysis, dfrId, params, tenantId, settings }: ReportParts,
  keys: TenantKeys,
  platform: Pick<Platform, 'database' | 'rules' | 'telecom' | 'localRates'>,
): Promise<{ report: MadeReport; visit: DeviceVisit | undefined }> {
  const { deviceId, network, updateInfo } = analysis
  const { now } = analysis.evidence
  const from = addressHashesOf(network, keys)
  const fired = firedSignals(analysis.judgement.verdicts)
  const visit: DeviceVisit | undefined =
    deviceId === undefined
      ? undefined
      : {
          tenantId,
          deviceHash: deviceHashOf(deviceId, keys),
          visitedAt: now,
          dfrId,
          ...personOf(updateInfo, keys),
          country: network?.ipLocation.country?.code ?? null,
          signals: fired.join(' '),
          ...(from ?? { prefixHash: null, addressHash: null }),
        }
  const rules = await platform.rules.current(tenantId)
  const digits = readTelecom(rules) ? digitsOf(updateInfo) : undefined
  const [past, localRate, number] = await Promise.all([
    visit && pastOf(visit, platform),
    from && platform.localRates.of(tenantId, from),
    digits === undefined ? undefined : knownOfNumber(digits, tenantId, platform),
  ])

  const known = knownOf(analysis, localRate)
  const session = sessionScore(fired, known.ipDetails?.fraudScore)
  const device = past ? deviceScore(session, past, now) : session
  const newDevice = analysis.newDevice ?? (past && past.firstVisitAt === undefined)
  const scores = { sessionRiskScore: session.score, deviceRiskScore: device.score }
  const input = ruleInputOf({ analysis, known, newDevice, ...scores, past, number, params, now })
  const { live, shadow } = rules
  const answer: DeviceReport = {
    ...reportDefaults,
    ...known,
    ...scores,
    ...(newDevice !== undefined && { newDevice }),
    ...asked(live, input),
    additionalData: additionalDataOf(params, analysis, settings),
  }
  const shadowed = shadow && { shadow: { version: shadow.version, ...asked(shadow, input) } }
  const suspect = suspectContributions(analysis.judgement.verdicts, analysis.platform)
  const grounds = {
    input,
    scores: { session, device, suspect },
    ...(localRate !== undefined && { localRate }),
    rules: { live: live.version, ...shadowed },
  }
  return { report: { answer, grounds }, visit }
}

function asked({ rules }: LoadedRules, input: RuleInput): Pick<DeviceReport, 'ruleAction' | 'appliedRules'> {
  const { ruleAction, appliedRules } = evaluate(rules, input)
  return { ruleAction, appliedRules }
}

/** What the app's owner wants to see again; a param counts before a key of `additionalInput` of the same name. */
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
