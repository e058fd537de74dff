// Can inList("NAME", path) ever be true? The list must exist, and the path must contain values of its kind.

import { type ListKind, listNamePattern } from '@ringfence/contract'
import { nearestWord } from '../../core/config/nearest-word.ts'
import { kindsOfPath, listKinds } from './list-kinds.ts'
import type { PathMeaning } from './paths.ts'

/** The kinds of the lists of a tenant, by name. */
export type KnownLists = ReadonlyMap<string, ListKind>

const nameForm = new RegExp(listNamePattern)

type Found = { operand: 'path' | number; reason: string }

/** What is wrong; undefined for nothing. Without `lists`, whether the list exists is not checked. */
export function listMistake(name: string, meaning: PathMeaning, lists: KnownLists | undefined): Found | undefined {
  const { path, kind: kindOfPath, values, isOpen } = meaning
  if (kindOfPath === 'flag' || kindOfPath === 'number') {
    return {
      operand: 'path',
      reason: `${path} is ${kindOfPath === 'flag' ? 'true or false' : 'a number'}, and a list has texts`,
    }
  }
  if (values) return { operand: 'path', reason: `${path} is one of ${values.join(', ')}: compare it with in ("…")` }
  if (!nameForm.test(name)) {
    return {
      operand: 0,
      reason: `${JSON.stringify(name.slice(0, 64))} is not the name of a list: letters, digits, - and _`,
    }
  }
  if (!lists) return undefined
  const kind = lists.get(name)
  if (kind === undefined) {
    const nearest = nearestWord(name, [...lists.keys()])
    const hint = nearest === undefined ? '; create it first with ringfence lists create' : `; did you mean ${nearest}?`
    return { operand: 0, reason: `there is no list ${JSON.stringify(name.slice(0, 64))}${hint}` }
  }
  if (isOpen || kindsOfPath(path).includes(kind)) return undefined
  return { operand: 0, reason: `the list ${name} has ${listKinds[kind].meaning}, and ${path} is none` }
}
