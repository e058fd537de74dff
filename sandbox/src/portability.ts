// Which operator serves a number, and which one was it allocated to? A portability source of the sandbox; CAMARA has none.

import type { FastifyInstance } from 'fastify'
import Type, { type Static } from 'typebox'
import { needsScope } from './access.ts'
import { logNumber } from './call-log.ts'
import { validatesCorrelator } from './camara/error-info.ts'
import { Refusal } from './camara/errors.ts'
import type { Network } from './network.ts'
import type { Operator } from './operators.ts'
import { digitsPattern, isValidNumber } from './phone-number.ts'

const NumberInPath = Type.Object({ digits: Type.String({ pattern: digitsPattern }) })

/** The response of `GET /portability/v1/numbers/{digits}`. */
export interface NumberRecord {
  number: string
  operator: { id: string; name: string }
  homeOperator: { id: string; name: string }
  /** Whether the serving operator differs from the home operator. */
  ported: boolean
}

export async function portabilityRoutes(app: FastifyInstance, network: Network): Promise<void> {
  app.get<{ Params: Static<typeof NumberInPath> }>(
    '/portability/v1/numbers/:digits',
    {
      schema: { params: NumberInPath },
      onRequest: [needsScope(network, 'portability:read'), validatesCorrelator],
    },
    (request): NumberRecord => {
      const { digits } = request.params
      logNumber(network.calls.of(request), digits)
      if (!isValidNumber(digits)) throw new Refusal('identifierNotFound')
      const { scenario, operator, homeOperator } = network.lines.at(digits)
      if (scenario?.portabilityRefusal) throw new Refusal(scenario.portabilityRefusal)
      if (operator === null || homeOperator === null) throw new Refusal('identifierNotFound')
      return {
        number: digits,
        operator: named(operator),
        homeOperator: named(homeOperator),
        ported: operator.id !== homeOperator.id,
      }
    },
  )
}

/** The public fields of an operator. */
export function named({ id, name }: Operator): { id: string; name: string } {
  return { id, name }
}
