// Which rotations does a server move on, every minute? Those of tenants' data keys, and of the key of the store.

import type { Platform } from '../platform.ts'
import { storeKeyRetirement } from './master-key.ts'
import { type TenantRotations, tenantRotations } from './tenant-key.ts'

export function keyRotations(
  platform: Pick<Platform, 'database' | 'keyring' | 'tenantKeyring' | 'clock' | 'log'>,
): TenantRotations {
  const ofTenants = tenantRotations(platform)
  const ofStore = storeKeyRetirement(platform)
  return {
    async advance(isStopping) {
      await ofStore.advance()
      await ofTenants.advance(isStopping)
    },
  }
}
