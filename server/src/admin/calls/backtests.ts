// /admin/v1/rules/backtests…: what would a version have decided?

import type {
  Backtest,
  BacktestIdRequest,
  CancelledBacktest,
  NoFields,
  Backtests as ShownBacktests,
  StartBacktestRequest,
} from '@ringfence/contract'
import { type BacktestJob, Backtests } from '../../decisions/rule-changes/backtests.ts'
import type { BacktestResult, Precision, Tally } from '../../rules/backtests/backtest.ts'
import type { ActorCall } from '../call.ts'
import { refuseToTryRules } from '../masking/in-clear.ts'
import type { AdminNeeds } from '../room.ts'
import { isoTime } from './iso-time.ts'
import { knownVersion } from './rule-editing.ts'

const usualDays = 30

/** Refuses with `permissionMissing` who may not read in clear what rules compare. */
export async function adminStartBacktest(
  { version, against, days = usualDays }: StartBacktestRequest,
  { actor }: ActorCall,
  needs: AdminNeeds,
): Promise<Backtest> {
  refuseToTryRules(actor)
  const { tenantId, name } = actor
  const live = against ?? (await needs.rules.current(tenantId)).live.version
  for (const each of [version, live]) await knownVersion(needs.rules, tenantId, each)
  return shown(await new Backtests(needs).start(tenantId, { version, against: live, days }, name))
}

export async function adminListBacktests(
  _: NoFields,
  { actor: { tenantId } }: ActorCall,
  needs: AdminNeeds,
): Promise<ShownBacktests> {
  return { backtests: (await new Backtests(needs).list(tenantId)).map(shown) }
}

export async function adminReadBacktest(
  { backtestId }: BacktestIdRequest,
  { actor: { tenantId } }: ActorCall,
  needs: AdminNeeds,
): Promise<Backtest> {
  return shown(await new Backtests(needs).read(tenantId, backtestId))
}

export async function adminCancelBacktest(
  { backtestId }: BacktestIdRequest,
  { actor: { tenantId } }: ActorCall,
  needs: AdminNeeds,
): Promise<CancelledBacktest> {
  return { cancelled: await new Backtests(needs).cancel(tenantId, backtestId) }
}

function shown({ id, startedAt, result, ...job }: BacktestJob): Backtest {
  return { backtestId: id, startedAt: isoTime(startedAt), ...job, ...(result && { result: shownResult(result) }) }
}

function shownResult(result: BacktestResult): NonNullable<Backtest['result']> {
  const { all, byAction, precision, recall, rules, required, changes, days, operatorCalls } = result
  const counts = Object.entries(byAction).map(([action, { reports }]) => [action, reports])
  return {
    all: tally(all),
    byAction: Object.fromEntries(counts) as NonNullable<Backtest['result']>['byAction'],
    ...(precision && { precision: shownPrecision(precision) }),
    ...(recall !== undefined && { recall }),
    required: {
      decisions: tally(required.tally),
      byPart: Object.fromEntries(Object.entries(required.byPart).map(([part, counted]) => [part, tally(counted)])),
    },
    rules: rules.map(({ id, name, action, hits, decisive, precision: ofRule, recall: recallOfRule, examples }) => ({
      ...{ id, name, action, fired: tally(hits), decided: decisive, examples },
      ...(ofRule && { precision: shownPrecision(ofRule) }),
      ...(recallOfRule !== undefined && { recall: recallOfRule }),
    })),
    changes: changes.map(({ from, to, tally: counted, examples }) => ({
      from,
      to,
      decisions: tally(counted),
      examples,
    })),
    days: days.map(({ day, byAction: ofDay, before }) => ({ day, byAction: ofDay, ...(before && { before }) })),
    operatorCalls: operatorCalls ?? { now: {} },
  }
}

const tally = ({ reports, bad, good }: Tally) => ({ decisions: reports, bad, good })
const shownPrecision = ({ share, range: [low, high] }: Precision) => ({ share, low, high })
