// Which condition is true of a decision? What its rules found; where none fired, what was known of it.

import type { InvestigatedDecision, RuleVocabulary } from '../../../api/types.ts'
import { groupOf, newRow, type Row, treeOf } from './conditions.ts'

type Literal = string | number | boolean

/** As text, which the service reads, or as a tree of a form, which may have a row to be chosen. */
export type Started = { readonly when: string } | { readonly tree: unknown }

type Known = Pick<InvestigatedDecision, 'device' | 'phone' | 'account' | 'subject' | 'rules' | 'evaluated'>

/** More would be true of this decision alone. */
const mostConditions = 12

/** Never the operation alone: a rule of it would hold for everybody. */
export function likeDecision(decision: Known, words: RuleVocabulary): Started {
  const found = foundBy(decision)
  const { operation } = decision.subject
  if (found.length > 0) {
    const ofOperation = operation === undefined ? [] : [`action == ${JSON.stringify(operation)}`]
    return { when: [...new Set([...ofOperation, ...found])].join(' and ') }
  }
  const facts = rowsOfFacts(factsOf(decision), words)
  const first = operation === undefined ? [] : [{ path: 'action', op: '==', value: operation }]
  return { tree: treeOf({ join: 'all', parts: [...first, ...(facts.length > 0 ? facts : [newRow])] }) }
}

/** The comparisons that held in the rules that fired, the decisive rule first: history, velocities and params as they were compared. */
function foundBy({ rules, evaluated = [] }: Known): string[] {
  const fired = evaluated.filter(({ state }) => state === 'fired')
  const decisiveFirst = fired.toSorted(
    (one, other) => Number(other.id === rules.decisive) - Number(one.id === rules.decisive),
  )
  const held = decisiveFirst.flatMap(({ conditions }) => conditions.filter(({ holds }) => holds))
  return [...new Set(held.map(({ text }) => text))].slice(0, mostConditions)
}

/** What was known: flags that were true, and your own values. */
function factsOf({ device, phone, account, subject }: Known): Record<string, Literal> {
  const checks = {
    'telecom.simSwap.swapped': phone?.simSwap?.swapped,
    'telecom.callForwarding.active': phone?.callForwarding?.active,
    'telecom.portability.ported': phone?.portability?.ported,
  }
  const ofAccount = Object.entries(account ?? {}).map(([name, value]) => [`account.${name}`, value] as const)
  const known = [...Object.entries(checks), ...Object.entries(device ?? {}), ...ofAccount]
  const params = Object.entries(subject.params ?? {}).map(([name, value]) => [`params.${name}`, value] as const)
  return Object.fromEntries([...known.filter(([, value]) => value === true), ...params.filter(isComparable)]) as Record<
    string,
    Literal
  >
}

const isComparable = ([path, value]: readonly [string, unknown]): boolean =>
  /^params\.[A-Za-z_]\w*$/.test(path) && ['string', 'number', 'boolean'].includes(typeof value)

/** A fact as a row of a form. An amount counts from there on. */
function rowsOfFacts(facts: Readonly<Record<string, Literal>>, { paths, openParts }: RuleVocabulary): Row[] {
  return Object.entries(facts).flatMap(([path, value]) =>
    paths.some((each) => each.path === path) || openParts.some(({ prefix }) => path.startsWith(prefix))
      ? [{ path, op: typeof value === 'number' ? '>=' : '==', value }]
      : [],
  )
}

/** A rule that reads a list, by the first path that fits its kind. */
export function readingList(name: string, { lists }: RuleVocabulary): Started {
  const path = lists.find((list) => list.name === name)?.paths[0] ?? ''
  return { tree: treeOf(groupOf({ op: 'inList', path, list: name })) }
}
