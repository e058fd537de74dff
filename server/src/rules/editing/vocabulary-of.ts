// Which words may rules use? Paths, operators and lists, with their meanings, for whoever writes rules.

import type { ListKind, RuleVocabulary } from '@ringfence/contract'
import { kindsOfPath } from '../language/list-kinds.ts'
import type { KnownLists } from '../language/list-mistake.ts'
import { openParts, type PathKind, paths } from '../language/paths.ts'
import { velocitySubjects } from '../velocities/read-velocities.ts'

const every: PathKind[] = ['flag', 'number', 'text', 'any']
const numbers: PathKind[] = ['number', 'any']
const texts: PathKind[] = ['text', 'any']

const operators: RuleVocabulary['operators'] = [
  { operator: '==', kinds: every, description: 'Equal to a value, or to another path' },
  { operator: '!=', kinds: every, description: 'Known, and not equal' },
  { operator: '<', kinds: numbers, description: 'Less than' },
  { operator: '<=', kinds: numbers, description: 'At most' },
  { operator: '>', kinds: numbers, description: 'More than' },
  { operator: '>=', kinds: numbers, description: 'At least' },
  { operator: 'in', kinds: every, description: 'One of some values: in ("IN", "PK")' },
  { operator: 'between', kinds: numbers, description: 'Between two numbers, both included: between 1 and 5' },
  { operator: 'prefix', kinds: texts, description: 'Begins with a text' },
  { operator: 'exists', kinds: every, description: 'Is known: exists email.address' },
  { operator: 'inList', kinds: texts, description: 'Is in a list of yours: inList("NAME", path)' },
]

export function vocabularyOf(lists: KnownLists): RuleVocabulary {
  const fits = (kind: ListKind) => paths.flatMap(({ path }) => (kindsOfPath(path).includes(kind) ? [path] : []))
  return {
    paths: paths.map(({ path, kind, values, unit, description }) => ({
      ...{ path, kind, description },
      ...(values && { values: [...values] }),
      ...(unit !== undefined && { unit }),
    })),
    openParts: openParts.map(({ prefix, kind, description }) => ({ prefix, kind, description })),
    operators,
    velocityKeys: [...velocitySubjects],
    lists: [...lists].map(([name, kind]) => ({ name, kind, paths: fits(kind) })),
  }
}
