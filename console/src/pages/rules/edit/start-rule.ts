// How does an edit begin with a rule? One that is true of a decision, or that reads a list.

import { useEffect, useRef } from 'react'
import { useMay } from '../../../api/session.tsx'
import type { InvestigatedDecision, RuleVocabulary } from '../../../api/types.ts'
import { useRead } from '../../../api/use-call.ts'
import { operationName } from '../../../parts/values/format.ts'
import { likeDecision, readingList, type Started } from './like-decision.ts'
import type { FormRule } from './rule-form.tsx'
import type { Draft } from './use-draft.ts'
import type { Velocities } from './velocity-form.tsx'

interface Begun {
  /** The id of a decision. */
  readonly from: string | undefined
  /** The name of a list. */
  readonly list: string | undefined
}

/** What a draft is called that begins so. */
export const startedName = ({ from, list }: Begun): string | undefined =>
  from !== undefined ? `Like decision ${from.slice(0, 8)}` : list !== undefined ? `In ${list}` : undefined

/** Once, when both the version to begin with and what it is about were read. `onStarted` gets the id of the rule. */
export function useStartedRule(
  { from, list }: Begun,
  draft: Draft,
  words: RuleVocabulary | undefined,
  onStarted: (id: string) => void,
): void {
  const mayReadLists = useMay()('lists.read')
  const decision = useRead('readDecision', { decisionId: from ?? '' }, { enabled: from !== undefined }).data
  const version = decision?.rules.version
  const decided = useRead('readRules', { version: String(version) }, { enabled: version !== undefined, retry: false })
  const lists = useRead('describeLists', { name: list }, { enabled: list !== undefined && mayReadLists })
  const hasStarted = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a rule is started once
  useEffect(() => {
    if (hasStarted.current || !words || !draft.checked) return
    if (decision && !decided.isPending) {
      hasStarted.current = true
      const operation = operationName(decision.subject.operation)
      const name = `Like decision ${decision.decisionId.slice(0, 8)}${operation === undefined ? '' : ` (${operation})`}`
      // A version that is no longer stored has no velocities to take: the check names what is missing.
      const started = { name, ...likeDecision(decision, words), action: likeAction(decision.action) }
      onStarted(addRule(draft, started, decided.data?.velocity))
    } else if (list !== undefined && lists.data) {
      hasStarted.current = true
      const isWatched = lists.data.lists[0]?.purpose === 'watch'
      const action = isWatched ? 'REVIEW' : 'BLOCK'
      onStarted(addRule(draft, { name: `In ${list}`, ...readingList(list, words), action }))
    }
  }, [words, decision, decided.isPending, lists.data, draft.checked])
}

/** That of the decision; whoever starts with one that was allowed wants to stop its like. */
const likeAction = (action: InvestigatedDecision['action']) =>
  action === 'ALLOW' || action === 'WARN' ? 'BLOCK' : action

/** First, where form and text show it at once. @returns its id */
export function addRule(
  { rules, velocities, fill }: Draft,
  { action, ...started }: Started & Pick<FormRule, 'name' | 'action'>,
  known: Readonly<Record<string, unknown>> = {},
): string {
  const rule = { id: freeId(rules), when: '', ...started, action, score: action === 'BLOCK' ? 50 : 30 }
  const read = new Set([...rule.when.matchAll(/\bvelocity\.(\w+)/g)].map(([, name]) => name!))
  const missing = Object.entries(known).filter(([name]) => read.has(name) && !Object.hasOwn(velocities, name))
  fill({
    rules: [rule, ...rules],
    ...(missing.length > 0 && { velocities: { ...velocities, ...Object.fromEntries(missing) } as Velocities }),
  })
  return rule.id
}

function freeId(rules: readonly FormRule[]): string {
  for (let number = rules.length + 1; ; number++) {
    const id = `rule-${number}`
    if (!rules.some((rule) => rule.id === id)) return id
  }
}
