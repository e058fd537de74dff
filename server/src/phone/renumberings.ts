// Which digits replaced those that a numbering plan no longer has?

// Dated data: what national regulators changed, as far as the metadata of libphonenumber do not rewrite it themselves.
import dated from './renumberings.json' with { type: 'json' }

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

/** The day on which the table was last compared with the numbering plans. */
export const renumberingsValidOn: string = dated.validOn

const renumberings: readonly Renumbering[] = dated.renumberings.map(({ since, old, says, ...row }) => ({
  since,
  old: new RegExp(old),
  present: 'present' in row ? row.present : undefined,
  says,
}))

/** The renumbering of these digits. Look one up only for a number that is in no plan: new numbers may look like old ones. */
export const renumberingOf = (digits: string): Renumbering | undefined =>
  renumberings.find(({ old }) => old.test(digits))
