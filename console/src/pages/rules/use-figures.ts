// Which figures has a rule? Read once a minute at most, for all rules.

import { useRead } from '../../api/use-call.ts'
import { type Figures, figuresOf, none } from './figures.ts'

/** Of a rule that never fired too, once they were read. */
export type FiguresOf = (ruleId: string) => Figures | undefined

export function useFigures(): FiguresOf {
  const { data } = useRead('readRuleFigures', {}, { staleTime: 60_000 })
  if (!data) return () => undefined
  const known = new Map(data.rules.map((each) => [each.rule, each]))
  return (ruleId) => figuresOf(known.get(ruleId) ?? none)
}
