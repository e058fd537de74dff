// How does a played month become a million decisions? Copies of its records about other people, at other times, sealed as the service seals.

import { randomBytes } from 'node:crypto'
import { activityCounts, countedTypes } from '../../../server/src/admin/overview/count-activity.ts'
import { activityAdd } from '../../../server/src/admin/store/activity.ts'
import type { TenantKeys } from '../../../server/src/core/crypto/keyring.ts'
import type { BatchStatement } from '../../../server/src/core/storage/database.ts'
import { eventIds } from '../../../server/src/core/storage/ids/event-id.ts'
import { newUuidAt } from '../../../server/src/core/storage/uuid.ts'
import { contextOf as contextOfDecision, reviewContext } from '../../../server/src/decisions/record/record.ts'
import { type DecisionKey, decisionInsert } from '../../../server/src/decisions/store/decisions.ts'
import { reviewResolvedUpdate } from '../../../server/src/decisions/store/reviews.ts'
import { analysisInsert } from '../../../server/src/device/store/device-analyses.ts'
import { putReportLabel } from '../../../server/src/device/store/labels/report-labels.ts'
import { contextOf as contextOfVisit } from '../../../server/src/device/store/record.ts'
import { contextOf as contextOfEvent } from '../../../server/src/events/sealed-event.ts'
import { eventInsert } from '../../../server/src/events/store/events.ts'
import type { Parts } from '../../../server/src/parts.ts'
import { type Population, populationOf, type SubjectHashes, type Subjects } from './population.ts'
import type { Templates } from './templates.ts'

export const days = 29
const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** Decisions of one commit. */
const atOnce = 500
/** Of a hundred decisions: how many begin with a visit, have a sign-in beside them, and are labelled later. */
const perHundred = { visit: 10, otherEvent: 25, label: 1 }
/** Reviews of the last days are open, and one in ten of the older ones. */
const reviewedAfterMs = 2 * dayMs

type Resources = Pick<Parts, 'database' | 'compression'> & { readonly tenantId: string; readonly keys: TenantKeys }

/** Adds this many decisions. @param until epoch milliseconds of the last one */
export async function addCopies(
  count: number,
  templates: Templates,
  { until, ...resources }: Resources & { readonly until: number },
): Promise<void> {
  const { database, keys } = resources
  const from = until - days * dayMs
  const context: Copying = {
    ...{ ...resources, templates, until },
    population: populationOf(templates.busiest, keys),
    nextEventId: eventIds(),
  }
  let committing: Promise<unknown> = Promise.resolve()
  for (let done = 0; done < count; done += atOnce) {
    const some = Array.from({ length: Math.min(atOnce, count - done) }, (_, index) =>
      copyAt(Math.round(from + ((done + index) / count) * (until - from)), context),
    )
    const counts = activityCounts(until)
    for (const { counted } of some) for (const event of counted) counts.add(event)
    // The writer's thread stores one part while the next one is made.
    await committing
    committing = database
      .batch([...some.flatMap(({ inserts }) => inserts), activityAdd(resources.tenantId, counts.all())])
      .then(() => Promise.all(some.map(({ later }) => later?.())))
  }
  await committing
}

interface Copying extends Resources {
  readonly templates: Templates
  readonly population: Population
  readonly nextEventId: (now: number) => Uint8Array
  readonly until: number
}

interface Person {
  readonly subjects: Subjects
  readonly hashes: SubjectHashes
}

const happens = (perCent: number) => Math.random() * 100 < perCent
const oneOf = <Item>(items: readonly Item[]): Item => items[Math.floor(Math.random() * items.length)]!

type Counted = Parameters<ReturnType<typeof activityCounts>['add']>[0]

interface Copied {
  readonly inserts: BatchStatement[]
  readonly counted: Counted[]
  /** What happens to the decision afterwards. */
  readonly later: (() => Promise<unknown>) | undefined
}

function copyAt(at: number, context: Copying): Copied {
  const { templates, population, keys, compression, tenantId } = context
  const { subjects, hashes } = population.next()
  const person: Person = { subjects, hashes }
  const template = oneOf(templates.decisions)
  const decisionId = newUuidAt(at)
  const key = { tenantId, decisionId }
  const filling = { ...subjects, decisionId, createdAt: new Date(at).toISOString() }
  const visit = template.hasDevice && happens(perHundred.visit) ? visitAt(at, person, context) : undefined
  const { userHash, numberHash, emailHash, deviceHash } = hashes
  const other = happens(perHundred.otherEvent) ? oneOf(templates.events) : undefined
  const events: readonly Happened[] = [
    {
      ...{ type: 'decision.created', outcome: template.action, text: template.event.with(filling) },
      has: template.hasDevice ? allSubjects : withoutDevice,
    },
    ...(other ? [{ ...other, text: other.data.with({ ...subjects }) }] : []),
  ]
  return {
    inserts: [
      decisionInsert({
        ...{ ...key, decidedAt: at, dfrId: visit?.dfrId ?? null, isReviewed: template.isReviewed },
        ...{ idempotencyHash: null, bodyHash: randomBytes(8) },
        subjects: {
          userHash,
          numberHash,
          emailHash,
          mailboxHash: emailHash,
          deviceHash: template.hasDevice ? deviceHash : null,
        },
        sealed: keys.seal(
          compression.compress(template.lines.with(filling), [decisionId, subjects.deviceId], 'brief'),
          contextOfDecision(key),
        ),
      }),
      ...events.map((event) => eventAt(at, person, context, event)),
      ...(visit ? [visit.insert] : []),
    ],
    counted: events
      .filter(({ type }) => (countedTypes as readonly string[]).includes(type))
      .map(({ type, text }) => ({ type, timestamp: filling.createdAt, data: JSON.parse(text) })),
    later: template.isReviewed ? reviewed(key, at, context) : labelled(key, at, context),
  }
}

interface Happened {
  readonly type: string
  readonly outcome: string | null
  readonly text: string
  /** Which subjects it names. */
  readonly has: ReadonlySet<string>
}

const withoutDevice = new Set(['userId', 'phoneNumber', 'email', 'ipAddress'])
const allSubjects = new Set([...withoutDevice, 'deviceId'])

function reviewed(key: DecisionKey, at: number, { database, keys, until }: Copying): Copied['later'] {
  if (!happens(at < until - reviewedAfterMs ? 90 : 30)) return undefined
  const sealed = keys.seal(JSON.stringify({ by: 'maya', note: 'Called the customer' }), reviewContext(key))
  const state = happens(70) ? 'approved' : 'blocked'
  return () => database.batch([reviewResolvedUpdate(key, { state, at: at + hourMs, sealed })])
}

function labelled({ tenantId, decisionId }: DecisionKey, at: number, { database }: Copying): Copied['later'] {
  if (!happens(perHundred.label)) return undefined
  const label = { label: 'chargeback', knownAt: at + hourMs, labelledAt: at + hourMs } as const
  return () => putReportLabel(database, tenantId, { kind: 'decisionId', id: decisionId }, label)
}

function eventAt(
  at: number,
  { hashes }: Person,
  { nextEventId, tenantId, keys }: Copying,
  { type, outcome, text, has }: Happened,
): BatchStatement {
  const id = nextEventId(at)
  return eventInsert({
    ...{ tenantId, id, type, occurredAt: at, outcome },
    userHash: has.has('userId') ? hashes.userHash : null,
    numberHash: has.has('phoneNumber') ? hashes.numberHash : null,
    emailHash: has.has('email') ? hashes.emailHash : null,
    deviceHash: has.has('deviceId') ? hashes.deviceHash : null,
    ipHash: has.has('ipAddress') ? hashes.ipHash : null,
    // As that of a request that nobody looks for.
    requestHash: id.subarray(8, 16),
    orderKey: id.subarray(8, 16),
    sealed: keys.seal(text, contextOfEvent(id)),
  })
}

function visitAt(
  at: number,
  { subjects, hashes }: Person,
  { templates, tenantId, keys, compression }: Copying,
): { dfrId: string; insert: BatchStatement } {
  const { text, country, signals } = oneOf(templates.visits)
  const dfrId = randomBytes(16).toString('hex')
  const content = text.with({ ...subjects, dfrId })
  const insert = analysisInsert({
    ...{ tenantId, dfrId, analysedAt: at, country, signals },
    ...{ challenge: randomBytes(8), bodyHash: randomBytes(8), pushHash: randomBytes(8) },
    ...{ deviceHash: hashes.deviceHash, installationHash: hashes.deviceHash },
    ...{ ipPrefixHash: hashes.ipHash, ipHash: hashes.ipHash },
    sealed: keys.seal(compression.compress(content, [subjects.deviceId], 'brief'), contextOfVisit({ tenantId, dfrId })),
  })
  return { dfrId, insert }
}
