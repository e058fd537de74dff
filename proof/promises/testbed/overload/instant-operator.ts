// An operator that answers at once without any checks, so that a load test measures only the service.

import { createServer, type IncomingMessage } from 'node:http'
import type { Config } from '../../../../server/src/core/config/config.ts'
import { sandboxParts } from '../../../../server/src/testing/test-service.ts'
import type { RunOptions } from '../../promise.ts'
import { listening } from '../local-server.ts'

/** The configuration that makes it every operator, and the portability source. */
export async function startInstantOperator(run: Pick<RunOptions, 'after'>): Promise<Omit<Config, 'settings'>> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      const body = JSON.stringify(answerTo(request))
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body)
    })
  })
  return sandboxParts({ url: await listening(server, run) })
}

function answerTo({ url = '' }: IncomingMessage): unknown {
  if (url === '/oauth2/token') return { access_token: 'instant', token_type: 'Bearer', expires_in: 3600 }
  const number = /^\/portability\/v1\/numbers\/(\d+)$/.exec(url)?.[1]
  if (number === undefined) return { swapped: false, active: false }
  const operator = { id: '001-01', name: 'SANDBOX_NORTH' }
  return { number, operator, homeOperator: operator, ported: false }
}
