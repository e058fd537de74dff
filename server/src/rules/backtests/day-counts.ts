// What would rules have done on each day? Counts the actions of a backtest by day, in UTC.

import { type Action, actions } from '../language/rule.ts'

export interface DayResult {
  /** Such as 2026-11-23. */
  readonly day: string
  reports: number
  /** Number of reports with each action. */
  readonly byAction: Record<Action, number>
  /** The same for the rules to compare with; absent without them. */
  readonly before?: Record<Action, number>
}

const dayMs = 86_400_000
const none = () => Object.fromEntries(actions.map((action) => [action, 0])) as Record<Action, number>

/** The actions of a backtest by day; with `compares`, also those of the rules to compare with. */
export class DayCounts {
  readonly #days = new Map<number, DayResult>()
  readonly #compares: boolean

  constructor(compares: boolean) {
    this.#compares = compares
  }

  /** `at`: epoch milliseconds; nothing is counted without it. `before`: the action of the rules to compare with. */
  add(at: number | undefined, action: Action, before: Action | undefined): void {
    if (at === undefined) return
    const number = Math.floor(at / dayMs)
    const day = this.#days.get(number) ?? this.#newDay(number)
    day.reports++
    day.byAction[action]++
    if (before !== undefined && day.before) day.before[before]++
  }

  /** In the order of the days. */
  result(): DayResult[] {
    return [...this.#days].toSorted(([a], [b]) => a - b).map(([, day]) => day)
  }

  #newDay(number: number): DayResult {
    const day = {
      day: new Date(number * dayMs).toISOString().slice(0, 10),
      ...{ reports: 0, byAction: none() },
      ...(this.#compares && { before: none() }),
    }
    this.#days.set(number, day)
    return day
  }
}
