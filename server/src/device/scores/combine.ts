// How do many reasons make one score? Each leaves its share of what the others left: 100·(1 − Π(1 − wᵢ)).

/** One reason for a score, as whoever investigates a case sees it. */
export interface Contribution {
  /** The signal, or what of the history. */
  readonly source: string
  /** 0 to 1: the probability of fraud that this reason alone would stand for. */
  readonly weight: number
  readonly because: string
}

/** 0 to 100, with one decimal; no order of the reasons changes it, and no number of weak ones exceeds 100. */
export function combined(contributions: readonly Contribution[]): number {
  const innocent = contributions.reduce((rest, { weight }) => rest * (1 - weight), 1)
  return Math.round((1 - innocent) * 1000) / 10
}
