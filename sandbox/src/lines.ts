// What does the network know about a number? Its scenario, or what was set by hand since.

import { hash } from 'node:crypto'
import { hourMs, type MovableClock } from './clock.ts'
import { basic, north, type Operator, south } from './operators.ts'
import { type ForwardingKind, type Scenario, scenarioOf } from './scenarios.ts'

/** A telephone line as its operator knows it. */
export interface Line {
  /** E.164 without the plus sign. */
  readonly number: string
  /** undefined: an ordinary number. */
  readonly scenario: Scenario | undefined
  /** RFC 3339 with nine fractional digits, as in CAMARA's examples; null: the operator may not tell, or there is no SIM. */
  readonly latestSimChange: string | null
  /** For how many days back the operator knows of SIM changes; null: it does not say. */
  readonly monitoredPeriodDays: number | null
  /** The longest window that may be asked, in hours; null: none but CAMARA's 2400. */
  readonly lookBackHours: number | null
  /** Active forwarding, empty for none; null: the operator does not say. */
  readonly forwarding: readonly ForwardingKind[] | null
  /** Who serves the number; null: unknown. */
  readonly operator: Operator | null
  /** Whom the number was allocated to; null: unknown. */
  readonly homeOperator: Operator | null
}

/** What can be set by hand. */
export type LineChange = Partial<
  Pick<Line, 'latestSimChange' | 'monitoredPeriodDays' | 'lookBackHours' | 'forwarding' | 'operator' | 'homeOperator'>
>

export interface Lines {
  /** The line of a valid number, as it is at this moment. */
  at(number: string): Line
  isChanged(number: string): boolean
  /** False when there is no room to remember another changed number. */
  change(number: string, change: LineChange): boolean
  /** Back to the scenario: one number, or all. */
  forget(number?: string): void
  /** The operator's legal limit for all its numbers, in hours; null: none. */
  lookBackHoursOf(operator: Operator): number | null
  limitLookBack(operator: Operator, hours: number | null): void
}

export const changedNumbersLimit = 10_000

export function linesOf(clock: MovableClock): Lines {
  const changes = new Map<string, LineChange>()
  const lookBack = new Map<string, number>()
  return {
    at(number) {
      const line = { ...untouchedLine(number, clock.base.now()), ...changes.get(number) }
      return { ...line, lookBackHours: shorter(line.lookBackHours, lookBack.get(line.operator?.id ?? '') ?? null) }
    },
    isChanged: (number) => changes.has(number),
    change(number, change) {
      if (!changes.has(number) && changes.size >= changedNumbersLimit) return false
      changes.set(number, { ...changes.get(number), ...change })
      return true
    },
    forget(number) {
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

/** Was the SIM changed in the last so many hours? A change that is still to come does not count. */
export function simChangedWithin(line: Line, maxAgeHours: number, nowMs: number): boolean {
  if (line.latestSimChange === null) return false
  const ageMs = nowMs - Date.parse(line.latestSimChange)
  return ageMs >= 0 && ageMs <= maxAgeHours * hourMs
}

/** "2024-09-18T07:37:53.471829447Z": nine fractional digits, which JavaScript's own clock does not have. */
export function dateTime(epochMs: number, belowMs = '000000'): string {
  return `${new Date(epochMs).toISOString().slice(0, -1)}${belowMs}Z`
}

function untouchedLine(number: string, baseNowMs: number): Line {
  const scenario = scenarioOf(number)
  const chance = hash('sha256', number, 'buffer')
  const [home, other] = chance.readUInt8(0) % 2 === 0 ? [north, south] : [south, north]
  const belowMs = String(chance.readUInt32BE(4) % 1_000_000).padStart(6, '0')
  const hoursAgo = scenario?.simChangedHoursAgo
  // The base clock, so that a scenario is as fresh after weeks as at the start, and moving the sandbox's clock lets it age.
  const changedMs =
    hoursAgo === undefined
      ? activationMs(chance.readUInt32BE(8))
      : changeMs(hoursAgo ?? 0, chance.readUInt32BE(8), baseNowMs)
  return {
    number,
    scenario,
    latestSimChange: hoursAgo === null ? null : dateTime(changedMs, belowMs),
    monitoredPeriodDays: scenario?.monitoredPeriodDays ?? null,
    lookBackHours: scenario?.lookBackHours ?? null,
    forwarding: scenario?.forwarding === undefined ? [] : scenario.forwarding,
    ...servedBy(scenario?.serving, home, other),
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

/** A SIM that was never changed has the date of its activation: some day of 2015 to 2022. */
function activationMs(chance: number): number {
  const [from, to] = [Date.UTC(2015, 0), Date.UTC(2023, 0)]
  return from + Math.floor((chance / 2 ** 32) * (to - from))
}

/**
 * At most `hoursAgo` hours ago, and more than one hour less. The minute of the hour is the number's own, so that the date stays
 * the same from one question to the next and steps on once an hour.
 */
function changeMs(hoursAgo: number, chance: number, nowMs: number): number {
  const minute = chance % hourMs
  return Math.ceil((nowMs - minute) / hourMs) * hourMs + minute - hoursAgo * hourMs
}

function shorter(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other
  return Math.min(one, other)
}
