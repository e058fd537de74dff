// Which types of events does a search mean? Groups such as `sign_in.*` are all of their types.

import { eventTypes } from '@ringfence/contract'

/** Each type once, in the order of the reference. */
export const typesOf = (names: readonly string[]): string[] =>
  Object.keys(eventTypes).filter((type) =>
    names.some((name) => name === type || (name.endsWith('.*') && type.startsWith(name.slice(0, -1)))),
  )
