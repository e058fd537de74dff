// Where does a server of a program listen? On a free port of this machine, until the run ends.

import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { RunOptions } from '../promise.ts'

/** Returns its URL. */
export async function listening(server: Server, { after }: Pick<RunOptions, 'after'>): Promise<string> {
  server.keepAliveTimeout = 60_000
  await once(server.listen(0, '127.0.0.1'), 'listening')
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
