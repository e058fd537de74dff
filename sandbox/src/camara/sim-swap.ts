// When was the SIM of a number last changed? CAMARA SIM Swap 2.1.0.

import type { FastifyInstance } from 'fastify'
import Type, { type Static } from 'typebox'
import { needsScope } from '../access.ts'
import { type Line, simChangedWithin } from '../lines.ts'
import type { Network } from '../network.ts'
import { needsGoodCorrelator } from './error-info.ts'
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
      onRequest: [needsScope(network, 'sim-swap:check', 'sim-swap'), needsGoodCorrelator],
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
      onRequest: [needsScope(network, 'sim-swap:retrieve-date', 'sim-swap'), needsGoodCorrelator],
      preHandler: findsLine(network),
    },
    (request) => tellableDate(lineOf(request), network.clock.now()),
  )
}

/** Left out, the window is CAMARA's 240 hours, or the operator's limit where that is shorter. Throws Refusal OUT_OF_RANGE. */
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

/** A change before the limit may not be told: null, with the days that the operator may look back. */
function tellableDate(line: Line, nowMs: number): { latestSimChange: string | null; monitoredPeriod?: number } {
  const { latestSimChange, lookBackHours } = line
  const tellable = simChangedWithin(line, lookBackHours ?? Number.POSITIVE_INFINITY, nowMs)
  if (tellable && latestSimChange !== null) return { latestSimChange }
  const days = lookBackHours === null ? line.monitoredPeriodDays : Math.floor(lookBackHours / 24)
  return days === null ? { latestSimChange: null } : { latestSimChange: null, monitoredPeriod: days }
}
