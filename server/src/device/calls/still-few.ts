// Do the counts that an analysis was made with still hold in its commit? Visits that are held and pushed together were each counted alone.

import type { Core } from '../../core/core.ts'
import type { BatchStatement, Queryable } from '../../core/storage/database.ts'
import type { Changes } from '../analysis/changes.ts'
import { confidenceInCrowd, unlessCrowd } from '../identity/crowd.ts'
import type { AddedInstallation } from '../identity/installation-change.ts'
import { paceOf, unlessOverPace } from '../identity/pace.ts'
import { stages } from '../store/installations.ts'
import type { Learned } from './carried-analysis.ts'

type Counted = Pick<Learned, 'analysis' | 'changes'>

/** A condition of the commit, and what was learned when it fails. */
interface StillFew {
  readonly condition: BatchStatement
  readonly otherwise: (counted: Counted) => Counted
}

/** None for a device that is known, or that counts as one of many already. */
export function stillFew(
  { analysis, changes }: Counted,
  { clock, settings }: Pick<Core, 'clock' | 'settings'>,
): StillFew[] {
  const { tenantId, added } = changes.installation ?? {}
  const few: StillFew[] = []
  if (tenantId !== undefined && added?.bySimilarity && (added.confidence ?? 0) > confidenceInCrowd * 1000) {
    few.push({ condition: unlessCrowd(tenantId, added), otherwise: inCrowd })
  }
  const born = newDeviceIn(changes)
  if (!born) return few
  const pace = paceOf(analysis.network, settings)
  const isListed = added !== undefined && added.stage !== stages.unlisted
  const isWithin = pace.isPublic ? !analysis.identification?.crowded : isListed
  if (!isWithin) return few
  return [
    ...few,
    { condition: unlessOverPace(born, pace, clock.now()), otherwise: (its) => beyondPace(its, pace.isPublic) },
  ]
}

/** What was learned, when others were faster; undefined when all conditions hold. */
export async function countedAgain<T extends Counted>(
  counted: T,
  few: readonly StillFew[],
  database: Queryable,
): Promise<T | undefined> {
  let again: Counted | undefined
  for (const { condition, otherwise } of few) {
    const holds = (await database.query(condition.sql, condition.params)).length > 0
    if (!holds) again = otherwise(again ?? counted)
  }
  return again && { ...counted, ...again }
}

/** Only the installation or the id that makes a device has a network. */
function newDeviceIn({ installation, phoneIds = [] }: Changes): { network: number; at: number } | undefined {
  const { network, at } = installation?.added ?? phoneIds.find((its) => its.network !== undefined) ?? {}
  return network === undefined || at === undefined ? undefined : { network, at }
}

function inCrowd({ analysis, changes }: Counted): Counted {
  const { identification, confidence } = analysis
  const capped = (score: number) => Math.min(score, confidenceInCrowd)
  return {
    analysis: {
      ...analysis,
      ...(identification && { identification: { ...identification, confidence: capped(identification.confidence) } }),
      ...(confidence && { confidence: { ...confidence, score: capped(confidence.score) } }),
    },
    changes: withAdded(changes, { confidence: confidenceInCrowd * 1000 }),
  }
}

const beyondPace = ({ analysis, changes }: Counted, isPublic: boolean): Counted => ({
  analysis: {
    ...analysis,
    ...(isPublic && analysis.identification && { identification: { ...analysis.identification, crowded: true } }),
  },
  changes: withAdded(changes, { stage: stages.unlisted, keys: [] }),
})

function withAdded(changes: Changes, its: Partial<AddedInstallation>): Changes {
  const { installation } = changes
  if (!installation?.added) return changes
  return { ...changes, installation: { ...installation, added: { ...installation.added, ...its } } }
}
