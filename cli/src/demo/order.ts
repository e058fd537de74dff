// What does the process that makes the demo traffic get, and what does it answer?

import type { DemoRow } from '@ringfence/server/admin/store/demo.ts'
import type { Settings } from '@ringfence/server/core/config/settings.ts'
import type { Played } from './play.ts'

export interface Order {
  readonly settings: Settings
  readonly demo: DemoRow
}

/** It is made, or somebody has removed it meanwhile, or another process makes it. */
export type Outcome =
  | { readonly made: Played & { readonly people: number; readonly tenantId: string } }
  | { readonly removed: true }
  | { readonly takenOver: true }

/** How long a maker holds its claim without a report: longer than its start, and than the usual pause between two reports. */
export const claimMs = 15_000
