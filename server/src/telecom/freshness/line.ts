// Did the line behind a number change? After a port, another SIM, device or subscriber, answers that were given before are not reused.

/** The name of the row that says when a change was learned, and of which operator the stored answers are. */
export const lineName = 'line'

/** What is remembered of a line beside its answers. */
export interface LineState {
  /** The id of the operator that gave the stored answers; absent: it was not known. */
  readonly operator?: string
  /** Since then portability sources state this operator. Absent: their answers count like those of operators. */
  readonly portabilitySince?: number
  /** The change that a check found without a date had happened by then. */
  readonly changedBy?: Readonly<Partial<Record<string, number>>>
}

/** Whether the number is with another operator now than when its answers were stored. Operators are compared by id. */
export const isOtherOperator = (line: LineState, operator: string | undefined): boolean =>
  operator !== undefined && line.operator !== operator

/** What an answer says of changes of the line. Times are epoch milliseconds. */
export interface Observation {
  /** The check that was answered. */
  readonly check: string
  readonly isChange: boolean
  /** The answer is about what happened since then. */
  readonly since: number
  /** When it last changed, where the operator says so. */
  readonly changedAt?: number
}

const hourMs = 3_600_000
/** By how much the clock of an operator may differ. */
const skewMs = hourMs / 10

/** What an answer with a window, or with the day since when, says at this time. */
export function observationOf(check: string, isChange: boolean, answer: object, now: number): Observation {
  const { maxAgeHours, since, latestChange } = answer as Record<string, unknown>
  const changedAt = typeof latestChange === 'string' ? Date.parse(latestChange) : Number.NaN
  return {
    ...{ check, isChange },
    since: typeof maxAgeHours === 'number' ? now - maxAgeHours * hourMs : Date.parse(String(since ?? '1970-01-01')),
    ...(!Number.isNaN(changedAt) && { changedAt }),
  }
}

export interface LineRow {
  /** Answers of before are outdated. */
  readonly changedAt: number
  readonly state: LineState
}

/**
 * What is new in an observation; undefined: nothing. The same old change is found again and again while the window reaches back to it,
 * and that must not end the reuse of answers that were given after it.
 */
export function lineAfter(
  { state, changedAt: before }: LineRow,
  { check, isChange, since, changedAt }: Observation,
  now: number,
): LineRow | undefined {
  const { portabilitySince: _, ...rest } = state
  const changedBy = state.changedBy?.[check]
  const changed = (by: number) => ({ ...rest, changedBy: { ...state.changedBy, [check]: by } })
  if (!isChange) {
    // What was found before happened before this window, so another change within it will be new.
    if (changedBy === undefined || changedBy <= since) return undefined
    return { changedAt: before, state: { ...state, changedBy: { ...state.changedBy, [check]: since } } }
  }
  if (changedAt !== undefined) {
    const at = Math.min(now, changedAt + skewMs)
    return at > before ? { changedAt: at, state: rest } : undefined
  }
  return changedBy !== undefined && since <= changedBy ? undefined : { changedAt: now, state: changed(now) }
}
