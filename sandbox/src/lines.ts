// What does the operator know about a number? What its scenario says, or what the admin API has set.

import { hash } from 'node:crypto'
import { hourMs, type MovableClock } from './clock.ts'
import { basic, north, type Operator, south } from './operators.ts'
import { type ForwardingKind, type Scenario, scenarioOf } from './scenarios.ts'
import { madeUpSubscriber } from './subscriber/made-up.ts'
import { type Subscriber, type SubscriberChange, withChange } from './subscriber/subscriber.ts'

/** What the operator knows about a telephone line. */
export interface Line {
  /** E.164, without the plus sign. */
  readonly number: string
  /** undefined: an ordinary number. */
  readonly scenario: Scenario | undefined
  /** RFC 3339 with nine fractional digits, as in CAMARA's examples. null: the operator may not say, or there is no SIM. */
  readonly latestSimChange: string | null
  /** How many days back the operator knows SIM changes. null: it does not say. */
  readonly monitoredPeriodDays: number | null
  /** The longest window allowed, in hours. null: CAMARA's limit of 2400. */
  readonly lookBackHours: number | null
  /** Active kinds of forwarding; empty: none. null: the operator does not say. */
  readonly forwarding: readonly ForwardingKind[] | null
  /** The operator that serves the number. null: unknown. */
  readonly operator: Operator | null
  /** The operator that the number was allocated to. null: unknown. */
  readonly homeOperator: Operator | null
  readonly subscriber: Subscriber
}

/** What the admin API can set. */
export type LineChange = Partial<
  Pick<Line, 'latestSimChange' | 'monitoredPeriodDays' | 'lookBackHours' | 'forwarding' | 'operator' | 'homeOperator'>
> & {
  /** Added to what was set before. */
  readonly subscriber?: SubscriberChange
}

export interface Lines {
  /** The current line of a valid number. */
  at(number: string): Line
  isChanged(number: string): boolean
  /** Returns false when `changedNumbersLimit` other numbers are already changed. */
  change(number: string, change: LineChange): boolean
  /** Calls this after each change of a number. */
  onChange(listener: (number: string, change: LineChange) => void): void
  /** Removes the changes of one number, or of all. */
  reset(number?: string): void
  /** The operator's legal limit for all its numbers, in hours. null: none. */
  lookBackHoursOf(operator: Operator): number | null
  limitLookBack(operator: Operator, hours: number | null): void
}

export const changedNumbersLimit = 10_000

export function linesOf(clock: MovableClock): Lines {
  const changes = new Map<string, LineChange>()
  const lookBack = new Map<string, number>()
  let notify: (number: string, change: LineChange) => void = () => {}
  return {
    at(number) {
      const untouched = untouchedLine(number, clock.base.now())
      const { subscriber: set, ...changed } = changes.get(number) ?? {}
      const subscriber = set ? withChange(untouched.subscriber, set) : untouched.subscriber
      const line = { ...untouched, ...changed, subscriber }
      return { ...line, lookBackHours: shorter(line.lookBackHours, lookBack.get(line.operator?.id ?? '') ?? null) }
    },
    isChanged: (number) => changes.has(number),
    change(number, change) {
      if (!changes.has(number) && changes.size >= changedNumbersLimit) return false
      const before = changes.get(number)
      const subscriber = change.subscriber && { ...before?.subscriber, ...change.subscriber }
      changes.set(number, { ...before, ...change, ...(subscriber && { subscriber }) })
      notify(number, change)
      return true
    },
    onChange(listener) {
      notify = listener
    },
    reset(number) {
      if (number !== undefined) {
        changes.delete(number)
        return
      }
      changes.clear()
      lookBack.clear()
    },
    lookBackHoursOf: (operator) => lookBack.get(operator.id) ?? null,
    limitLookBack(operator, hours) {
      if (hours === null) lookBack.delete(operator.id)
      else lookBack.set(operator.id, hours)
    },
  }
}

/** Whether a change at this time was in the last `maxAgeHours`. A change in the future does not count. */
export function changedWithin(change: string | null, maxAgeHours: number, nowMs: number): boolean {
  if (change === null) return false
  const ageMs = nowMs - Date.parse(change)
  return ageMs >= 0 && ageMs <= maxAgeHours * hourMs
}

/** "2024-09-18T07:37:53.471829447Z": nine fractional digits. JavaScript's dates have three; `belowMs` are the others. */
export function dateTime(epochMs: number, belowMs = '000000'): string {
  return `${new Date(epochMs).toISOString().slice(0, -1)}${belowMs}Z`
}

function untouchedLine(number: string, baseNowMs: number): Line {
  const scenario = scenarioOf(number)
  const digest = hash('sha256', number, 'buffer')
  const [home, other] = digest.readUInt8(0) % 2 === 0 ? [north, south] : [south, north]
  const belowMs = String(digest.readUInt32BE(4) % 1_000_000).padStart(6, '0')
  // By the base clock: a scenario does not age while the sandbox runs, only when a test moves the sandbox's clock.
  const changedAt = (hoursAgo: number | null | undefined, random: number) => {
    if (hoursAgo === null) return null
    return dateTime(hoursAgo === undefined ? activationMs(random) : changeMs(hoursAgo, random, baseNowMs), belowMs)
  }
  const madeUp = madeUpSubscriber(number, changedAt(scenario?.deviceChangedHoursAgo, digest.readUInt32BE(12)))
  return {
    number,
    scenario,
    latestSimChange: changedAt(scenario?.simChangedHoursAgo, digest.readUInt32BE(8)),
    monitoredPeriodDays: scenario?.monitoredPeriodDays ?? null,
    lookBackHours: scenario?.lookBackHours ?? null,
    forwarding: scenario?.forwarding === undefined ? [] : scenario.forwarding,
    ...servedBy(scenario?.serving, home, other),
    subscriber: scenario?.subscriber ? withChange(madeUp, scenario.subscriber) : madeUp,
  }
}

function servedBy(
  serving: Scenario['serving'],
  home: Operator,
  other: Operator,
): Pick<Line, 'operator' | 'homeOperator'> {
  switch (serving) {
    case 'not the home operator':
      return { operator: other, homeOperator: home }
    case 'without checks':
      return { operator: basic, homeOperator: basic }
    case 'unknown':
      return { operator: null, homeOperator: null }
    case 'home again after a port':
    case undefined:
      return { operator: home, homeOperator: home }
  }
}

/** A SIM that was never changed has the date of its activation: a day from 2015 to 2022. */
function activationMs(random: number): number {
  const [from, to] = [Date.UTC(2015, 0), Date.UTC(2023, 0)]
  return from + Math.floor((random / 2 ** 32) * (to - from))
}

/**
 * A time between `hoursAgo - 1` and `hoursAgo` hours ago. Each number has its own minute of the hour: its date stays the same
 * from call to call, and advances once an hour.
 */
function changeMs(hoursAgo: number, random: number, nowMs: number): number {
  const minute = random % hourMs
  return Math.ceil((nowMs - minute) / hourMs) * hourMs + minute - hoursAgo * hourMs
}

function shorter(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other
  return Math.min(one, other)
}
