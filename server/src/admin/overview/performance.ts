// What does the page Performance show? Sums of counts, of a period and of the one before.

import type { Performance, PerformanceRequest } from '@ringfence/contract'
import { timeOf } from '../../core/storage/ids/event-id.ts'
import { isBad } from '../../device/history/label.ts'
import type { Label } from '../../device/store/labels/report-labels.ts'
import type { Actor } from '../actor.ts'
import { percentileOf } from '../fold/latency.ts'
import { performanceSpans } from '../fold/performance.ts'
import type { AdminNeeds } from '../room.ts'
import { activityCountedTo } from '../store/activity.ts'
import {
  countedValues,
  type PerformanceKind,
  type PerformanceSpan,
  type PerformanceSum,
  performanceSums,
} from '../store/performance-counts.ts'
import { operatorHealth } from './operator-health.ts'
import { byAction, isoOf } from './overview.ts'

const dayMs = 86_400_000
const mostRows = 100
export const stopping: ReadonlySet<string> = new Set(['REVIEW', 'CHALLENGE', 'BLOCK'])

type Figures = Performance['current']

export async function performanceOf(
  { days, operation, app, country }: PerformanceRequest,
  { tenantId, permissions }: Actor,
  needs: AdminNeeds,
): Promise<Performance> {
  const { database, clock, metrics } = needs
  const period = periodOf(days, clock.now())
  const { span, stepMs, from, to, before } = period
  const only = {
    ...(operation !== undefined && { operation }),
    ...(app !== undefined && { app }),
    ...(country !== undefined && { country }),
  }
  const maySeeSystem = permissions.has('system.read')
  const [sums, values, countedTo, upstreams, cost] = await Promise.all([
    performanceSums(database, { tenantId, span, from: before, to, only }),
    countedValues(database, tenantId),
    activityCountedTo(database, tenantId),
    maySeeSystem ? operatorHealth(metrics) : [],
    maySeeSystem ? costOf(tenantId, period, needs) : undefined,
  ])
  const current = sums.filter(({ startsAt }) => startsAt >= from)
  const previous = sums.filter(({ startsAt }) => startsAt < from)
  const valuesOf = (dimension: string) =>
    values.filter((each) => each.dimension === dimension).map(({ value }) => value)
  return {
    ...{ from: isoOf(from), to: isoOf(to), before: isoOf(before), stepSeconds: stepMs / 1000 },
    ...(countedTo && { countedUntil: isoOf(timeOf(countedTo)) }),
    current: figuresOf(current),
    previous: figuresOf(previous),
    steps: stepsOf(sums, period),
    rules: rulesOf(current, previous),
    checks: checksOf(current, previous, cost !== undefined),
    upstreams,
    ...(cost && { cost }),
    ...{ operations: valuesOf('operation'), apps: valuesOf('app'), countries: valuesOf('country') },
  }
}

interface Period {
  readonly span: PerformanceSpan
  readonly stepMs: number
  readonly from: number
  readonly to: number
  readonly before: number
}

/** Whole hours of a day, or whole days; the last one is now. */
function periodOf(days: PerformanceRequest['days'], now: number): Period {
  const span = days === 1 ? 'hour' : 'day'
  const stepMs = performanceSpans[span].ms
  const to = now - (now % stepMs) + stepMs
  const from = to - days * dayMs
  return { span, stepMs, from, to, before: from - days * dayMs }
}

function stepsOf(sums: readonly PerformanceSum[], { from, to, before, stepMs }: Period): Performance['steps'] {
  const byTime = Map.groupBy(sums, ({ startsAt }) => startsAt)
  const figuresAt = (at: number) => figuresOf(byTime.get(at) ?? [])
  return Array.from({ length: (to - from) / stepMs }, (_, i) => {
    const at = from + i * stepMs
    return { at: isoOf(at), figures: figuresAt(at), previous: figuresAt(at - (from - before)) }
  })
}

function figuresOf(sums: readonly PerformanceSum[]): Figures {
  const of = (kind: PerformanceKind) => sums.filter((each) => each.kind === kind)
  const labels = of('label')
  const reviews = of('reviewed')
  const reviewed = amountOf(reviews)
  const stopped = labels.filter(({ action }) => stopping.has(action))
  return {
    decisions: byAction(totalsBy(of('decision'), ({ action }) => action)),
    challengesPassed: amountOf(of('passed')),
    challengesFailed: amountOf(of('failed')),
    challengesExpired: amountOf(of('expired')),
    labels: Object.fromEntries(totalsBy(labels, ({ name }) => name).map(({ name, count }) => [name, count])),
    badStopped: amountOf(stopped.filter(({ name }) => isBad(name as Label))),
    goodStopped: amountOf(stopped.filter(({ name }) => !isBad(name as Label))),
    reviewed,
    approved: amountOf(reviews.filter(({ name }) => name === 'approved')),
    ...(reviewed > 0 && { reviewSeconds: Math.round(totalOf(reviews) / reviewed) }),
    amounts: amountsOf(of),
  }
}

export const amountOf = (sums: readonly PerformanceSum[]) =>
  Math.max(
    0,
    sums.reduce((sum, { amount }) => sum + amount, 0),
  )
const totalOf = (sums: readonly PerformanceSum[]) =>
  Math.max(
    0,
    sums.reduce((sum, { total }) => sum + total, 0),
  )

/** Those with any, most first. */
const totalsBy = (sums: readonly PerformanceSum[], nameOf: (sum: PerformanceSum) => string) =>
  [...Map.groupBy(sums, nameOf)]
    .map(([name, rows]) => ({ name, count: amountOf(rows) }))
    .filter(({ count }) => count > 0)
    .toSorted((one, other) => other.count - one.count || (one.name < other.name ? -1 : 1))

function amountsOf(of: (kind: PerformanceKind) => PerformanceSum[]): Figures['amounts'] {
  const [paid, bad, good] = [of('paid'), of('paidBad'), of('paidGood')]
  const sumOf = (sums: readonly PerformanceSum[], currency: string, isStopped?: boolean) =>
    totalOf(
      sums.filter(
        ({ name, action }) => name === currency && (isStopped === undefined || stopping.has(action) === isStopped),
      ),
    ) / 100
  return [...new Set(paid.map(({ name }) => name))]
    .map((currency) => ({
      currency,
      blockedFraud: sumOf(bad, currency, true),
      missedFraud: sumOf(bad, currency, false),
      goodRefused: sumOf(good, currency, true),
      total: sumOf(paid, currency),
    }))
    .toSorted((one, other) => other.total - one.total)
}

function rulesOf(current: readonly PerformanceSum[], previous: readonly PerformanceSum[]): Performance['rules'] {
  const countsOf = (sums: readonly PerformanceSum[], kind: PerformanceKind) =>
    new Map(
      totalsBy(
        sums.filter((each) => each.kind === kind),
        ({ name }) => name,
      ).map(({ name, count }) => [name, count]),
    )
  const [fired, firedBefore] = [countsOf(current, 'fired'), countsOf(previous, 'fired')]
  const [decided, bad] = [countsOf(current, 'decided'), countsOf(current, 'firedBad')]
  const stopped = current.filter(({ action }) => stopping.has(action))
  const [good, overturned] = [countsOf(stopped, 'firedGood'), countsOf(current, 'overturned')]
  return [...new Set([...fired.keys(), ...firedBefore.keys()])]
    .map((rule) => ({
      ...{
        rule,
        fired: fired.get(rule) ?? 0,
        firedBefore: firedBefore.get(rule) ?? 0,
        decided: decided.get(rule) ?? 0,
      },
      ...{ bad: bad.get(rule) ?? 0, good: good.get(rule) ?? 0, overturned: overturned.get(rule) ?? 0 },
    }))
    .toSorted(
      (one, other) =>
        other.good - one.good ||
        other.overturned - one.overturned ||
        other.fired - one.fired ||
        (one.rule < other.rule ? -1 : 1),
    )
    .slice(0, mostRows)
}

function checksOf(
  current: readonly PerformanceSum[],
  previous: readonly PerformanceSum[],
  hasCost: boolean,
): Performance['checks'] {
  const [times, timesBefore] = [current, previous].map((sums) =>
    Map.groupBy(
      sums.filter(({ kind }) => kind === 'latency'),
      ({ name }) => name,
    ),
  )
  const timeOf = (of: typeof times, name: string, share: number) =>
    percentileOf(
      (of?.get(name) ?? []).map(({ action, amount }) => ({ bucket: action, count: amount })),
      share,
    )
  return [
    ...Map.groupBy(
      current.filter(({ kind }) => kind === 'check'),
      ({ name }) => name,
    ),
  ]
    .map(([name, rows]) => {
      const [check = '', ...operator] = name.split(' ')
      const of = (outcome: string) => amountOf(rows.filter(({ action }) => action === outcome))
      const [medianMs, slowMs] = [timeOf(times, name, 0.5), timeOf(times, name, 0.95)]
      const slowBeforeMs = timeOf(timesBefore, name, 0.95)
      return {
        ...{ check, operator: operator.join(' ') },
        ...{ answered: of('answered'), timeouts: of('timeout'), failed: of('failed') },
        ...(medianMs !== undefined && { medianMs }),
        ...(slowMs !== undefined && { slowMs }),
        ...(slowBeforeMs !== undefined && { slowBeforeMs }),
        ...(hasCost && { cost: totalOf(rows) / 1e6 }),
      }
    })
    .toSorted(
      (one, other) => other.answered + other.timeouts + other.failed - (one.answered + one.timeouts + one.failed),
    )
    .slice(0, mostRows)
}

/** Costs are counted by day. */
async function costOf(
  tenantId: string,
  { from, to, before }: Period,
  { telecom: { costs } }: Pick<AdminNeeds, 'telecom'>,
): Promise<Performance['cost']> {
  const { currency } = costs
  if (currency === undefined) return undefined
  const dayOf = (epochMs: number) => Math.floor(epochMs / dayMs)
  const { days } = await costs.ledger(tenantId, Math.ceil((to - before) / dayMs) + 1)
  const sumOf = (first: number, end: number) =>
    days.filter(({ day }) => day >= first && day < end).reduce((sum, { micros }) => sum + micros, 0) / 1e6
  return { currency, current: sumOf(dayOf(from), dayOf(to - 1) + 1), previous: sumOf(dayOf(before), dayOf(from)) }
}
