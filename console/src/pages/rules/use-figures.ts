// Which figures has a rule? Read once a minute at most, for all rules.

import { useRead } from '../../api/use-call.ts'
import { type Figures, figuresOf, none, withShadow } from './figures.ts'

/** Of a rule that never fired too, once they were read; what it does in shadow may follow. */
export type FiguresOf = (ruleId: string) => Figures | undefined

/** `shown`: the version whose rules are shown. */
export function useFigures(shown: number | undefined): FiguresOf {
  const { data } = useRead('readRuleFigures', {}, { staleTime: 60_000 })
  const compared = useRead('compareRuleShadow', {}, { staleTime: 60_000 })
  if (!data) return () => undefined
  const known = new Map(data.rules.map((each) => [each.rule, each]))
  return (ruleId) => withShadow(figuresOf(known.get(ruleId) ?? none), ruleId, shown, compared.data)
}
