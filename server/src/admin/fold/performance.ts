// What does a page of the event log add to the counts of performance? Each counts in the hour and day of its decision.

import { isBad } from '../../device/history/label.ts'
import type { Label } from '../../device/store/labels/report-labels.ts'
import type { CountedValue, PerformanceCount, PerformanceKind, PerformanceSpan } from '../store/performance-counts.ts'
import type { DecisionFacts, Dimensions } from './decision-facts.ts'
import { bucketOf } from './latency.ts'
import type { FoldedPart } from './part.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** How long counts are stored. */
export const performanceSpans = {
  hour: { ms: hourMs, keptMs: 90 * dayMs },
  day: { ms: dayMs, keptMs: 731 * dayMs },
} as const
/** So many different values have counts of their own; what comes later is counted as `other`. */
const mostValues: Readonly<Record<string, number>> = {
  operation: 50,
  app: 50,
  country: 100,
  currency: 20,
  operator: 100,
}
const otherValue = 'other'

export interface PerformanceCounts {
  add(part: FoldedPart): void
  all(): PerformanceCount[]
  /** Values that were not counted before. */
  newValues(): readonly CountedValue[]
}

/** @param known values that have counts */
export function performanceCounts(known: readonly CountedValue[], now: number): PerformanceCounts {
  const counted = countedBy(known)
  const sums = new Map<string, { -readonly [Field in keyof PerformanceCount]: PerformanceCount[Field] }>()
  const placeOf = (decision: DecisionFacts): Place => {
    const dimensions = {
      operation: counted.valueOf('operation', decision.operation),
      app: counted.valueOf('app', decision.app),
      country: counted.valueOf('country', decision.country),
    }
    const starts = spans
      .map(([span, { ms, keptMs }]) => ({ span, keptMs, startsAt: decision.decidedAt - (decision.decidedAt % ms) }))
      .filter(({ startsAt, keptMs }) => startsAt >= now - keptMs)
    return { dimensions, starts, key: JSON.stringify(Object.values(dimensions)) }
  }
  const adding = (): Add => {
    const places = new Map<DecisionFacts, Place>()
    return (decision, kind, { name = '', action = decision.action, amount = 1, total = 0 } = {}) => {
      const place = places.get(decision) ?? placeOf(decision)
      places.set(decision, place)
      for (const { span, startsAt } of place.starts) {
        const id = `${span} ${startsAt} ${kind} ${action} ${place.key} ${name}`
        const sum = sums.get(id)
        if (sum) {
          sum.amount += amount
          sum.total += total
        } else sums.set(id, { span, startsAt, kind, action, ...place.dimensions, name, amount, total })
      }
    }
  }
  const nameOf = (dimension: string, value: string) => counted.valueOf(dimension, value)
  return {
    all: () => [...sums.values()],
    newValues: () => counted.added,
    add: (part) => addPart(part, adding(), nameOf),
  }
}

function addPart(part: FoldedPart, add: Add, nameOf: NameOf): void {
  for (const event of part.events) {
    const decision = part.decisions.get(String(event.data.decisionId))
    if (!decision || !part.isCounted(event, decision.decidedAt)) continue
    if (event.type === 'decision.created') addDecision(decision, add, nameOf)
    else if (event.type.startsWith('decision.challenge.')) addChallenge(decision, event.type, add)
    else if (event.type === 'decision.review.resolved') {
      const outcome = String(event.data.outcome)
      add(decision, 'reviewed', { name: outcome, total: Math.round((event.at - decision.decidedAt) / 1000) })
      if (outcome === 'approved') for (const name of decision.fired) add(decision, 'overturned', { name })
    }
  }
  for (const { decision, before, label } of part.labels) {
    if (!decision) continue
    if (before !== undefined) addLabel(decision, before, -1, add, nameOf)
    addLabel(decision, label, 1, add, nameOf)
  }
}

const spans = Object.entries(performanceSpans) as [
  keyof typeof performanceSpans,
  (typeof performanceSpans)[keyof typeof performanceSpans],
][]

/** In which counts a decision is. */
interface Place {
  readonly dimensions: Pick<Dimensions, 'operation' | 'app' | 'country'>
  readonly starts: readonly { readonly span: PerformanceSpan; readonly startsAt: number }[]
  readonly key: string
}

interface Added {
  readonly name?: string
  readonly action?: string
  readonly amount?: number
  readonly total?: number
}
type Add = (decision: DecisionFacts, kind: PerformanceKind, added?: Added) => void
type NameOf = (dimension: string, value: string) => string

function addDecision(decision: DecisionFacts, add: Add, nameOf: NameOf): void {
  add(decision, 'decision')
  for (const name of decision.fired) add(decision, 'fired', { name })
  if (decision.decisive !== undefined) add(decision, 'decided', { name: decision.decisive })
  const { paid } = decision
  if (paid) add(decision, 'paid', { name: nameOf('currency', paid.currency), total: paid.hundredths })
  for (const { check, operator, outcome, ms, micros } of decision.checks) {
    const name = `${check} ${nameOf('operator', operator)}`
    add(decision, 'check', { action: outcome, name, ...(micros !== undefined && { total: micros }) })
    if (ms !== undefined) add(decision, 'latency', { action: bucketOf(ms), name })
  }
}

/** Each challenge ends in one of three. A failed one may still be passed; it has an end by time too, which counts no more. */
function addChallenge(decision: DecisionFacts, type: string, add: Add): void {
  const { hasFailed } = decision.challenge
  if (type === 'decision.challenge.passed') {
    add(decision, 'passed')
    if (hasFailed) add(decision, 'failed', { amount: -1 })
  } else if (type === 'decision.challenge.failed') add(decision, 'failed')
  else if (!hasFailed) add(decision, 'expired')
}

/** `amount`: -1 takes a label back. */
function addLabel(decision: DecisionFacts, label: Label, amount: 1 | -1, add: Add, nameOf: NameOf): void {
  const { paid, fired } = decision
  add(decision, 'label', { name: label, amount })
  for (const name of fired) add(decision, isBad(label) ? 'firedBad' : 'firedGood', { name, amount })
  if (!paid) return
  const ofCurrency = { name: nameOf('currency', paid.currency), amount, total: amount * paid.hundredths }
  add(decision, isBad(label) ? 'paidBad' : 'paidGood', ofCurrency)
}

type ValuesOf = (dimension: string) => Set<string>

function valuesBy(known: readonly CountedValue[]): ValuesOf {
  const values = new Map<string, Set<string>>()
  const of = (dimension: string) => {
    const found = values.get(dimension) ?? new Set()
    values.set(dimension, found)
    return found
  }
  for (const { dimension, value } of known) of(dimension).add(value)
  return of
}

/** The value, or `other` beyond the limit. */
function countedValue(known: ReadonlySet<string>, dimension: string, value: string): string {
  if (value === '' || known.has(value)) return value
  return known.size >= mostValues[dimension]! ? otherValue : value
}

/** As what a value is counted. */
export function countedAs(known: readonly CountedValue[]): (dimension: string, value: string) => string {
  const of = valuesBy(known)
  return (dimension, value) => countedValue(of(dimension), dimension, value)
}

function countedBy(known: readonly CountedValue[]) {
  const of = valuesBy(known)
  const added: CountedValue[] = []
  return {
    added,
    valueOf(dimension: string, value: string): string {
      const counted = countedValue(of(dimension), dimension, value)
      if (counted !== '' && counted === value && !of(dimension).has(value)) {
        of(dimension).add(value)
        added.push({ dimension, value })
      }
      return counted
    },
  }
}
