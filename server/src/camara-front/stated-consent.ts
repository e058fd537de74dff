// What does the scope of an access token state? The purpose of its calls, with the legal basis where the tenant allows only one.

import type { Consent } from '@ringfence/contract'
import type { CamaraFrontNeeds } from './room.ts'
import type { Scope } from './scope.ts'

/** Undefined when the scope states no purpose. Whether the tenant allows it is not checked. */
export const consentOf = (
  { purpose }: Pick<Scope, 'purpose'>,
  tenantId: string,
  { telecom: { purposes } }: Pick<CamaraFrontNeeds, 'telecom'>,
): Consent | undefined => (purpose === undefined ? undefined : purposes.ofScope(tenantId, `dpv:${purpose}`))
