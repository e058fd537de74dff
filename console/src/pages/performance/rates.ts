// Which rates do the counts of a period make? A rate of nothing is not known.

import type { Performance } from '../../api/types.ts'
import type { RateName } from './search.ts'

export type Figures = Performance['current']

const share = (part: number, whole: number) => (whole === 0 ? undefined : part / whole)
/** Fewer labels make no rate: one alone would be 0 or 100 %. */
const fewestLabels = 10
const shareOfLabels = (part: number, whole: number) => (whole < fewestLabels ? undefined : share(part, whole))
const sumOf = (counts: Readonly<Record<string, number | undefined>>) =>
  Object.values(counts).reduce<number>((sum, count) => sum + (count ?? 0), 0)

export const decisionsOf = ({ decisions }: Figures): number => sumOf(decisions)
export const labelledOf = ({ labels }: Figures): number => sumOf(labels)

/** Those of the last minutes may still be passed. */
const endedChallengesOf = ({ challengesPassed, challengesFailed, challengesExpired }: Figures) =>
  challengesPassed + challengesFailed + challengesExpired

/** What a rate of labels rests on: so many of so many. */
export const labelCounts = {
  fraud: (figures: Figures) => [labelledOf(figures) - (figures.labels.legitimate ?? 0), labelledOf(figures)] as const,
  falsePositives: ({ goodStopped, labels }: Figures) => [goodStopped, labels.legitimate ?? 0] as const,
}

/** `isOfLabels`: it changes for two weeks, since labels arrive late. `isGood`: more is better. */
export const rates: Readonly<
  Record<
    RateName,
    { readonly of: (figures: Figures) => number | undefined; readonly isOfLabels: boolean; readonly isGood: boolean }
  >
> = {
  approval: {
    of: (figures) => share((figures.decisions.ALLOW ?? 0) + (figures.decisions.WARN ?? 0), decisionsOf(figures)),
    isOfLabels: false,
    isGood: true,
  },
  challenges: {
    of: (figures) => share(figures.challengesPassed, endedChallengesOf(figures)),
    isOfLabels: false,
    isGood: true,
  },
  fraud: {
    of: (figures) => shareOfLabels(...labelCounts.fraud(figures)),
    isOfLabels: true,
    isGood: false,
  },
  falsePositives: {
    of: (figures) => shareOfLabels(...labelCounts.falsePositives(figures)),
    isOfLabels: true,
    isGood: false,
  },
}

/** In points, to one decimal; undefined when one of both is not known. */
export function changeOf(now: number | undefined, before: number | undefined): number | undefined {
  if (now === undefined || before === undefined) return undefined
  return Math.round((now - before) * 1000) / 10
}

/** The runs of points that are known: a line has a gap where nothing is. */
export function runsOf(
  points: readonly (number | undefined)[],
): { readonly from: number; readonly values: readonly number[] }[] {
  const runs: { from: number; values: number[] }[] = []
  points.forEach((value, index) => {
    if (value === undefined) return
    if (index > 0 && points[index - 1] !== undefined) runs.at(-1)!.values.push(value)
    else runs.push({ from: index, values: [value] })
  })
  return runs
}
