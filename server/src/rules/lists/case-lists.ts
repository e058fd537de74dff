// Which value is in a list, in a case of a rule? `lists.stolen-cards: card-4f2a91` says that the list has this entry, and no other.

import type { ListKind } from '@ringfence/contract'
import type { InList } from '../language/list.ts'
import type { KnownLists } from '../language/list-mistake.ts'
import { formsThatMatch } from './entries.ts'
import { comparedText, kindsOfLists } from './kinds.ts'

export const caseListPrefix = 'lists.'

const allKinds = Object.keys(kindsOfLists) as ListKind[]

/** What the lists of a case say. Without the kind of a list, a value matches when it does for any kind. */
export function inListOfCase(values: Readonly<Record<string, unknown>>, lists?: KnownLists): InList {
  return (list, value) => {
    const entry = values[`${caseListPrefix}${list}`]
    if (entry === undefined || (typeof value !== 'string' && typeof value !== 'number')) return false
    const known = lists?.get(list)
    return (known ? [known] : allKinds).some((kind) => {
      const [text, form] = [comparedText(kind, value), kindsOfLists[kind].entry(String(entry))]
      return text !== undefined && form !== undefined && formsThatMatch(kind, text).includes(form)
    })
  }
}
