// Which rotations does a server move on, every minute? Those of tenants' data keys, and of the key of the store.

import { storeKeyRetirement } from './master-key.ts'
import type { KeyRotationNeeds } from './room.ts'
import { TenantRotations } from './tenant-key.ts'

export function keyRotations(
  needs: Pick<KeyRotationNeeds, 'database' | 'keyring' | 'tenantKeyring' | 'clock' | 'log'>,
): Pick<TenantRotations, 'advance'> {
  const ofTenants = new TenantRotations(needs)
  const ofStore = storeKeyRetirement(needs)
  return {
    async advance(isStopping) {
      await ofStore.advance()
      await ofTenants.advance(isStopping)
    },
  }
}
