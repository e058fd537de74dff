// How do other rooms make room for each other?

import type { Overload } from './overload.ts'
import type { Slices } from './slices.ts'
import type { Turns } from './turns.ts'

export interface HeavyWorkDoor {
  overload: Overload
  /** Answers of many lines: a part at a time, whoever reads them. */
  answerTurns: Turns
  /** Heavy calls, such as an erasure: a few milliseconds at a time. */
  slices: Pick<Slices, 'during'>
}
