// Which reasons speak for a verdict, and how strongly?

/** A reason for a verdict. `weight`: 0 to 1, the probability of the verdict if this were the only reason. */
export interface Reason {
  readonly text: string
  readonly weight: number
}

/** The rows of a table whose condition is true; an unknown condition counts as false. */
export function holding(
  table: readonly (readonly [holds: boolean | undefined, weight: number, text: string])[],
): Reason[] {
  return table.flatMap(([holds, weight, text]) => (holds ? [{ text, weight }] : []))
}

export const textsOf = (reasons: readonly Reason[]) => reasons.map(({ text, weight }) => `${text} (${weight})`)
