// What is a rule called? Figures and events have its id, which stays when somebody renames it.

import { useRead } from './use-call.ts'

/** Of rules of versions that were live or in shadow too; the id itself is what none of them has. */
export function useRuleNames(ids: readonly string[] = []): (id: string) => string {
  const rules = [...new Set(ids)].sort()
  const { data, isLoading } = useRead('readRuleNames', { rules }, { enabled: rules.length > 0, staleTime: 60_000 })
  return (id) => data?.names[id] ?? (isLoading ? '…' : id)
}
