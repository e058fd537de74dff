// Whose line is this call about? The number in the body (2-legged token) or the one that the token speaks for (3-legged).

import type { FastifyReply, FastifyRequest } from 'fastify'
import Type, { type Static } from 'typebox'
import { accessTokenOf } from '../access.ts'
import { noteNumber } from '../call-log.ts'
import { injectFault } from '../fault-injection.ts'
import type { Line } from '../lines.ts'
import type { Network } from '../network.ts'
import { camaraNumberPattern, isValidNumber } from '../phone-number.ts'
import { Refusal } from './errors.ts'

/** The body of all calls that take nothing but a number. */
export const Subject = Type.Object({ phoneNumber: Type.Optional(Type.String({ pattern: camaraNumberPattern })) })
export type Subject = Static<typeof Subject>

const lineKey = 'line'

/** To be called once for every scope of routes that use `findsLine`. */
export const lineDecorator = lineKey

/**
 * A hook that finds the line, and lets its scenario speak first.
 * Throws Refusal: MISSING_IDENTIFIER, UNNECESSARY_IDENTIFIER, IDENTIFIER_NOT_FOUND (no valid number, or nobody serves it),
 * SERVICE_NOT_APPLICABLE (its operator offers no checks), or what the scenario says.
 */
export function findsLine(network: Network) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const digits = subjectOf(request.body as Subject, accessTokenOf(request).number)
    noteNumber(network.calls.of(request), digits)
    if (!isValidNumber(digits)) throw new Refusal('identifierNotFound')
    const line = network.lines.at(digits)
    const { refusal, fault } = line.scenario ?? {}
    if (refusal) throw new Refusal(refusal)
    if (line.operator === null) throw new Refusal('identifierNotFound')
    if (!line.operator.offersChecks) throw new Refusal('serviceNotApplicable')
    request.setDecorator(lineKey, line)
    if (fault && (await injectFault(fault, request, reply, network))) return reply
  }
}

/** The line that `findsLine` found. */
export function lineOf(request: FastifyRequest): Line {
  return request.getDecorator<Line>(lineKey)
}

function subjectOf(body: Subject, numberOfToken: string | undefined): string {
  if (numberOfToken !== undefined) {
    if (body.phoneNumber !== undefined) throw new Refusal('unnecessaryIdentifier')
    return numberOfToken
  }
  if (body.phoneNumber === undefined) throw new Refusal('missingIdentifier')
  return body.phoneNumber.slice(1)
}
