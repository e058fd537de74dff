// How does a test get a publisher of data? A server on loopback with responses that the test changes.

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { atEnd, type Ending } from '../../testing/at-end.ts'

export interface Publisher {
  readonly url: string
  /** By path. Other paths are 404. */
  readonly answers: Record<string, { status?: number; body: string | Uint8Array; cutShort?: boolean }>
}

/** Closed with the test. */
export async function startPublisher(t: Ending): Promise<Publisher> {
  const answers: Publisher['answers'] = {}
  const server = createServer(({ url = '' }, response) => {
    const { status = 200, body, cutShort } = answers[url] ?? { status: 404, body: 'Not Found' }
    const length = Buffer.byteLength(body)
    response.writeHead(status, { 'content-length': length })
    if (!cutShort) response.end(body)
    else response.write(Buffer.from(body).subarray(0, length / 2), () => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(t, () => server.close())
  return { answers, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}
