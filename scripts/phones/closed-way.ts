// How is a phone offline? Its way to the service is closed until a test opens it.

import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'

export interface Way {
  /** In place of the URL of the service. */
  readonly url: string
  open(): void
  close(): void
}

export async function closedWay(url: string): Promise<Way> {
  const { hostname, port } = new URL(url)
  let isOpen = false
  const server = createServer((phone) => {
    if (!isOpen) return phone.destroy()
    const service = connect(Number(port), hostname)
    for (const [one, other] of [
      [phone, service],
      [service, phone],
    ] as const) {
      one.on('error', () => other.destroy())
      one.pipe(other)
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    open() {
      isOpen = true
    },
    close() {
      server.close()
    },
  }
}
