// What may a route use? Everything that the operator consists of, assembled once in start-sandbox.ts.

import type { CallLog } from './call-log.ts'
import type { MovableClock } from './clock.ts'
import type { PendingFaults } from './fault-injection.ts'
import type { Faults } from './faults.ts'
import type { Lines } from './lines.ts'
import type { AccessTokens } from './oauth/access-tokens.ts'
import type { Assertions } from './oauth/assertion.ts'
import type { Clients } from './oauth/clients.ts'

export interface Network {
  readonly clock: MovableClock
  readonly lines: Lines
  readonly faults: Faults
  readonly pendingFaults: PendingFaults
  readonly calls: CallLog
  readonly clients: Clients
  readonly tokens: AccessTokens
  readonly assertions: Assertions
  /** The address under which clients know this server, without a slash at the end; known once it listens. */
  issuer(): string
}
