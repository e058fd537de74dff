// Are the calls of a number forwarded, and in which cases? CAMARA Call Forwarding Signal 0.4.0.

import type { FastifyInstance } from 'fastify'
import { needsScope } from '../access.ts'
import type { Network } from '../network.ts'
import { validatesCorrelator } from './error-info.ts'
import { Refusal } from './errors.ts'
import { playedCall } from './played-checks.ts'
import { findsLine, lineOf, Subject } from './subject.ts'

const unconditional = playedCall('callForwarding', 'unconditional-call-forwardings')
const everyKind = playedCall('callForwarding', 'call-forwardings')

export async function callForwardingRoutes(app: FastifyInstance, network: Network): Promise<void> {
  app.post<{ Body: Subject }>(
    unconditional.path,
    {
      schema: { body: Subject },
      onRequest: [needsScope(network, ...unconditional.scopes), validatesCorrelator],
      preHandler: findsLine(network),
    },
    (request) => {
      const { forwarding } = lineOf(request)
      // `active` is optional in the schema; an operator that does not know leaves it out.
      return forwarding === null ? {} : { active: forwarding.includes('unconditional') }
    },
  )

  app.post<{ Body: Subject }>(
    everyKind.path,
    {
      schema: { body: Subject },
      onRequest: [needsScope(network, ...everyKind.scopes), validatesCorrelator],
      preHandler: findsLine(network),
    },
    (request) => {
      const { forwarding } = lineOf(request)
      if (forwarding === null) throw new Refusal('notImplemented')
      return forwarding.length === 0 ? ['inactive'] : forwarding
    },
  )
}
