// Which rotations does a server move on, every minute? Those of tenants' data keys, and of the key of the store.

import type { Platform } from '../platform.ts'
import { storeKeyRetirement } from './master-key.ts'
import { type TenantRotations, tenantRotations } from './tenant-key.ts'

/** A round that takes longer than a minute is not begun twice. */
export function keyRotations(
  platform: Pick<Platform, 'database' | 'keyring' | 'tenantKeyring' | 'clock' | 'log'>,
): TenantRotations {
  const ofTenants = tenantRotations(platform)
  const ofStore = storeKeyRetirement(platform)
  let running = false
  return {
    async advance(isStopping) {
      if (running) return
      running = true
      try {
        await ofStore.advance()
        await ofTenants.advance(isStopping)
      } finally {
        running = false
      }
    },
  }
}
