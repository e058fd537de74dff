// What does each flow ask of the store, of a tenant with an app and default rules, for somebody who was there before?
// cost-of-flows.test.ts counts it on both engines; docs/scale.md is computed from it.

import type { StoreCounts } from './counted-database.ts'

export const costOfFlows = {
  /** SIM swap, asked of the operator. */
  check: { reads: 2, commits: 2 },
  /** A session, the engine call and the push of a browser with its key. */
  visit: { reads: 7, commits: 3 },
  /** An OTP by SMS: start and verify. */
  signIn: { reads: 11, commits: 7 },
  /** A payment by a known device and number: default rules ask the operator three times. */
  decision: { reads: 11, commits: 4 },
} satisfies Record<string, StoreCounts>
