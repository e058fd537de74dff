// When was the SIM of a number last changed? CAMARA SIM Swap 2.1.0.

import type { FastifyInstance } from 'fastify'
import Type, { type Static } from 'typebox'
import { needsScope } from '../access.ts'
import { type Line, simChangedWithin } from '../lines.ts'
import type { Network } from '../network.ts'
import { validatesCorrelator } from './error-info.ts'
import { Refusal } from './errors.ts'
import { findsLine, lineOf, Subject } from './subject.ts'

const defaultMaxAgeHours = 240
const longestMaxAgeHours = 2_400

const CheckRequest = Type.Object({ ...Subject.properties, maxAge: Type.Optional(Type.Integer()) })
type CheckRequest = Static<typeof CheckRequest>

export async function simSwapRoutes(app: FastifyInstance, network: Network): Promise<void> {
  app.post<{ Body: CheckRequest }>(
    '/sim-swap/v2/check',
    {
      schema: { body: CheckRequest },
      onRequest: [needsScope(network, 'sim-swap:check', 'sim-swap'), validatesCorrelator],
      preHandler: findsLine(network),
    },
    (request) => {
      const line = lineOf(request)
      const maxAgeHours = allowedWindow(request.body.maxAge, line)
      return { swapped: simChangedWithin(line, maxAgeHours, network.clock.now()) }
    },
  )

  app.post<{ Body: Subject }>(
    '/sim-swap/v2/retrieve-date',
    {
      schema: { body: Subject },
      onRequest: [needsScope(network, 'sim-swap:retrieve-date', 'sim-swap'), validatesCorrelator],
      preHandler: findsLine(network),
    },
    (request) => permittedDate(lineOf(request), network.clock.now()),
  )
}

/** The window in hours. Default: 240 as in CAMARA, or the operator's limit if that is shorter. Throws Refusal OUT_OF_RANGE. */
function allowedWindow(maxAge: number | undefined, { lookBackHours }: Line): number {
  if (maxAge === undefined) return Math.min(defaultMaxAgeHours, lookBackHours ?? defaultMaxAgeHours)
  if (maxAge < 1 || maxAge > longestMaxAgeHours) {
    throw new Refusal('outOfRange', `maxAge must be from 1 to ${longestMaxAgeHours} hours.`)
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
