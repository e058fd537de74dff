// How does the demo traffic disappear? With its tenant, which nothing else is in.

import { deleteTenant } from '../../core/storage/delete-tenant.ts'
import { dropDevicesBefore } from '../../device/history/retention.ts'
import { type DemoRow, demosToRemove, markDemoRemoved } from '../store/demo.ts'
import type { DemoNeeds } from './room.ts'

/** Removes every demo whose removal was requested, unless its maker still runs: then the maker does it when it stops. */
export async function removeRequestedDemos(needs: DemoNeeds): Promise<void> {
  for (const demo of await demosToRemove(needs.database)) {
    if (demo.makerUntil < needs.clock.now()) await removeDemo(demo, needs)
  }
}

/** May run again after it was interrupted, and on two servers at once. */
export async function removeDemo(demo: DemoRow, needs: DemoNeeds): Promise<void> {
  await clearDemo(demo, needs)
  await markDemoRemoved(needs.database, demo.tenantId)
}

/** What an earlier start left half made goes too. */
export async function clearDemo({ untilAt, demoTenantId }: DemoRow, needs: DemoNeeds): Promise<void> {
  if (demoTenantId === null) return
  // Rows about devices and accounts name no tenant; the store was unused, so those from before are the demo's.
  await dropDevicesBefore({ contents: untilAt, history: untilAt }, needs)
  await deleteTenant(needs.database, demoTenantId)
}
