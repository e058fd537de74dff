// What did a rule do lately? Figures of seven days against the seven before, and of thirty.

import type { RuleFigures } from '../../api/types.ts'

type OfRule = RuleFigures['rules'][number]

export interface Figures extends Pick<OfRule, 'byDay' | 'decided' | 'bad' | 'good' | 'goodStopped' | 'overturned'> {
  /** Decisions in which it fired: in seven days, in the seven before, and in thirty. */
  readonly week: number
  readonly weekBefore: number
  readonly month: number
  /** Bad ones among those with a label; undefined without a label. */
  readonly badShare: number | undefined
}

/** Of a rule that never fired. */
export const none: OfRule = { rule: '', byDay: [], decided: 0, bad: 0, good: 0, goodStopped: 0, overturned: 0 }
const sum = (days: readonly number[]) => days.reduce((all, day) => all + day, 0)

export function figuresOf({ byDay, decided, bad, good, goodStopped, overturned }: OfRule): Figures {
  return {
    ...{ byDay, decided, bad, good, goodStopped, overturned },
    week: sum(byDay.slice(-7)),
    weekBefore: sum(byDay.slice(-14, -7)),
    month: sum(byDay),
    badShare: bad + good === 0 ? undefined : bad / (bad + good),
  }
}

/** Change of a week against the one before; undefined where nothing fired before. */
export const changeOf = ({ week, weekBefore }: Pick<Figures, 'week' | 'weekBefore'>): number | undefined =>
  weekBefore === 0 ? undefined : week / weekBefore - 1
