// Which figures has a rule? Read once a minute at most, for all rules.

import { useRead } from '../../api/use-call.ts'
import { type Figures, figuresOf, inShadowOf, none } from './figures.ts'

/** Of a rule that never fired too, once they were read. */
export type FiguresOf = (ruleId: string) => Figures | undefined

/** `shown`: the version whose rules are shown. */
export function useFigures(shown: number | undefined): FiguresOf {
  const { data } = useRead('readRuleFigures', {}, { staleTime: 60_000 })
  const compared = useRead('compareRuleShadow', {}, { staleTime: 60_000 })
  if (!data || compared.isLoading) return () => undefined
  const known = new Map(data.rules.map((each) => [each.rule, each]))
  return (ruleId) => {
    const shadow = compared.data && inShadowOf(ruleId, shown, compared.data)
    return { ...figuresOf(known.get(ruleId) ?? none), ...(shadow && { shadow }) }
  }
}
