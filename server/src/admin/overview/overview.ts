// What does the first page of the console show? Sums of counts, and what needs attention.

import { longestOverviewDays, type Overview, type OverviewRequest, overviewActions } from '@ringfence/contract'
import { Refusal } from '../../core/errors.ts'
import { ageMs } from '../../core/files/renewal.ts'
import { dateTimeMs } from '../../core/json/date-time.ts'
import { timeOf } from '../../core/storage/ids/event-id.ts'
import { decidedSince } from '../../decisions/record/retention.ts'
import { deadlineOf } from '../../decisions/reviews/deadline.ts'
import { waitingPublications } from '../../decisions/rule-changes/store/publications.ts'
import { countOpenReviews, type Due } from '../../decisions/store/reviews.ts'
import { type Webhook, Webhooks } from '../../events/webhooks/webhooks.ts'
import type { Actor } from '../actor.ts'
import type { AdminNeeds } from '../room.ts'
import {
  type ActivityKind,
  type ActivitySpan,
  activityCountedTo,
  activityOfActions,
  activityTotals,
} from '../store/activity.ts'
import { minutesForMs } from './count-activity.ts'
import { operatorHealth } from './operator-health.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** Ranges up to this length have steps of this length, about sixty of them. */
const steps: readonly (readonly [rangeMs: number, span: ActivitySpan, stepMs: number])[] = [
  [hour, 'minute', minute],
  [3 * hour, 'minute', 5 * minute],
  [6 * hour, 'minute', 10 * minute],
  [25 * hour, 'minute', 30 * minute],
  [7 * day, 'hour', 3 * hour],
  [longestOverviewDays * day, 'hour', 12 * hour],
]
const topCount = 10
/** Data is old after this time; numbering data changes more seldom than lists of IP addresses. */
const oldAfterMs = { list: 2 * day, file: 45 * day } as const
/** Of at least this many calls. */
const failing = { calls: 20, share: 0.2 } as const

type ByAction = Overview['decisions']

/** Refuses with `fieldInvalid`. */
export async function overviewOf(request: OverviewRequest, actor: Actor, needs: AdminNeeds): Promise<Overview> {
  const { tenantId, permissions, session } = actor
  const {
    clock,
    database,
    metrics,
    doctor: { dataDates },
    settings,
  } = needs
  const range = rangeOf(request, clock.now())
  const { stepMs, ...counted } = range
  const scope = { tenantId, ...counted }
  const since = decidedSince(clock.now(), settings)
  const deadline = await deadlineOf(database, tenantId)
  const openReviews = (due?: Due) => countOpenReviews(database, tenantId, { since, due, most: 1_000 })
  const maySeeSystem = permissions.has('system.read')
  const [countedTo, totals, actions, open, overdue, publications, hooks, operators, data] = await Promise.all([
    activityCountedTo(database, tenantId),
    activityTotals(database, scope),
    activityOfActions(database, scope),
    openReviews(),
    openReviews({ usualMs: deadline.usualMs, before: clock.now() }),
    permissions.has('rules.publish') ? waitingPublications(database, tenantId, session?.personId) : undefined,
    permissions.has('webhooks.read') ? new Webhooks(needs).list(tenantId) : [],
    maySeeSystem ? operatorHealth(metrics) : [],
    maySeeSystem ? dataDates() : [],
  ])
  const top = (kind: ActivityKind) =>
    totals
      .filter((total) => total.kind === kind)
      .toSorted((one, other) => Number(other.amount) - Number(one.amount) || (one.name < other.name ? -1 : 1))
      .map(({ name, amount }) => ({ name, count: Number(amount) }))
  return {
    from: isoOf(range.from),
    to: isoOf(range.to),
    stepSeconds: stepMs / 1000,
    ...(countedTo && { countedUntil: isoOf(timeOf(countedTo)) }),
    decisions: byAction(top('action')),
    steps: stepsOf(actions, range),
    reasons: top('reason').slice(0, topCount),
    rules: top('rule').slice(0, topCount),
    signIns: signInsOf(totals),
    operators,
    data: data.map(({ name, datedMs }) => ({ name, datedAt: isoOf(datedMs) })),
    reviews: { open },
    attention: [
      ...(overdue > 0 ? [{ kind: 'reviews-overdue' as const, name: '', count: overdue }] : []),
      ...publicationAttention(publications),
      ...hooks.flatMap(webhookAttention),
      ...operators
        .filter(({ calls, failed }) => calls >= failing.calls && failed / calls > failing.share)
        .map(({ name, failed }) => ({ kind: 'operator-failing' as const, name, count: failed })),
      ...data
        .filter((each) => ageMs(each, clock.now()) > oldAfterMs[each.name.startsWith('ip-list') ? 'list' : 'file'])
        .map(({ name, datedMs }) => ({ kind: 'data-old' as const, name, since: isoOf(datedMs) })),
    ],
  }
}

/** Minutes are stored for a day only: an earlier range is counted by hours. */
function rangeOf(request: OverviewRequest, now: number) {
  const [from, to] = [dateTimeMs(request.from), dateTimeMs(request.to)]
  if (from >= to) throw new Refusal('fieldInvalid', { mistake: 'from must be before to' })
  const fitting = steps.find(
    ([rangeMs, span]) => to - from <= rangeMs && (span === 'hour' || from >= now - minutesForMs + 30 * minute),
  )
  if (!fitting)
    throw new Refusal('fieldInvalid', { mistake: `to must be at most ${longestOverviewDays} days after from` })
  const [, span, stepMs] = fitting
  return { span, stepMs, from: from - (from % stepMs), to }
}

export const isoOf = (epochMs: number) => new Date(epochMs).toISOString()

export const byAction = (counts: readonly { name: string; count: number }[]): ByAction =>
  Object.fromEntries(
    counts
      .filter(({ name }) => (overviewActions as readonly string[]).includes(name))
      .map(({ name, count }) => [name, count]),
  )

function stepsOf(
  actions: readonly { startsAt: number; name: string; amount: number }[],
  { from, stepMs }: { from: number; stepMs: number },
): Overview['steps'] {
  const found = Map.groupBy(actions, ({ startsAt }) => from + Math.floor((startsAt - from) / stepMs) * stepMs)
  return [...found].map(([at, rows]) => {
    const sums = new Map<string, number>()
    for (const { name, amount } of rows) sums.set(name, (sums.get(name) ?? 0) + Number(amount))
    return { at: isoOf(at), decisions: byAction([...sums].map(([name, count]) => ({ name, count }))) }
  })
}

const signInKinds = ['started', 'completed', 'failed', 'refused'] as const

function signInsOf(totals: readonly { kind: ActivityKind; name: string; amount: number }[]): Overview['signIns'] {
  const ofSignIns = totals.filter(({ kind }) => (signInKinds as readonly string[]).includes(kind))
  return [...Map.groupBy(ofSignIns, ({ name }) => name)].map(([name, rows]) => {
    const [channel = '', ...method] = name.split(' ')
    const amountOf = (kind: ActivityKind) => Number(rows.find((row) => row.kind === kind)?.amount ?? 0)
    return {
      ...{ channel, method: method.join(' ') },
      ...{ started: amountOf('started'), completed: amountOf('completed') },
      ...{ failed: amountOf('failed'), refused: amountOf('refused') },
    }
  })
}

function webhookAttention({ url, state, failingSince }: Webhook): Overview['attention'] {
  if (state === 'disabled') return [{ kind: 'webhook-disabled', name: url }]
  return failingSince === undefined || failingSince === null
    ? []
    : [{ kind: 'webhook-failing', name: url, since: isoOf(failingSince) }]
}

function publicationAttention(
  waiting: Awaited<ReturnType<typeof waitingPublications>> | undefined,
): Overview['attention'] {
  if (!waiting || waiting.count === 0 || waiting.since === null) return []
  return [{ kind: 'publication-waiting', name: '', count: waiting.count, since: isoOf(Number(waiting.since)) }]
}
