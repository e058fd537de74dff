// How was the device recognised, and does the user know it? The member `identification` of a report.

import type { ReportIdentification } from '@ringfence/contract'
import { type KnownForAccount, knownForAccount } from '../../accounts/devices/known-for-account.ts'
import type { Core } from '../../core/core.ts'
import type { IncludeInput } from './include-input.ts'

/**
 * Undefined for a report of a version that did not know how it had recognised the device. `before`: whether the user knows
 * it, when that was read already.
 */
export async function identificationOf(
  { tenantId, analysis, userId }: IncludeInput,
  needs: Pick<Core, 'database' | 'tenantKeyring' | 'clock' | 'settings'>,
  before?: KnownForAccount,
): Promise<ReportIdentification | undefined> {
  const { deviceId, identification } = analysis
  if (deviceId !== undefined && !identification) return undefined
  const { by, confidence, likely, crowded, token, factsMissing = {} } = identification ?? { by: 'none', confidence: 0 }
  const missing = Object.entries(factsMissing).map(([fact, because]) => ({ fact, because }))
  const known =
    before ?? (userId === undefined ? undefined : await knownForAccount({ tenantId, userId, analysis }, needs))
  return {
    by,
    confidence,
    ...(likely && { likely }),
    ...(crowded && { crowded }),
    ...(token && { token }),
    ...(missing.length > 0 && { factsMissing: missing }),
    ...(known && { knownForAccount: known.answer, account: known.account }),
  }
}
