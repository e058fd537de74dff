// POST /sdk/v1/device-fingerprint, the push: adds the integrator's params to an analysis and makes its report. (specification 4.7)

import { timingSafeEqual } from 'node:crypto'
import { type PushAnswer, PushRequest } from '@ringfence/contract'
import type { SessionCall } from '../../apps/call.ts'
import type { TenantKeys } from '../../core/crypto/keyring.ts'
import { Refusal } from '../../core/errors.ts'
import { JsonText } from '../../core/json/json-text.ts'
import { type BatchStatement, ConditionFailed, UniqueViolation } from '../../core/storage/database.ts'
import type { Analysis } from '../../device/analysis/analyse.ts'
import { statementsOf } from '../../device/analysis/changes.ts'
import { bodyHash } from '../../device/calls/body-hash.ts'
import { type CarriedAnalysis, carriedForMs, openCarried, renamed } from '../../device/calls/carried-analysis.ts'
import { checkCustomInput } from '../../device/calls/custom-input.ts'
import { countedAgain, stillFew } from '../../device/calls/still-few.ts'
import { type HistoryChange, historyStatements, isSameChange } from '../../device/history/history-change.ts'
import { storedSince } from '../../device/history/retention.ts'
import { visitOf } from '../../device/history/visit.ts'
import { currentDeviceId } from '../../device/store/device-aliases.ts'
import {
  type AnalysisColumns,
  type AnalysisKey,
  analysisInsert,
  findAnalysis,
  reportUpdate,
} from '../../device/store/device-analyses.ts'
import { dfrIdOf, underCurrentId } from '../../device/store/find-analysis.ts'
import { openRecord, type RecordedReport, sealRecord, textOfAnalysis } from '../../device/store/record.ts'
import { unlessErased, unlessMoved } from '../../device/store/still-so.ts'
import { type MadeReport, makeReport } from '../make.ts'
import type { SdkCallNeeds } from '../room.ts'
import { eventsOfReport } from './report-events.ts'

/** Rule 1 of 4.7: an integrator's params cannot override these. */
const reservedKeys = Object.keys(PushRequest.properties)

/**
 * The first push makes the report, and counts the analysis as a visit of the device. With a carried analysis it stores that too, in the
 * same commit. The same body repeated gets the same answer. Refuses with `sessionForeign` when the analysis is of another session, and
 * with `challengeUsed` when another body was pushed for it, or the carried analysis is too old or its challenge was used since.
 */
export async function pushFingerprint(
  body: PushRequest,
  call: SessionCall,
  needs: SdkCallNeeds,
): Promise<PushAnswer | JsonText<PushAnswer>> {
  const { app, session } = call
  const { requestId, data } = body
  if (data.requestId !== requestId) {
    throw new Refusal('fieldInvalid', { mistake: 'data.requestId must be the requestId of the body' })
  }
  const isOfSession = body.tsId === session.id && body.platform === session.platform && body.appId === app.id
  if (!isOfSession) throw new Refusal('sessionForeign')
  const keys = await needs.tenantKeyring.keysOf(app.tenantId)
  const key = { tenantId: app.tenantId, dfrId: dfrIdOf(requestId, keys) }
  const push: Push = { key, pushHash: bodyHash('push', body, keys), body, call, keys, needs }
  const carried = data.analysis === undefined ? 'stored' : carriedBy(data.analysis, push)
  return answerOf(carried === 'stored' ? await ofStored(push) : await ofCarried(carried, push), push)
}

interface Push {
  readonly key: AnalysisKey
  readonly pushHash: Uint8Array
  readonly body: PushRequest
  readonly call: SessionCall
  readonly keys: TenantKeys
  readonly needs: SdkCallNeeds
}

function carriedBy(sealed: string, { body: { requestId }, call, keys, needs }: Push) {
  const { app, session } = call
  const whose = { requestId, sessionId: session.id, appId: app.id, platform: session.platform }
  const { compression, deviceReport } = needs
  return deviceReport.handedOver.take(sealed, whose) ?? openCarried(sealed, requestId, call, keys, compression)
}

/** A report with the hash of its push. */
interface Pushed {
  readonly pushHash: Uint8Array
  readonly report: RecordedReport
}

/** Concurrent first pushes store one report, and all return it. */
async function ofStored(push: Push): Promise<Pushed> {
  const found = await findOfSession(push)
  if (!found) throw new Refusal('sessionForeign')
  if (found.pushed) return found.pushed
  const { key, pushHash, keys, needs } = push
  const { analysis, columns } = found
  const still = unlessErased(key.tenantId, analysis, keys)
  const report = await writeReport(analysis, columns, push, (made) => {
    const sealed = sealRecord({ analysis, report: made }, key, keys, needs.compression)
    return [...still, reportUpdate({ ...key, pushHash, sealed })]
  })
  return report ? { pushHash, report } : pushedBefore(push, await refusalOf(still, push))
}

/** Minutes after the engine call. What became of the device and of the person since is a condition of the commit. */
async function ofCarried(carried: CarriedAnalysis | 'foreign', push: Push): Promise<Pushed> {
  const { key, pushHash, keys, needs } = push
  if (carried === 'foreign') return pushedBefore(push, 'sessionForeign')
  const { analysis, text, changes, ...hashes } = carried
  const { now } = analysis.evidence
  if (needs.clock.now() > now + carriedForMs) return pushedBefore(push)
  const columns = { ...key, analysedAt: now, ...visitOf(analysis, keys) }
  const still = [...unlessErased(key.tenantId, analysis, keys), ...unlessMoved(key.tenantId, analysis)]
  const few = stillFew(carried, needs)
  const report = await writeReport(analysis, columns, push, (made) => {
    const sealed = sealRecord({ analysis, report: made }, key, keys, needs.compression, text)
    const conditions = [...still, ...few.map(({ condition }) => condition)]
    return [...conditions, analysisInsert({ ...columns, ...hashes, pushHash, sealed }), ...statementsOf(changes)]
  })
  if (report) return { pushHash, report }
  const found = await findOfSession(push)
  if (found?.pushed) return found.pushed
  const ids = await currentIdsOf(analysis, push)
  if (ids.size > 0) return ofCarried(renamed(carried, ids), push)
  const again = await countedAgain(carried, few, needs.database)
  if (again) return ofCarried({ ...again, text: textOfAnalysis(again.analysis) }, push)
  throw new Refusal(await refusalOf(still, push))
}

/** Of the device of an analysis, and of the one that it resembles: the ids that changed since. */
async function currentIdsOf(
  { deviceId, identification }: Analysis,
  { key, needs }: Push,
): Promise<Map<string, string>> {
  const ids = new Map<string, string>()
  for (const id of new Set([deviceId, identification?.likely?.deviceId])) {
    const current = id && (await currentDeviceId(needs.database, key.tenantId, id))
    if (id && current && current !== id) ids.set(id, current)
  }
  return ids
}

/** As if the analysis had been erased with its device or person. */
async function refusalOf(
  conditions: readonly BatchStatement[],
  { needs }: Push,
): Promise<'challengeUsed' | 'sessionForeign'> {
  for (const { sql, params } of conditions) {
    if ((await needs.database.query(sql, params)).length === 0) return 'sessionForeign'
  }
  return 'challengeUsed'
}

/** The answer to a push that was made before; otherwise refuses. */
async function pushedBefore(
  push: Push,
  otherwise: 'challengeUsed' | 'sessionForeign' = 'challengeUsed',
): Promise<Pushed> {
  const found = await findOfSession(push)
  if (!found?.pushed) throw new Refusal(otherwise)
  return found.pushed
}

/**
 * Makes the report of an analysis, and writes it with these statements and with the history of the device, in one commit. When
 * another visit changed the history first, the report is made again: on another server only, as those of one device take turns here.
 * Undefined when another call was first: with this push, the challenge, the request id or the counter of the App Attest key; and when one
 * of these statements fails as a condition.
 */
function writeReport(
  analysis: Analysis,
  columns: AnalysisColumns,
  push: Push,
  statementsWith: (report: RecordedReport) => readonly BatchStatement[],
): Promise<RecordedReport | undefined> {
  const write = () => writeAlone(analysis, columns, push, statementsWith)
  const { deviceHash } = columns
  if (!deviceHash) return write()
  return push.needs.deviceReport.pushes.run(Buffer.from(deviceHash).toString('latin1'), write)
}

async function writeAlone(
  ...[analysis, columns, push, statementsWith]: Parameters<typeof writeReport>
): Promise<RecordedReport | undefined> {
  let failed: HistoryChange | undefined
  const record = await push.needs.events.recorder(push.key.tenantId)
  for (;;) {
    const made = await reportOf(analysis, columns, push)
    const { report, historyChange, action, fired } = made
    if (failed && isSameChange(failed, historyChange)) return undefined
    const { call, needs } = push
    const events = eventsOfReport(made, { analysis, columns, call })
    const statements = [...statementsWith(report), ...historyStatements(historyChange), ...record(events)]
    if (!failed) needs.apps.storageBudget.take(call.app.id, call.address, statements)
    try {
      await needs.database.batch(statements)
      const { metrics } = push.needs
      metrics.count('reports', analysis.platform, action)
      for (const { id } of fired) metrics.count('rulesFired', id)
      return report
    } catch (error) {
      if (error instanceof UniqueViolation) return undefined
      if (!(error instanceof ConditionFailed)) throw error
      failed = historyChange
    }
  }
}

interface Found {
  readonly analysis: Analysis
  readonly columns: AnalysisColumns
  readonly pushed?: Pushed
}

/** Undefined when there is no stored analysis. Refuses with `sessionForeign` one of another session. */
async function findOfSession({ key, call, keys, needs }: Push): Promise<Found | undefined> {
  const { compression, database, clock, settings } = needs
  const stored = await findAnalysis(database, key, storedSince(clock.now(), settings))
  if (!stored) return undefined
  const { analysis: asAnalysed, report } = openRecord(stored, keys, compression)
  const analysis = await underCurrentId(asAnalysed, stored, { database, keys })
  if (analysis.sessionId !== call.session.id) throw new Refusal('sessionForeign')
  const { pushHash } = stored
  const columns = { ...key, analysedAt: stored.analysedAt, ...visitOf(analysis, keys) }
  return { analysis, columns, ...(pushHash && report && { pushed: { pushHash, report } }) }
}

function reportOf(analysis: Analysis, visit: AnalysisColumns, { body, call, needs }: Push): Promise<MadeReport> {
  const params = Object.fromEntries(Object.entries(body).filter(([name]) => !reservedKeys.includes(name)))
  checkCustomInput(analysis.updateInfo.additionalInput, params)
  return makeReport({ analysis, visit, params, settings: call.app.settings }, needs)
}

function answerOf(
  { pushHash, report }: Pushed,
  { key: { dfrId }, pushHash: ofThisPush, call }: Push,
): PushAnswer | JsonText<PushAnswer> {
  if (!timingSafeEqual(pushHash, ofThisPush)) throw new Refusal('challengeUsed')
  if (!call.app.settings.revealReport) return { dfrId }
  return new JsonText(`{"dfrId":"${dfrId}","intelligenceResponse":${report.answer.text}}`)
}
