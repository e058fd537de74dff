// How is this server seen by the others of its store, and by who asks whether it is ready?

import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'
import type { StoreKeyring } from '../crypto/keyring.ts'
import type { Database } from '../storage/database.ts'
import { leaseRequests } from '../storage/servers/request-counts.ts'
import { readiness } from './readiness.ts'
import type { ServersDoor } from './room.ts'
import type { Servers } from './servers.ts'

export interface ServersResources {
  database: Database
  keyring: StoreKeyring
  clock: Clock
  log: Logger
  servers: Servers
  /** How far the machine's clock is ahead of the store's. */
  clockSkewMs(): number | undefined
}

export function openServers({ database, keyring, clock, log, servers, clockSkewMs }: ServersResources): ServersDoor {
  let isLeaving = false
  let isReplaced = false
  return {
    readiness: readiness({ database, clock, log }),
    requestCounts: {
      clock,
      servers,
      lease: (requests, window) => leaseRequests(database, requests, window),
      hash: (text) =>
        Buffer.from(keyring.hashSecret(`request count ${text}`))
          .subarray(0, 16)
          .toString('hex'),
    },
    clockSkewMs,
    draining: () => isLeaving && !isReplaced,
    leaving: () => isLeaving,
    drain(byAnother = false) {
      isReplaced = byAnother
      isLeaving = true
    },
  }
}
