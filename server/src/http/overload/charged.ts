// Who pays for the time that a request takes? Its flow, when reading the body and starting the work took longer than most.

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FlowName } from '../../heavy-work/waiting-line.ts'
import type { HttpNeeds } from '../room.ts'

/** Most requests take less, and nobody looks whose they are. */
const chargedMs = 1

export type Step = (request: FastifyRequest, reply: FastifyReply, done: () => void) => void

/**
 * Measures a step of a request until it waits for something. Fastify makes the next steps within `done`, so that of reading a body
 * includes the check of its schema and the beginning of the handler.
 */
export const charged =
  (
    step: Step,
    { heavyWork: { overload } }: Pick<HttpNeeds, 'heavyWork'>,
    flowOf: (request: FastifyRequest) => FlowName,
  ): Step =>
  (request, reply, done) => {
    const from = performance.now()
    try {
      step(request, reply, done)
    } finally {
      const ms = performance.now() - from
      if (ms > chargedMs) overload.charge(flowOf(request), ms)
    }
  }
