// How do many reasons make one score? Each takes its share of what the others left: 1 − Π(1 − wᵢ).

/** One reason for a score, as shown to whoever investigates a case. */
export interface Contribution {
  /** A weight of the signals, or a part of the device's history. */
  readonly source: string
  /** 0 to 1: the probability of fraud if this were the only reason. */
  readonly weight: number
  readonly because: string
}

/** 0 to `full`, in thousandths of it. The order of the reasons does not matter, and many weak ones never exceed `full`. */
export function combined(reasons: readonly { readonly weight: number }[], full = 1): number {
  const innocent = reasons.reduce((rest, { weight }) => rest * (1 - weight), 1)
  return Math.round((1 - innocent) * 1000) / (1000 / full)
}
