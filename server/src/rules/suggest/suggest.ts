// Which rules would have caught the labelled fraud that no rule stops yet? Chosen on one half of the labelled sessions, measured on the other.

import { deviations, intervalOf } from '../backtests/confidence.ts'
import { compileCondition } from '../language/compile.ts'
import type { Action, Condition, Rule } from '../language/rule.ts'
import { printCondition } from '../language/text.ts'
import { candidatesFrom } from './candidates.ts'
import type { GroupedSession, LabelledSample } from './sample.ts'

/** What a condition does on the held-out half. */
export interface Measured {
  /** Sessions that it hits. */
  readonly bad: number
  readonly good: number
  /** The share of hits that are bad, 0–1. Its 95 % confidence interval counts each group of sessions once. */
  readonly precision: number
  readonly precisionRange: readonly [low: number, high: number]
  /** The share of bad sessions that it hits, 0–1. */
  readonly recall: number
  readonly recallRange: readonly [low: number, high: number]
  /** The least precision that holds for all suggestions together with 95 % confidence. */
  readonly leastPrecision: number
}

export interface Suggestion {
  readonly when: Condition
  readonly measured: Measured
  /** As a rule; absent when the held-out half does not confirm that it is better than chance. */
  readonly rule?: Rule
}

export interface Suggestions {
  /** Labelled sessions that the rules stop already (REVIEW, CHALLENGE, BLOCK). They are left out of everything else. */
  readonly stopped: { readonly bad: number; readonly good: number }
  /** The other labelled sessions, and groups of sessions that share a user, a number or a device. */
  readonly labelled: {
    readonly bad: number
    readonly good: number
    readonly badGroups: number
    readonly goodGroups: number
  }
  /** Why nothing can be suggested; then there are no suggestions. */
  readonly tooLittle?: string
  readonly candidates: number
  /** The share of bad among labelled sessions, 0–1: the precision of chance. */
  readonly baseRate: number
  /** In the order in which they were chosen. */
  readonly suggestions: readonly Suggestion[]
}

/** Of bad and of good groups, in both halves together: fewer make every interval too wide to choose by. */
const leastGroups = 40
/** A candidate must catch this many bad groups of the choosing half. */
const leastCaught = 5
/** Pairs are made of the best so many conditions. */
const pairedFrom = 12
const mostSuggestions = 10
/** Two conditions that hit the same sessions to this share are one. */
const mostOverlap = 0.9

export function suggest(sample: LabelledSample, velocities: readonly string[] = []): Suggestions {
  const { choosing, heldOut } = sample.halves()
  const { goodWeight } = sample
  const all = [...choosing, ...heldOut]
  const groupsOf = (isBad: boolean) =>
    new Set(all.filter((each) => each.isBad === isBad).map(({ group }) => group)).size
  const labelled = { ...sample.seen, badGroups: groupsOf(true), goodGroups: groupsOf(false) }
  const total = labelled.bad + labelled.good
  const baseRate = total === 0 ? 0 : labelled.bad / total
  const { stopped } = sample
  const none = { stopped, labelled, baseRate, candidates: 0, suggestions: [] }
  if (labelled.badGroups < leastGroups || labelled.goodGroups < leastGroups) {
    return { ...none, tooLittle: tooLittle(labelled) }
  }
  const singles = candidatesFrom(choosing, velocities).map((when) => tried(when, choosing, goodWeight))
  const best = ranked(singles, baseRate).slice(0, pairedFrom)
  const pairs = best.flatMap((one, index) =>
    best.slice(index + 1).flatMap((other) => {
      if (one.path === other.path) return []
      return [tried({ op: 'all', of: [one.when, other.when] }, choosing, goodWeight)]
    }),
  )
  const chosen = withoutAlike(ranked([...singles, ...pairs], baseRate)).slice(0, mostSuggestions)
  return {
    ...{ stopped, labelled, baseRate },
    candidates: singles.length + pairs.length,
    suggestions: chosen.map(({ when }, index) => {
      const measured = measure(when, heldOut, goodWeight)
      return {
        when,
        measured,
        ...(measured.leastPrecision > baseRate && { rule: ruleOf(when, measured, index + 1) }),
      }
    }),
  }
}

function tooLittle({ bad, good, badGroups, goodGroups }: Suggestions['labelled']): string {
  const few = badGroups < leastGroups ? 'bad' : 'good'
  return `${bad} sessions are labelled as bad and ${good} as good, of ${badGroups} and ${goodGroups} separate users or devices: rules can be chosen from ${leastGroups} ${few} ones on. Label more sessions.`
}

interface Tried {
  readonly when: Condition
  /** Of a single comparison. */
  readonly path: string
  readonly hits: Uint8Array
  /** The lower end of its interval. */
  readonly precision: number
  /** F-measure with twice the weight on precision (F0.5), with the lower bound of the precision. */
  readonly score: number
  readonly caught: number
}

function tried(when: Condition, sessions: readonly GroupedSession[], goodWeight: number): Tried {
  const holds = compileCondition(when)
  const hits = Uint8Array.from(sessions, ({ input }) => (holds(input) ? 1 : 0))
  const { precisionRange, recall } = measuredOf(sessions, hits, goodWeight)
  const [precision] = precisionRange
  const score = precision + recall === 0 ? 0 : (1.25 * precision * recall) / (0.25 * precision + recall)
  const caught = new Set(sessions.filter(({ isBad }, index) => isBad && hits[index]).map(({ group }) => group)).size
  return { when, path: 'path' in when ? when.path : '', hits, precision, score, caught }
}

const measure = (when: Condition, sessions: readonly GroupedSession[], goodWeight: number) =>
  measuredOf(sessions, tried(when, sessions, goodWeight).hits, goodWeight)

function measuredOf(sessions: readonly GroupedSession[], hits: Uint8Array, goodWeight: number): Measured {
  let [bad, good, allBad] = [0, 0, 0]
  const groups = { hit: new Set<number>(), bad: new Set<number>() }
  for (const [index, { isBad, group }] of sessions.entries()) {
    if (isBad) {
      allBad++
      groups.bad.add(group)
    }
    if (!hits[index]) continue
    groups.hit.add(group)
    if (isBad) bad++
    else good++
  }
  // Of a sample, a good session represents more or fewer sessions than a bad one.
  const weighted = (share: number) => share / (share + goodWeight * (1 - share))
  const share = bad + good === 0 ? 0 : bad / (bad + good)
  const [low, high] = intervalOf(share, groups.hit.size)
  const [least] = intervalOf(share, groups.hit.size, deviations.ofTen95)
  const recall = allBad === 0 ? 0 : bad / allBad
  return {
    ...{ bad, good, recall },
    precision: weighted(share),
    precisionRange: [weighted(low), weighted(high)],
    recallRange: intervalOf(recall, groups.bad.size),
    leastPrecision: weighted(least),
  }
}

const ranked = (all: readonly Tried[], baseRate: number) =>
  all.filter(({ caught, precision }) => caught >= leastCaught && precision > baseRate).sort((a, b) => b.score - a.score)

function withoutAlike(all: readonly Tried[]): Tried[] {
  const chosen: Tried[] = []
  for (const each of all) {
    if (chosen.length === mostSuggestions) break
    if (!chosen.some((other) => overlap(each.hits, other.hits) > mostOverlap)) chosen.push(each)
  }
  return chosen
}

/** Jaccard index of two sets of hits. */
function overlap(a: Uint8Array, b: Uint8Array): number {
  let [both, any] = [0, 0]
  for (let i = 0; i < a.length; i++) {
    both += a[i]! & b[i]!
    any += a[i]! | b[i]!
  }
  return any === 0 ? 0 : both / any
}

/** A stronger action needs a higher precision, even at the lower end of its interval. */
function ruleOf(when: Condition, { precisionRange: [low] }: Measured, number: number): Rule {
  const action: Action = low >= 0.9 ? 'BLOCK' : low >= 0.5 ? 'CHALLENGE' : 'WARN'
  return {
    id: `suggested-${number}`,
    name: nameOf(printCondition(when)),
    when,
    action,
    score: Math.round(100 * low),
  }
}

/** Names have at most 100 printable characters. */
function nameOf(text: string): string {
  const printable = text.replaceAll(/\p{Cc}/gu, ' ')
  return printable.length > 100 ? `${printable.slice(0, 99)}…` : printable
}
