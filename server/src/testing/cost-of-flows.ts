// What does each flow ask of the store, of a tenant with an app and default rules, for somebody who was there before?
// cost-of-flows.test.ts counts it on both engines; docs/scale.md is computed from it.

import type { StoreCounts } from './counted-database.ts'

export interface FlowCost extends StoreCounts {
  /** At most so many statements are sent to PostgreSQL, each with its way there and back; also those that begin and commit a transaction. */
  statements: number
}

export const costOfFlows = {
  /** SIM swap, asked of the operator. */
  check: { reads: 1, commits: 1, statements: 2 },
  /** Eight checks of a number in one call. */
  eightChecks: { reads: 1, commits: 1, statements: 2 },
  /** A session, the engine call and the push of a browser with its key, which brings the analysis back. */
  visit: { reads: 5, commits: 1, statements: 6 },
  /** An OTP by SMS: start and verify. */
  signIn: { reads: 6, commits: 4, statements: 16 },
  /** SILENT: start, the return of the phone from its operator, and verify. */
  silent: { reads: 7, commits: 6, statements: 20 },
  /** A payment by a known device and number: default rules ask the operator three times. */
  decision: { reads: 8, commits: 1, statements: 9 },
  /** Token verification, of a token that may be used often. */
  token: { reads: 1, commits: 0, statements: 1 },
} satisfies Record<string, FlowCost>
