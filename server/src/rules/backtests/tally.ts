// How many reports, and how many of them were labelled?

import { isBad, type Label } from '../../device/history/label.ts'

/** Number of reports, and how many were labelled bad or good. The others have no label. */
export interface Tally {
  reports: number
  bad: number
  good: number
}

/** Before any report is counted. */
export const emptyTally = (): Tally => ({ reports: 0, bad: 0, good: 0 })

/** Adds one report, with the label of its session. */
export function countReport(tally: Tally, label: Label | undefined): void {
  tally.reports++
  if (label !== undefined) tally[isBad(label) ? 'bad' : 'good']++
}
