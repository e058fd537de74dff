// Does the phone of an access token have this number? CAMARA Number Verification 2.1.

import { hash } from 'node:crypto'
import { camaraNumberPattern, numberVerificationApi, releasedPath } from '@ringfence/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Type, { type Static } from 'typebox'
import { accessTokenOf, needsScope } from '../access.ts'
import { logNumber } from '../call-log.ts'
import { injectFault } from '../fault-injection.ts'
import type { Network } from '../network.ts'
import { validatesCorrelator } from './error-info.ts'
import { Refusal } from './errors.ts'

const VerifyRequest = Type.Object(
  {
    phoneNumber: Type.Optional(Type.String({ pattern: camaraNumberPattern })),
    hashedPhoneNumber: Type.Optional(Type.String({ pattern: '^[a-fA-F0-9]{64}$' })),
  },
  { additionalProperties: false, minProperties: 1, maxProperties: 1 },
)
type VerifyRequest = Static<typeof VerifyRequest>

const { api, verify, share } = numberVerificationApi
const path = releasedPath(api)

export async function numberVerificationRoutes(app: FastifyInstance, network: Network): Promise<void> {
  app.post<{ Body: VerifyRequest }>(
    `${path}/${verify.resource}`,
    {
      schema: { body: VerifyRequest },
      onRequest: [needsScope(network, verify.scope, api), validatesCorrelator],
      preHandler: identifiesPhone(network),
    },
    (request): Static<typeof verify.Response> => {
      const { phoneNumber, hashedPhoneNumber } = request.body
      const number = `+${numberOf(request)}`
      return {
        devicePhoneNumberVerified:
          hashedPhoneNumber === undefined
            ? phoneNumber === number
            : hashedPhoneNumber.toLowerCase() === hash('sha256', number, 'hex'),
      }
    },
  )

  app.get(
    `${path}/${share.resource}`,
    {
      onRequest: [needsScope(network, share.scope, api), validatesCorrelator],
      preHandler: identifiesPhone(network),
    },
    (request): Static<typeof share.Response> => ({ devicePhoneNumber: `+${numberOf(request)}` }),
  )
}

const numberOf = (request: FastifyRequest): string => accessTokenOf(request).number!

/**
 * Makes a hook that uses the token up, as it is for one call. Throws Refusal: USER_NOT_AUTHENTICATED_BY_MOBILE_NETWORK, also for a
 * token that belongs to no phone, or the refusal of the scenario of the phone's number.
 */
function identifiesPhone(network: Network) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const token = accessTokenOf(request)
    const { number, grant, byNetwork } = token
    if (number === undefined) throw new Refusal('notAuthenticatedByNetwork')
    network.tokens.useUp(token)
    logNumber(network.calls.of(request), number)
    if (grant !== 'authorization_code' || !byNetwork) throw new Refusal('notAuthenticatedByNetwork')
    const { refusal, fault } = network.lines.at(number).scenario ?? {}
    if (refusal) throw new Refusal(refusal)
    if (fault && (await injectFault(fault, request, reply, network))) return reply
  }
}
