// How does the operator answer the checks whose rows in the contract say it? One route for each of their CAMARA calls.

import { dateMistake, outOfRange, withoutRanges } from '@ringfence/contract'
import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { needsScope } from '../access.ts'
import type { Network } from '../network.ts'
import { validatesCorrelator } from './error-info.ts'
import { Refusal } from './errors.ts'
import { playedCall, playedChecks } from './played-checks.ts'
import { DeviceSubject, findsLine, lineOf, Subject } from './subject.ts'

export async function checkRoutes(app: FastifyInstance, network: Network): Promise<void> {
  for (const { name, camara, sandbox } of playedChecks) {
    const subject = camara.identifier === 'device' ? DeviceSubject : Subject
    for (const { resource, Body = {}, served } of camara.calls) {
      const respond = sandbox.respond[resource]
      if (!respond) throw new Error(`the sandbox of ${name} does not answer ${resource}`)
      const { path, scopes } = playedCall(name, resource)
      app.post(
        path,
        {
          schema: { body: Type.Object({ ...subject.properties, ...withoutRanges(Body) }) },
          onRequest: [needsScope(network, ...scopes), validatesCorrelator],
          preHandler: findsLine(network),
        },
        (request) => {
          const body = request.body as object
          const mistake = outOfRange(Body, body) ?? dateMistake(Body, body, network.clock.now())
          const hasRanges = camara.refusals?.OUT_OF_RANGE !== undefined
          if (mistake !== undefined) throw new Refusal(hasRanges ? 'outOfRange' : 'invalidArgument', mistake)
          if (served && served.params(body) === undefined) throw new Refusal('invalidParamCombination')
          const { scenario } = lineOf(request)
          const facts = scenario?.check === name ? scenario.facts : sandbox.ordinary
          return respond(facts, body, network.clock.now())
        },
      )
    }
  }
}
