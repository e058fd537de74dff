// How often is an operator asked about each number? A CAMARA operator that counts, and answers after a moment.

import { createServer } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { bodyOf } from '../../../../server/src/testing/body-of.ts'
import type { RunOptions } from '../../promise.ts'
import { listening } from '../local-server.ts'
import { operatorSecret } from '../operator.ts'
import type { ServeOptions } from '../serve.ts'
import { noParts } from '../stores.ts'

export interface CountingOperator extends Pick<ServeOptions, 'parts' | 'environment'> {
  /** SIM swap checks, by number with a plus sign. */
  readonly asked: ReadonlyMap<string, number>
}

/** All numbers are its own. */
export async function startCountingOperator(
  run: Pick<RunOptions, 'after'>,
  delayMs: number,
): Promise<CountingOperator> {
  const asked = new Map<string, number>()
  const server = createServer(async (request, response) => {
    const body = await bodyOf(request)
    response.setHeader('content-type', 'application/json')
    if (request.url === '/token') {
      response.end(JSON.stringify({ access_token: 'token', token_type: 'Bearer', expires_in: 3600 }))
      return
    }
    const { phoneNumber } = JSON.parse(body)
    asked.set(phoneNumber, (asked.get(phoneNumber) ?? 0) + 1)
    await wait(delayMs)
    response.end(JSON.stringify({ swapped: false }))
  })
  const url = await listening(server, run)
  const token = {
    endpoint: `${url}/token`,
    clientId: 'ringfence',
    authentication: 'client_secret_basic',
    clientSecret: { env: 'OPERATOR_SECRET' },
  }
  const connector = { type: 'camara', baseUrl: url, token, simSwap: {}, timeoutMs: 30_000, connectTimeoutMs: 30_000 }
  return {
    asked,
    environment: { OPERATOR_SECRET: operatorSecret },
    parts: {
      ...noParts,
      connectors: { counting: connector },
      routing: { otherwise: [{ connector: 'counting' }] },
    },
  }
}
