// When was the SIM of a number last changed? CAMARA SIM Swap 2.1.0.

import { camaraMaxAgeHours, maxAgeHours } from '@ringfence/contract'
import type { FastifyInstance } from 'fastify'
import Type, { type Static } from 'typebox'
import { needsScope } from '../access.ts'
import { type Line, simChangedWithin } from '../lines.ts'
import type { Network } from '../network.ts'
import { validatesCorrelator } from './error-info.ts'
import { Refusal } from './errors.ts'
import { playedCall } from './played-checks.ts'
import { findsLine, lineOf, Subject } from './subject.ts'

const check = playedCall('simSwap', 'check')
const retrieveDate = playedCall('simSwap', 'retrieve-date')
const { minimum, maximum } = maxAgeHours

const CheckRequest = Type.Object({ ...Subject.properties, maxAge: Type.Optional(Type.Integer()) })
type CheckRequest = Static<typeof CheckRequest>

export async function simSwapRoutes(app: FastifyInstance, network: Network): Promise<void> {
  app.post<{ Body: CheckRequest }>(
    check.path,
    {
      schema: { body: CheckRequest },
      onRequest: [needsScope(network, ...check.scopes), validatesCorrelator],
      preHandler: findsLine(network),
    },
    (request) => {
      const line = lineOf(request)
      return { swapped: simChangedWithin(line, allowedWindow(request.body.maxAge, line), network.clock.now()) }
    },
  )

  app.post<{ Body: Subject }>(
    retrieveDate.path,
    {
      schema: { body: Subject },
      onRequest: [needsScope(network, ...retrieveDate.scopes), validatesCorrelator],
      preHandler: findsLine(network),
    },
    (request) => permittedDate(lineOf(request), network.clock.now()),
  )
}

/** The window in hours. Default: 240 as in CAMARA, or the operator's limit if that is shorter. Throws Refusal OUT_OF_RANGE. */
function allowedWindow(maxAge: number | undefined, { lookBackHours }: Line): number {
  if (maxAge === undefined) return Math.min(camaraMaxAgeHours, lookBackHours ?? camaraMaxAgeHours)
  if (maxAge < minimum || maxAge > maximum) {
    throw new Refusal('outOfRange', `maxAge must be from ${minimum} to ${maximum} hours.`)
  }
  if (lookBackHours !== null && maxAge > lookBackHours) {
    throw new Refusal('outOfRange', `Check monitor period could not exceed local regulations (${lookBackHours} hours).`)
  }
  return maxAge
}

/** The date of the change. null, with the days that the operator may look back, when the change was earlier than that. */
function permittedDate(line: Line, nowMs: number): { latestSimChange: string | null; monitoredPeriod?: number } {
  const { latestSimChange, lookBackHours } = line
  const permitted = simChangedWithin(line, lookBackHours ?? Number.POSITIVE_INFINITY, nowMs)
  if (permitted && latestSimChange !== null) return { latestSimChange }
  const days = lookBackHours === null ? line.monitoredPeriodDays : Math.floor(lookBackHours / 24)
  return days === null ? { latestSimChange: null } : { latestSimChange: null, monitoredPeriod: days }
}
