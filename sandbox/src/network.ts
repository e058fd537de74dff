// What can a route use? All parts of the sandbox operator, assembled in start-sandbox.ts.

import type { CallLog } from './call-log.ts'
import type { SentCodes } from './camara/sent-codes.ts'
import type { MovableClock } from './clock.ts'
import type { Faults } from './faults.ts'
import type { Lines } from './lines.ts'
import type { AccessTokens } from './oauth/access-tokens.ts'
import type { Assertions } from './oauth/assertion.ts'
import type { AuthorizationCodes } from './oauth/authorization-codes.ts'
import type { Clients } from './oauth/clients.ts'
import type { IdTokens } from './oauth/id-tokens.ts'
import type { Phones } from './phones.ts'
import type { ResponseFaults } from './response-faults.ts'

export interface Network {
  readonly clock: MovableClock
  readonly lines: Lines
  readonly phones: Phones
  readonly faults: Faults
  readonly responseFaults: ResponseFaults
  readonly calls: CallLog
  readonly sentCodes: SentCodes
  readonly clients: Clients
  readonly tokens: AccessTokens
  readonly authorizationCodes: AuthorizationCodes
  readonly idTokens: IdTokens
  readonly assertions: Assertions
  /** The URL that clients use for this server, without a trailing slash. Only known once the server listens. */
  issuer(): string
}
