// Who may use the admin API? Everyone on this machine, because all data of the sandbox is made up.

import { isIPv4 } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { Refusal } from '../camara/errors.ts'

/**
 * The admin API needs no credentials, by design. It only answers calls from this machine that use a host name of this machine:
 * neither the network nor a page in the developer's browser can change a sandbox.
 */
export function onlyFromThisMachine(app: FastifyInstance): void {
  app.addHook('onRequest', async (request) => {
    if (!isLoopbackAddress(request.ip) || !isLoopbackName(request.hostname)) {
      throw new Refusal(
        'permissionDenied',
        'The admin API only answers calls from this machine, at 127.0.0.1 or localhost.',
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
