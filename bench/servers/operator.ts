// A mobile operator that answers at once: CAMARA SIM Swap and its token endpoint on bare node:http, without checks.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serving } from '../harness/servers.ts'

const token = JSON.stringify({ access_token: 'bench', token_type: 'Bearer', expires_in: 3600 })
const answer = JSON.stringify({ swapped: false })

const server = createServer((request, response) => {
  request.resume()
  request.on('end', () => {
    const body = request.url === '/oauth2/token' ? token : answer
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-length': body.length,
      'x-correlator': request.headers['x-correlator'] ?? '',
    })
    response.end(body)
  })
})
server.listen(0, '127.0.0.1', () => serving(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
