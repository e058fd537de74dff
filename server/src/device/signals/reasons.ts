// Which reasons speak for a verdict, and how strongly?

/** Something that speaks for a verdict, and how sure it alone makes of it: 0 to 1. */
export interface Reason {
  readonly text: string
  readonly weight: number
}

/** The reasons that hold, of a table of conditions; a condition that cannot be told does not hold. */
export function holding(
  table: readonly (readonly [holds: boolean | undefined, weight: number, text: string])[],
): Reason[] {
  return table.flatMap(([holds, weight, text]) => (holds ? [{ text, weight }] : []))
}

export const textsOf = (reasons: readonly Reason[]) => reasons.map(({ text, weight }) => `${text} (${weight})`)
