// In which circumstances do the conditions run again? A slow machine, a strict page, a noisy canvas, identical devices, a downgrade.

import { type Condition, conditions, strangers } from './conditions.ts'
import type { VisitOptions } from './page.ts'
import type { BrowserName } from './people.ts'

export interface Circumstance {
  readonly name: string
  /** As a row of the report. */
  readonly title: string
  /** The browser and its workers get a tenth of the machine while the page is open (slow-machine.ts). */
  readonly isSlow?: boolean
  /** What differs in the page of the visit. */
  readonly page?: Pick<VisitOptions, 'isStrict' | 'isNoisy'>
  /** What differs in the page of the day before. */
  readonly pageBefore?: Circumstance['page']
  /** Four other devices report the same facts. (identical-devices.ts) */
  readonly hasIdenticalDevices?: boolean
  /** On the day before, the browser was also downgraded for one visit, with storage cleared. */
  readonly isDowngraded?: boolean
}

export const circumstances: readonly Circumstance[] = [
  {
    name: 'identical-devices',
    title: 'four other devices in the store report the same facts',
    hasIdenticalDevices: true,
  },
  { name: 'slow', title: 'the whole browser is ten times slower than the day before', isSlow: true },
  {
    name: 'strict-page',
    title: 'the page forbids workers, and loads web fonts with names of the font list',
    page: { isStrict: true },
  },
  {
    name: 'canvas-noise',
    title: 'the browser adds other noise to its canvas at each load',
    page: { isNoisy: true },
    pageBefore: { isNoisy: true },
  },
  {
    name: 'downgraded',
    title: 'the browser was downgraded and updated again (Chromium and Firefox)',
    isDowngraded: true,
  },
]

export interface ConditionAgain extends Condition {
  readonly circumstance: Circumstance
}

/** The conditions, or other devices, in one circumstance; `NAME@CIRCUMSTANCE`. */
const again = (list: readonly Condition[], circumstance: Circumstance): ConditionAgain[] =>
  list
    // Debian has no older WebKit, and the update is a part of the circumstance.
    .filter(({ browser, isUpdated }) => !circumstance.isDowngraded || (browser !== 'webkit' && !isUpdated))
    .map((condition) => ({ ...condition, name: `${condition.name}@${circumstance.name}`, circumstance }))

export const conditionsAgain = circumstances.flatMap((circumstance) => again(conditions, circumstance))
export const strangersAgain = circumstances.flatMap((circumstance) => again(strangers, circumstance))

/** Those that change the facts; the others are played with recordings that exist anyway. */
export const isRecorded = ({ isSlow, page }: Circumstance) => isSlow === true || page !== undefined

/** Name of the recording of the day before. */
export const dayBeforeOf = (browser: BrowserName, { name, pageBefore }: Circumstance) =>
  `${browser}-${pageBefore ? `${name}-before` : 'day-before'}`
