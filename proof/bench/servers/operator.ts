// A mobile operator: the CAMARA APIs of all checks and their token endpoint on bare node:http, without checks of what is sent.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { givenOptions } from '../harness/processes.ts'
import { serving } from '../harness/servers.ts'

export interface OperatorOptions {
  /** How long it thinks; absent: it answers at once. */
  readonly delayMs?: number
  /** One of so many requests gets a 503. */
  readonly faultEvery?: number
}

const { delayMs = 0, faultEvery = Number.POSITIVE_INFINITY } = givenOptions<OperatorOptions>()
const token = JSON.stringify({ access_token: 'bench', token_type: 'Bearer', expires_in: 3600 })
/** Each API reads its own fields. */
const answer = JSON.stringify({
  swapped: false,
  active: false,
  phoneNumberRecycled: false,
  tenureDateCheck: true,
  givenNameMatch: 'true',
  verificationResult: 'TRUE',
  lastStatusTime: new Date().toISOString(),
  roaming: false,
  reachable: true,
  connectivity: ['DATA', 'SMS'],
})
let asked = 0

const server = createServer((request, response) => {
  request.resume()
  request.on('end', async () => {
    const isToken = request.url === '/oauth2/token'
    const body = isToken ? token : answer
    const status = !isToken && ++asked % faultEvery === 0 ? 503 : 200
    if (delayMs > 0 && !isToken) await setTimeout(delayMs)
    response.writeHead(status, {
      'content-type': 'application/json',
      'content-length': body.length,
      'x-correlator': request.headers['x-correlator'] ?? '',
    })
    response.end(body)
  })
})
server.listen(0, '127.0.0.1', () => serving(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
