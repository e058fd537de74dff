// Who has this phone? CAMARA one-time-password-sms 1.1: the operator makes a code, sends it in the text of its client, and compares it.

import { randomInt, randomUUID } from 'node:crypto'
import { camaraNumberPattern } from '@ringfence/contract'
import type { FastifyInstance } from 'fastify'
import Type, { type Static } from 'typebox'
import { needsScope } from '../access.ts'
import { logNumber } from '../call-log.ts'
import { injectFault } from '../fault-injection.ts'
import type { Network } from '../network.ts'
import { isValidNumber } from '../phone-number.ts'
import { validatesCorrelator } from './error-info.ts'
import { Refusal } from './errors.ts'
import { otpRoutes, otpScope } from './sent-codes.ts'

const codeMs = 5 * 60_000
const mostAttempts = 3
const mostCodesPerHour = 10
/** The oldest is forgotten. */
const mostSent = 1000

const SendRequest = Type.Object({
  phoneNumber: Type.String({ pattern: camaraNumberPattern }),
  message: Type.String({ pattern: '\\{\\{code\\}\\}', maxLength: 160 }),
})
type SendRequest = Static<typeof SendRequest>

const ValidateRequest = Type.Object({
  authenticationId: Type.String({ minLength: 1, maxLength: 36 }),
  code: Type.String({ minLength: 1, maxLength: 10 }),
})
type ValidateRequest = Static<typeof ValidateRequest>

export async function oneTimePasswordRoutes(app: FastifyInstance, network: Network): Promise<void> {
  const { clock, lines } = network
  const sent = network.sentCodes.byId
  const onRequest = [needsScope(network, otpScope), validatesCorrelator]

  app.post<{ Body: SendRequest }>(
    otpRoutes[0],
    { schema: { body: SendRequest }, onRequest },
    async (request, reply) => {
      const { phoneNumber, message } = request.body
      const digits = phoneNumber.slice(1)
      logNumber(network.calls.of(request), digits)
      const line = isValidNumber(digits) ? lines.at(digits) : undefined
      if (!line?.operator?.offersChecks) throw new Refusal('numberNotAllowed')
      if (line.scenario?.fault && (await injectFault(line.scenario.fault, request, reply, network))) return reply
      const now = clock.now()
      const recent = [...sent.values()].filter((one) => one.phoneNumber === phoneNumber && one.sentMs > now - 3_600_000)
      if (recent.length >= mostCodesPerHour) throw new Refusal('tooManyCodes')
      const code = String(randomInt(1_000_000)).padStart(6, '0')
      const authenticationId = randomUUID()
      const text = message.replaceAll('{{code}}', code)
      sent.set(authenticationId, {
        ...{ at: new Date(now).toISOString(), phoneNumber, text },
        ...{ code, sentMs: now, attempts: 0, isUsed: false },
      })
      const [oldest] = sent.keys()
      if (sent.size > mostSent && oldest !== undefined) sent.delete(oldest)
      return { authenticationId }
    },
  )

  app.post<{ Body: ValidateRequest }>(
    otpRoutes[1],
    { schema: { body: ValidateRequest }, onRequest },
    (request, reply) => {
      const found = sent.get(request.body.authenticationId)
      if (!found) throw new Refusal('notFound')
      if (found.isUsed || clock.now() - found.sentMs > codeMs) throw new Refusal('codeExpired')
      if (found.attempts >= mostAttempts) throw new Refusal('codeFailed')
      found.attempts++
      if (found.code !== request.body.code) throw new Refusal('codeWrong')
      found.isUsed = true
      return reply.code(204).send()
    },
  )
}
