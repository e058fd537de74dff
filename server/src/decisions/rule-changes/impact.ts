// Would these rules block everybody? Replays the last stored decisions, and looks for a condition that is always true.

import { blocksEverybody } from '../../rules/editing/findings.ts'
import type { RuleSet } from '../../rules/language/rule.ts'
import { type ReplayResources, replayDecisions } from './replay.ts'

/** `blocksEverybody`: some rule that blocks fires for every session. `blocksMany`: of the last decisions. */
export type Warning =
  | { readonly kind: 'blocksEverybody' }
  | { readonly kind: 'blocksMany'; readonly newlyBlocked: number; readonly decisions: number }
  /** No decision is stored, or too few, so what the rules would do was not measured. */
  | { readonly kind: 'notMeasured'; readonly decisions: number }
  /** Was never in shadow or live. */
  | { readonly kind: 'untried' }

export interface Impact {
  readonly decisions: number
  /** Blocked by these rules and not by the live ones. Requirements count too, here and below. */
  readonly newlyBlocked: number
  /** Challenged by these rules, and let through by the live ones. */
  readonly newlyChallenged: number
  /** The other way round. */
  readonly noLongerBlocked: number
  readonly warnings: Warning[]
}

/** Whether a second person has to agree, whatever the policy of the tenant. */
export const isGrave = ({ kind }: Warning): boolean => kind === 'blocksEverybody' || kind === 'blocksMany'

/** The last decisions of the tenant that are replayed. */
const replayedDecisions = 2_000
/** More of them newly blocked is a warning. */
const mostNewlyBlocked = 0.05
/** A share of fewer says nothing: a rule made from the only decision blocks all of them. */
const fewestDecisions = 20

export async function impactOf(
  resources: ReplayResources,
  tenantId: string,
  { rules, live, wasTried }: { rules: RuleSet; live: RuleSet; wasTried: boolean },
  signal?: AbortSignal,
): Promise<Impact> {
  const { all, changes } = await replayDecisions(resources, tenantId, {
    rules,
    against: live,
    newest: replayedDecisions,
    ...(signal && { signal }),
  })
  const decisions = all.reports
  const sum = (counted: typeof changes) => counted.reduce((total, { tally }) => total + tally.reports, 0)
  const newlyBlocked = sum(changes.filter(({ to }) => to === 'BLOCK'))
  const isBlockedAlready = blocksEverybody(live)
  const warnings: Warning[] = [
    ...(blocksEverybody(rules) && !isBlockedAlready ? [{ kind: 'blocksEverybody' } as const] : []),
    ...(decisions < fewestDecisions
      ? [{ kind: 'notMeasured', decisions } as const]
      : newlyBlocked > decisions * mostNewlyBlocked
        ? [{ kind: 'blocksMany', newlyBlocked, decisions } as const]
        : []),
    ...(wasTried ? [] : [{ kind: 'untried' } as const]),
  ]
  return {
    ...{ decisions, newlyBlocked, warnings },
    newlyChallenged: sum(changes.filter(({ from, to }) => to === 'CHALLENGE' && from !== 'BLOCK')),
    noLongerBlocked: sum(changes.filter(({ from }) => from === 'BLOCK')),
  }
}
