// /admin/v1/users/read: what is known of one user, and what is usual for the account.

import type { AdminUserRequest, ShownUser } from '@ringfence/contract'
import { type Kind, type Knowledge, trusted } from '../../accounts/knowledge.ts'
import { readKnowledge } from '../../accounts/learn.ts'
import { effectiveUserIdOf, personsOf } from '../../accounts/person.ts'
import { searchEvents } from '../../decisions/search/search-events.ts'
import { historySince } from '../../device/history/retention.ts'
import { accountHashOf } from '../../events/subject-hashes.ts'
import { fewestForNew } from '../../rules/pending-checks.ts'
import { identitiesOf } from '../../sign-in/persons/identities.ts'
import type { ActorCall } from '../call.ts'
import { asClient } from '../calls/as-client.ts'
import { isoTime } from '../calls/iso-time.ts'
import type { AdminNeeds } from '../room.ts'
import { linksOf, sightingsOfEvents } from './seen-with.ts'
import { shownCounts } from './shown-counts.ts'
import { judgedDecisions, stateOfUser } from './subject-state.ts'

const mostEvents = 100
const mostLabels = 50
const mostLinks = 50

/** A user that nobody knows is no failure: everything is empty. */
export async function adminReadUser(
  { userId }: AdminUserRequest,
  call: ActorCall,
  needs: AdminNeeds,
): Promise<ShownUser> {
  const { database, tenantKeyring, clock, settings } = needs
  const { tenantId } = call.actor
  const keys = await tenantKeyring.keysOf(tenantId)
  const client = asClient(call)
  const effective = await effectiveUserIdOf(tenantId, userId, needs)
  const account = { tenantId, accountHash: accountHashOf(effective, keys) }
  const [{ knowledge }, identities, persons, naming, labelled, velocities] = await Promise.all([
    readKnowledge(database, account, keys),
    identitiesOf(tenantId, userId, needs),
    personsOf(tenantId, userId, needs),
    searchEvents({ userId, types: ['decision.created', 'sign_in.completed'], limit: mostEvents }, client, needs),
    searchEvents({ userId, types: ['label.created'], limit: mostLabels }, client, needs),
    shownCounts(tenantId, { per: 'user', userId: effective }, needs),
  ])
  const numbers = linksOf(sightingsOfEvents(naming.events).numbers, mostLinks)
  const usual = habitsOf(trusted(knowledge, historySince(clock.now(), settings)))
  const labels = labelled.events.flatMap(({ data }) => shownLabel(data))
  const judged = await judgedDecisions(database, tenantId, { events: naming.events, now: clock.now() })
  return {
    userId,
    state: stateOfUser(judged, {
      sessions: usual?.sessions ?? 0,
      labels: labels.map(({ label, decisionId }) => ({ label, isOfDecision: decisionId !== undefined })),
    }),
    identities: identities.map(({ type, value }) => ({ type, value })),
    ...(effective !== userId && { linkedTo: effective }),
    personIds: persons.filter((id) => id !== userId),
    numbers: numbers.map(({ value: phoneNumber, ...link }) => ({ phoneNumber, ...link })),
    labels,
    velocities,
    ...(usual && { usual }),
  }
}

/** An event whose content is damaged is left out. */
function shownLabel({ outcome, knownAt, dfrId, decisionId }: Record<string, unknown>): ShownUser['labels'] {
  if (typeof outcome !== 'string' || typeof knownAt !== 'string') return []
  return [
    {
      label: outcome as ShownUser['labels'][number]['label'],
      knownAt,
      ...(typeof dfrId === 'string' && { dfrId }),
      ...(typeof decisionId === 'string' && { decisionId }),
    },
  ]
}

type Values = NonNullable<ShownUser['usual']>['countries']

/** All sources together; undefined for an account without proven sessions. */
export function habitsOf(sources: Knowledge): ShownUser['usual'] {
  if (sources.length === 0) return undefined
  const of = (kind: Kind): Values => {
    const sessions = new Map<string, number>()
    for (const { values } of sources) {
      for (const [value, count] of values[kind]) sessions.set(value, (sessions.get(value) ?? 0) + count.sessions)
    }
    return [...sessions]
      .map(([value, count]) => ({ value, sessions: count }))
      .sort((a, b) => b.sessions - a.sessions || (a.value < b.value ? -1 : 1))
  }
  const sessions = sources.reduce((sum, source) => sum + source.sessions, 0)
  return {
    sessions,
    firstAt: isoTime(Math.min(...sources.map(({ firstAt }) => firstAt))),
    lastAt: isoTime(Math.max(...sources.map(({ lastAt }) => lastAt))),
    sources: sources.length,
    isEnough: sessions >= fewestForNew,
    countries: of('country'),
    networks: of('network'),
    operators: of('operator'),
    hours: of('hour'),
    numbers: of('number').length,
  }
}
