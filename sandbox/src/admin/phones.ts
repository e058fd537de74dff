// Which phone calls from an IP address, and over which connection? For a test of Number Verification.

import { isIP } from 'node:net'
import type { FastifyInstance } from 'fastify'
import Type, { type Static } from 'typebox'
import { Refusal } from '../camara/errors.ts'
import type { Network } from '../network.ts'
import { connections } from '../phone.ts'
import { digitsPattern, isValidNumber } from '../phone-number.ts'
import { phonesLimit } from '../phones.ts'

const AddressInPath = Type.Object({ address: Type.String({ maxLength: 64 }) })

const PhoneToSet = Type.Object(
  {
    number: Type.String({ pattern: digitsPattern }),
    connection: Type.Enum([...connections]),
    consentMissing: Type.Optional(Type.Boolean()),
    identifiedOtherwise: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
)

export async function phoneRoutes(app: FastifyInstance, { phones }: Network): Promise<void> {
  type ByAddress = { Params: Static<typeof AddressInPath> }
  const params = AddressInPath

  app.get('/sandbox/phones', () => ({ phones: phones.all() }))

  app.put<ByAddress & { Body: Static<typeof PhoneToSet> }>(
    '/sandbox/phones/:address',
    { schema: { params, body: PhoneToSet } },
    (request) => {
      const address = addressOf(request.params.address)
      if (!isValidNumber(request.body.number)) {
        throw new Refusal('invalidArgument', 'number must be a valid phone number, in digits with the country code.')
      }
      if (!phones.set(address, request.body)) {
        throw new Refusal('conflict', `${phonesLimit} phones are already set: remove them with DELETE /sandbox/phones.`)
      }
      return { address, ...request.body }
    },
  )

  app.delete<ByAddress>('/sandbox/phones/:address', { schema: { params } }, (request, reply) => {
    phones.remove(addressOf(request.params.address))
    return reply.code(204).send()
  })

  app.delete('/sandbox/phones', (_request, reply) => {
    phones.remove()
    return reply.code(204).send()
  })
}

function addressOf(text: string): string {
  if (isIP(text) === 0) throw new Refusal('invalidArgument', 'The address must be an IP address, such as 127.0.0.1.')
  return text
}
