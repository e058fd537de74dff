// The floor: bare node:http that reads each body and sends the same bytes, after one upstream call where one is configured.

import { createServer, type OutgoingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Pool } from 'undici'
import { givenOptions } from '../harness/processes.ts'
import { serving } from '../harness/servers.ts'

export interface BareHttpOptions {
  headers: OutgoingHttpHeaders
  body: string
  upstream?: { url: string; path: string }
}

const { headers, body, upstream } = givenOptions<BareHttpOptions>()
const pool = upstream && new Pool(upstream.url, { connections: 100, allowH2: false })

async function askUpstream(question: string): Promise<void> {
  const answer = await pool!.request({
    method: 'POST',
    path: upstream!.path,
    headers: { 'content-type': 'application/json' },
    body: question,
  })
  JSON.parse(await answer.body.text())
}

const server = createServer((request, response) => {
  let question = ''
  request.setEncoding('utf8')
  request.on('data', (chunk: string) => {
    question += chunk
  })
  request.on('end', async () => {
    JSON.parse(question)
    if (pool) await askUpstream(question)
    response.writeHead(200, headers).end(body)
  })
})
server.listen(0, '127.0.0.1', () => serving(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
