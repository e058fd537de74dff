// Which routes answer the calls of the checks? One for each call and version; subscriber/answers.ts has what they answer.

import { camaraRequest, dateMistake, knownTo, outOfRange } from '@ringfence/contract'
import type { FastifyInstance } from 'fastify'
import { needsScope } from '../access.ts'
import type { Network } from '../network.ts'
import { answers } from '../subscriber/answers.ts'
import { validatesCorrelator } from './error-info.ts'
import { Refusal } from './errors.ts'
import { checkCalls } from './played-calls.ts'
import { findsLine, lineOf } from './subject.ts'

export async function checkRoutes(app: FastifyInstance, network: Network): Promise<void> {
  for (const { check, api, version, call, path, scopes } of checkCalls) {
    const { Body = {}, served } = call
    const respond = answers[check][call.resource]
    if (!respond) throw new Error(`the sandbox has no answer to ${call.resource} of ${check}`)
    app.post(
      path,
      {
        schema: { body: camaraRequest(api, call, version) },
        onRequest: [needsScope(network, ...scopes), validatesCorrelator],
        preHandler: findsLine(network),
      },
      (request) => {
        const body = knownTo(version, request.body as Record<string, unknown>)
        const mistake = outOfRange(Body, body) ?? dateMistake(Body, body, network.clock.now())
        const hasRanges = api.refusals?.OUT_OF_RANGE !== undefined
        if (mistake !== undefined) throw new Refusal(hasRanges ? 'outOfRange' : 'invalidArgument', mistake)
        if (served && served.params(body) === undefined) throw new Refusal('invalidParamCombination')
        return respond(lineOf(request), body, network.clock.now())
      },
    )
  }
}
