// How can the sandbox be inspected and changed? With the admin API, `/sandbox/…`: no credentials, this machine only.

import type { FastifyInstance } from 'fastify'
import Type, { type Static } from 'typebox'
import { callLogLength } from '../call-log.ts'
import type { Network } from '../network.ts'
import { scenarios } from '../scenarios.ts'
import { clockRoutes } from './clock.ts'
import { faultRoutes } from './faults.ts'
import { onlyFromThisMachine } from './loopback.ts'
import { numberRoutes } from './numbers.ts'
import { phoneRoutes } from './phones.ts'

const CallsQuery = Type.Object({ last: Type.Optional(Type.String({ pattern: '^[1-9][0-9]{0,3}$' })) })

export async function adminRoutes(app: FastifyInstance, network: Network): Promise<void> {
  onlyFromThisMachine(app)
  await numberRoutes(app, network)
  await phoneRoutes(app, network)
  await clockRoutes(app, network)
  await faultRoutes(app, network)

  app.get('/sandbox/messages', () => ({ messages: network.sentCodes.messages() }))

  app.get('/sandbox/scenarios', () => ({ scenarios }))

  app.get<{ Querystring: Static<typeof CallsQuery> }>(
    '/sandbox/calls',
    { schema: { querystring: CallsQuery } },
    (request) => ({ calls: network.calls.last(Number(request.query.last ?? callLogLength)) }),
  )

  app.delete('/sandbox/calls', (_request, reply) => {
    network.calls.clear()
    return reply.code(204).send()
  })

  /** Resets everything to the state after the start; access tokens become invalid too. */
  app.delete('/sandbox/changes', (_request, reply) => {
    network.lines.reset()
    network.phones.remove()
    network.clock.reset()
    network.faults.switchAllOff()
    network.calls.clear()
    network.sentCodes.clear()
    network.tokens.clear()
    network.authorizationCodes.clear()
    return reply.code(204).send()
  })
}
