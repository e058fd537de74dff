// Did the line behind a number change? After a port, another SIM, device or subscriber, answers that were given before are not reused.

/** The name of the row that says when a change was learned, and of which operator the stored answers are. */
export const lineName = 'line'

/** What is remembered of a line beside its answers. */
export interface LineState {
  /** The id of the operator that gave the stored answers; absent: it was not known. */
  readonly operator?: string
}

/** Whether the number is with another operator now than when its answers were stored. Operators are compared by id. */
export const isOtherOperator = (line: LineState, operator: string | undefined): boolean =>
  operator !== undefined && line.operator !== operator
