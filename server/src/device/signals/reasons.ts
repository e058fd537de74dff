// How do reasons of different weight add up? Each is taken as an independent reason to doubt.

/** Something that speaks for a verdict, and how sure it alone makes of it: 0 to 1. */
export interface Reason {
  readonly text: string
  readonly weight: number
}

/** 1 − Π(1 − wᵢ): 0 without reasons, never over 1, and no single weak reason decides. */
export function combined(reasons: readonly Reason[]): number {
  const doubt = 1 - reasons.reduce((rest, { weight }) => rest * (1 - weight), 1)
  return Math.round(doubt * 1000) / 1000
}

/** The reasons that hold, of a table of conditions; a condition that cannot be told does not hold. */
export function holding(
  table: readonly (readonly [holds: boolean | undefined, weight: number, text: string])[],
): Reason[] {
  return table.flatMap(([holds, weight, text]) => (holds ? [{ text, weight }] : []))
}

export const textsOf = (reasons: readonly Reason[]) => reasons.map(({ text, weight }) => `${text} (${weight})`)
