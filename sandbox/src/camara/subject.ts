// Which line is this call about? The number in the body (two-legged token), or the number of the token (three-legged).

import type { FastifyReply, FastifyRequest } from 'fastify'
import { accessTokenOf } from '../access.ts'
import { logNumber } from '../call-log.ts'
import { injectFault } from '../fault-injection.ts'
import type { Line } from '../lines.ts'
import type { Network } from '../network.ts'
import { isValidNumber } from '../phone-number.ts'
import { Refusal } from './errors.ts'

/** How a body names the number: one API has `phoneNumber`, another one a `device`. */
interface Subject {
  readonly phoneNumber?: string
  readonly device?: { readonly phoneNumber?: string }
}

const lineKey = 'line'

/** Name of the request decorator; the app must declare it before routes use `findsLine`. */
export const lineDecorator = lineKey

/**
 * Makes a hook that finds the line and applies its scenario.
 * Throws Refusal: MISSING_IDENTIFIER, UNSUPPORTED_IDENTIFIER, UNNECESSARY_IDENTIFIER, IDENTIFIER_NOT_FOUND (not a valid number, or no operator serves
 * it), SERVICE_NOT_APPLICABLE (its operator offers no checks), or the refusal of the scenario.
 */
export function findsLine(network: Network) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const digits = subjectOf(request.body as Subject, accessTokenOf(request).number)
    logNumber(network.calls.of(request), digits)
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
  const phoneNumber = body.phoneNumber ?? body.device?.phoneNumber
  if (numberOfToken !== undefined) {
    if (phoneNumber !== undefined) throw new Refusal('unnecessaryIdentifier')
    return numberOfToken
  }
  if (phoneNumber === undefined) throw new Refusal(body.device ? 'unsupportedIdentifier' : 'missingIdentifier')
  return phoneNumber.slice(1)
}
