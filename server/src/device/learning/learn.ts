// What does a tenant's own traffic teach? Learns from one half of its devices, judges by the other half.

import type { Core } from '../../core/core.ts'
import { type Family, families } from '../identity/components.ts'
import { unpacked } from '../identity/fingerprint.ts'
import { provenInstallations, type Quality, type QualityOptions, qualityOf } from '../identity/quality.ts'
import { accountsOfDevice } from '../store/account-devices.ts'
import { claimLearning, putLearning } from '../store/device-learning.ts'
import { halfOf } from './halves.ts'
import { provenPairs } from './proven-pairs.ts'
import { type Learned, type Shifts, type Sureness, shiftsOf, stepTowards } from './shifts.ts'
import { modelsWith } from './tenant-models.ts'

/** Fewer proven pairs to learn from, or installations to judge by, say nothing. */
export const least = 100
/** Confidences of a family and share of facts count like this many answers before. */
const priorAnswers = 50
/** The odds of a confidence change at most by this factor. */
const mostOdds = 2

type Options = Pick<QualityOptions, 'since' | 'limit' | 'signal'>
type Services = Pick<Core, 'database' | 'tenantKeyring'>

export interface Lesson extends Learned {
  /** Installations that counted. */
  readonly pairs: number
}

/** Reads only. */
export async function learnFrom(tenantId: string, options: Options, services: Services): Promise<Lesson> {
  const { since, limit, signal } = options
  const { counts, add } = provenPairs()
  let read = 0
  for await (const row of provenInstallations(tenantId, since, services)) {
    signal?.throwIfAborted()
    if (read === limit) break
    if (halfOf(row.deviceId) !== 'learned') continue
    read++
    add({
      fingerprint: unpacked(row.fingerprint),
      firstSeenAt: row.firstSeenAt,
      lastSeenAt: row.lastSeenAt,
      accounts: await accountsOfDevice(services.database, row.deviceId),
    })
  }
  const shifts = Object.fromEntries(families.map((family) => [family, shiftsOf(family, counts[family])])) as Shifts
  const models = modelsWith({ shifts, sureness: {} }, 0)
  const { shares } = await qualityOf(tenantId, { ...options, half: 'learned', models }, services)
  return {
    pairs: families.reduce((sum, family) => sum + counts[family].pairs, 0),
    shifts,
    sureness: surenessOf(shares),
  }
}

/** By how much confidences must change so that they are right as often as they say. */
function surenessOf(shares: Quality['shares']): Sureness {
  const its: Partial<Record<Family, Record<string, number>>> = {}
  for (const { family, completeness, decisions, said, right } of shares) {
    if (decisions === 0) continue
    const expected = said / decisions
    const found = (right + priorAnswers * expected) / (decisions + priorAnswers)
    const most = Math.log(mostOdds)
    const nats = Math.max(-most, Math.min(most, logit(found) - logit(expected)))
    its[family] = { ...its[family], [completeness]: Math.round(nats * 1000) / 1000 + 0 }
  }
  return its
}

const logit = (probability: number) => {
  const bounded = Math.min(0.9999, Math.max(0.0001, probability))
  return Math.log(bounded / (1 - bounded))
}

export interface Judgement {
  readonly before: Quality
  readonly after: Quality
}

/** How good the weights of the release and the learned ones are on devices that nothing was learned from. */
export async function judge(
  tenantId: string,
  learned: Learned,
  options: Options,
  services: Services,
): Promise<Judgement> {
  const half = { ...options, half: 'judged' } as const
  const before = await qualityOf(tenantId, half, services)
  return { before, after: await qualityOf(tenantId, { ...half, models: modelsWith(learned, 0) }, services) }
}

/** Why learned weights must not be used; undefined when they may be. */
export function worseBecause({ pairs }: Pick<Lesson, 'pairs'>, { before, after }: Judgement): string | undefined {
  if (pairs < least) return `only ${pairs} proven returns count of ${least} that are needed`
  if (before.installations < least)
    return `only ${before.installations} installations to judge by of ${least} that are needed`
  const merges = ({ returns, firstVisits }: Quality) => returns.otherDevice + firstVisits.otherDevice
  if (merges(after) > merges(before)) return `${merges(after)} merges instead of ${merges(before)}`
  const [found, foundNow] = [before.returns.ownDevice, after.returns.ownDevice]
  return foundNow < found ? `${foundNow} returns are found instead of ${found}` : undefined
}

const dayMs = 86_400_000
/** Installations read at one time, of the half that is learned from; in the order of random ids. */
export const mostRead = 5000
const mostJudged = 500
export const sinceDays = 30

/** Maintenance: one tenant at a time, each once a day; in bounded steps, and only what judges no worse. */
export async function learnWhenDue({
  database,
  tenantKeyring,
  clock,
}: Pick<Core, 'database' | 'tenantKeyring' | 'clock'>) {
  const now = clock.now()
  const row = await claimLearning(database, now - dayMs, now)
  if (!row) return
  const services = { database, tenantKeyring }
  const since = now - sinceDays * dayMs
  const lesson = await learnFrom(row.tenantId, { since, limit: mostRead }, services)
  const learned = { shifts: steps(row.learned.shifts, lesson.shifts), sureness: lesson.sureness }
  if (JSON.stringify(learned) === JSON.stringify(row.learned)) return
  const judgement = await judge(row.tenantId, learned, { since, limit: mostJudged }, services)
  if (worseBecause(lesson, judgement) !== undefined) return
  await putLearning(database, row.tenantId, { state: 'used', learned, learnedAt: now }, row.revision)
}

const steps = (from: Shifts, to: Shifts): Shifts =>
  Object.fromEntries(families.map((family) => [family, stepTowards(from[family] ?? {}, to[family] ?? {}, family)]))
