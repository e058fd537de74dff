// Which faults are on, and how do you switch them on and off?

import type { FastifyInstance } from 'fastify'
import Type, { type Static } from 'typebox'
import { Refusal } from '../camara/errors.ts'
import { readFault } from '../faults.ts'
import type { Network } from '../network.ts'

const FaultInPath = Type.Object({ id: Type.String({ pattern: '^[1-9][0-9]{0,14}$' }) })

export async function faultRoutes(app: FastifyInstance, { faults }: Network): Promise<void> {
  app.get('/sandbox/faults', () => ({ faults: faults.active() }))

  app.post('/sandbox/faults', (request, reply) => reply.code(201).send(faults.switchOn(readFault(request.body))))

  app.delete<{ Params: Static<typeof FaultInPath> }>(
    '/sandbox/faults/:id',
    { schema: { params: FaultInPath } },
    (request, reply) => {
      if (!faults.switchOff(Number(request.params.id)))
        throw new Refusal('notFound', 'No active fault has this id; GET /sandbox/faults lists them.')
      return reply.code(204).send()
    },
  )

  app.delete('/sandbox/faults', (_request, reply) => {
    faults.switchAllOff()
    return reply.code(204).send()
  })
}
