// Which digits replaced those that a numbering plan no longer has?

import { renumberings } from '../core/dated-data/renumberings.ts'

export interface Renumbering {
  /** Since when only the present form works: a day of ISO 8601. */
  readonly since: string
  /** Matches all digits of an old number, with the calling code. */
  readonly old: RegExp
  /** The present digits, as a replacement of `old`; undefined when they do not follow from the old ones. */
  readonly present: string | undefined
  /** What changed, in words. */
  readonly says: string
}

let compiled: { from: object; rows: readonly Renumbering[] } | undefined

function inUse(): readonly Renumbering[] {
  const table = renumberings.current()
  if (compiled?.from !== table)
    compiled = {
      from: table,
      rows: table.renumberings.map(({ since, old, present, says }) => ({ since, old: new RegExp(old), present, says })),
    }
  return compiled.rows
}

/** The renumbering of these digits. Look one up only for a number that is in no plan: new numbers may look like old ones. */
export const renumberingOf = (digits: string): Renumbering | undefined => inUse().find(({ old }) => old.test(digits))
