// What did recognition learn from a tenant's own traffic, and is it used? Each change gets a line in the audit log.

import { appendAuditLine } from '@ringfence/server/admin/audit/chain.ts'
import { systemClock } from '@ringfence/server/core/clock.ts'
import type { Quality } from '@ringfence/server/device/identity/quality.ts'
import type { Judgement, Lesson } from '@ringfence/server/device/learning/learn.ts'
import {
  findLearning,
  type LearningRow,
  type LearningState,
  putLearning,
} from '@ringfence/server/device/store/device-learning.ts'
import { CommandFailed } from '../failure.ts'
import type { Store } from '../store.ts'
import { table } from '../table.ts'
import { userName } from '../user-name.ts'
import { calibrationError, percent, share } from './shares.ts'

export interface Learning extends Judgement {
  readonly state: LearningState
  readonly revision: number
  /** Proven returns that counted. */
  readonly pairs: number
  /** Why what was learned must not be used. */
  readonly worse?: string
}

interface Changed {
  readonly state: LearningState
  readonly revision: number
  readonly text: string
}

const actions = { use: 'useLearnedWeights', freeze: 'freezeLearnedWeights', reset: 'resetLearnedWeights' } as const
const nothing = { shifts: {}, sureness: {} }

/** `taught`: for `use`. */
export async function changeLearning(
  change: keyof typeof actions,
  tenantId: string,
  { database, tenantKeyring }: Store,
  taught?: { readonly lesson: Lesson; readonly learning: Learning },
): Promise<Changed> {
  const before = await findLearning(database, tenantId)
  const after = stateAfter(change, before, taught)
  const at = systemClock.now()
  const keys = await tenantKeyring.keysOf(tenantId)
  const revision = (before?.revision ?? 0) + 1
  const details = { name: userName(), revision, before: before?.state ?? 'off' }
  await database.transaction(async (tx) => {
    const stored = await putLearning(tx, tenantId, { ...after, learnedAt: at }, before?.revision ?? 0)
    if (!stored) throw new CommandFailed('the learned weights changed meanwhile: run the command again')
    await appendAuditLine(tx, { tenantId, at, actor: `command:${userName()}`, action: actions[change], details }, keys)
  })
  return {
    state: after.state,
    revision,
    text: `${texts[change]} Servers follow within ten seconds (revision ${revision}).`,
  }
}

const texts = {
  use: 'The learned weights are used from now on, and learning goes on once a day.',
  freeze: 'The learned weights are used as they are. Learn again with --use.',
  reset: 'The weights of the release are used again. What was learned is deleted.',
}

function stateAfter(
  change: keyof typeof actions,
  before: LearningRow | undefined,
  taught: { readonly lesson: Lesson; readonly learning: Learning } | undefined,
): Pick<LearningRow, 'state' | 'learned'> {
  if (change === 'reset') return { state: 'off', learned: nothing }
  if (change === 'freeze') {
    if (!before || before.state === 'off')
      throw new CommandFailed('no learned weights are used: use them first, with --use')
    return { state: 'frozen', learned: before.learned }
  }
  const { lesson, learning } = taught!
  if (learning.worse !== undefined)
    throw new CommandFailed(`the learned weights must not be used: ${learning.worse}. Nothing was changed`)
  return { state: 'used', learned: { shifts: lesson.shifts, sureness: lesson.sureness } }
}

const stateTexts: Readonly<Record<LearningState, string>> = {
  off: 'not used; --use turns them on',
  used: 'in use, and learning goes on; --freeze or --reset',
  frozen: 'in use, frozen; --use learns again, --reset goes back',
}

export function learningText({ state, revision, pairs, before, after, worse }: Learning): string {
  const judged = before.installations
  const row = (title: string, { returns, firstVisits, calibration }: Quality) => [
    ...[title, share(returns.ownDevice, judged), share(returns.newDevice, judged), share(returns.otherDevice, judged)],
    ...[share(firstVisits.otherDevice, judged), calibrationError(calibration).toFixed(3)],
  ]
  const bins = before.calibration.map((bin, index) => [bin, after.calibration[index]!] as const)
  const cells = ({ decisions, said, right }: Quality['calibration'][number]) =>
    decisions === 0 ? ['0', '', ''] : [String(decisions), percent(said, decisions), percent(right, decisions)]
  return [
    `Learned weights: ${stateTexts[state]}${state === 'off' ? '' : ` (revision ${revision})`}. ${pairs} proven returns of one half of the devices count, one of each account and network.
Judged by the other half, ${judged} installations:`,
    table(
      ['WEIGHTS', 'RETURNS FOUND', 'SPLIT', 'MERGED', 'FIRST VISITS MERGED', 'CALIBRATION ERROR'],
      [row('of the release', before), row('learned', after)],
    ),
    table(
      ['CONFIDENCE', 'BEFORE', 'SAID', 'RIGHT', 'AFTER', 'SAID', 'RIGHT'],
      bins
        .filter((pair) => pair.some(({ decisions }) => decisions > 0))
        .map(([was, is]) => [`from ${was.from.toFixed(2)}`, ...cells(was), ...cells(is)]),
    ),
    ...(worse === undefined ? [] : [`They must not be used: ${worse}.`]),
  ].join('\n\n')
}
