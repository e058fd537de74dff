// What is a list to a rule? Its name, and an answer to whether a value is in it.

import { ListName as Name } from '@ringfence/contract'
import type { RuleInput } from './vocabulary.ts'

export const ListName = { ...Name, description: 'the name of a list' }

/**
 * Whether a value is in a list. False also for a value that is absent or not of the list's kind, and for a list that does not exist: like
 * every comparison with something that is not known.
 */
export type InList = (list: string, value: unknown) => boolean

/** For rules of a tenant without lists. */
export const inNoList: InList = () => false

/** A list and the value of an input that a rule looks up in it. */
export interface ListRead {
  readonly list: string
  readonly path: string
  readonly read: (input: RuleInput) => unknown
}
