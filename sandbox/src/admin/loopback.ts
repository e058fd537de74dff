// Who may use the admin surface? Whoever is on this machine: there is nothing but made-up data behind it.

import { isIPv4 } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { Refusal } from '../camara/errors.ts'

/**
 * The admin surface asks for no credentials, by design. So that a sandbox that listens to a network cannot be changed from
 * there, nor by a page in the developer's browser, it answers only to this machine, under a name of this machine.
 */
export function onlyFromThisMachine(app: FastifyInstance): void {
  app.addHook('onRequest', async (request) => {
    if (!isLoopbackAddress(request.ip) || !isLoopbackName(request.hostname)) {
      throw new Refusal(
        'permissionDenied',
        'The admin surface answers only on this machine, at 127.0.0.1 or localhost.',
      )
    }
  })
}

function isLoopbackAddress(address: string): boolean {
  const ipv4 = address.replace(/^::ffff:/, '')
  return address === '::1' || (isIPv4(ipv4) && ipv4.startsWith('127.'))
}

function isLoopbackName(hostname: string): boolean {
  const name = hostname.replace(/^\[|\]$/g, '')
  return name === 'localhost' || isLoopbackAddress(name)
}
