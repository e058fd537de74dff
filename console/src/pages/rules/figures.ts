// What did a rule do lately? Figures of seven days against the seven before, and of thirty.

import type { RuleFigures, RuleShadowComparison } from '../../api/types.ts'

type OfRule = RuleFigures['rules'][number]

export interface Figures extends Pick<OfRule, 'byDay' | 'decided' | 'bad' | 'good' | 'goodStopped' | 'overturned'> {
  /** Decisions in which it fired: in seven days, in the seven before, and in thirty. */
  readonly week: number
  readonly weekBefore: number
  readonly month: number
  /** Bad ones among those with a label; undefined without a label. */
  readonly badShare: number | undefined
  /** What it would have done; absent where the live version has the rule as it is here. */
  readonly shadow?: InShadow
  /** Absent until it is known whether it is in shadow. */
  readonly isSilent?: boolean
}

/** Of the last decisions that the version in shadow saw. */
export interface InShadow {
  readonly decisions: number
  readonly fired: number
  /** Of these, decisions that would have had another action. */
  readonly otherwise: number
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

/** A rule that is only in shadow decides nothing: it is silent when it would not have fired either, and that is known. */
export const isSilent = ({ week, shadow }: Pick<Figures, 'week' | 'shadow'>): boolean =>
  shadow ? shadow.decisions > 0 && shadow.fired === 0 : week === 0

/** @param compared undefined until it is read; what was measured is known before */
export function withShadow(
  figures: Figures,
  ruleId: string,
  shown: number | undefined,
  compared: RuleShadowComparison | undefined,
): Figures {
  if (!compared) return figures
  const shadow = inShadowOf(ruleId, shown, compared)
  const known = { ...figures, ...(shadow && { shadow }) }
  return { ...known, isSilent: isSilent(known) }
}

/** Of a rule that is new in the version in shadow, and of one that changes there where that version is shown. */
export function inShadowOf(
  ruleId: string,
  shown: number | undefined,
  { version, decisions, rules = [] }: RuleShadowComparison,
): InShadow | undefined {
  const found = rules.find(({ rule, isNew }) => rule === ruleId && (isNew || shown === version))
  return found && { decisions, fired: found.fired, otherwise: found.otherwise }
}
