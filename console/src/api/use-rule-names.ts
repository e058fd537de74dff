// What is a rule called? Figures have its id, which stays when somebody renames it.

import { useMay } from './session.tsx'
import { useRead } from './use-call.ts'

/** The id itself where the live version has no such rule, and for roles that may not read rules. */
export function useRuleNames(): (id: string) => string {
  const { data } = useRead('readRules', { version: 'live' }, { enabled: useMay()('rules.read') })
  const names = new Map(data?.rules.map(({ id, name }) => [id, name]))
  return (id) => names.get(id) ?? id
}
