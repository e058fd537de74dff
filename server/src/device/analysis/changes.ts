// What does an analysis change beside its own row? The changes are written in the commit of the analysis.

import type { BatchStatement } from '../../core/storage/database.ts'
import { type KeyChange, keyStatement } from '../attestation/phone-key.ts'
import { type InstallationChange, installationStatements } from '../identity/installation-change.ts'
import { type PhoneIdChange, putPhoneId } from '../store/phone-ids.ts'

/** Values only, so that a push can bring them back (carried-analysis.ts). */
export interface Changes {
  /** The key of a phone that made the proof. */
  readonly key?: KeyChange
  /** What the visit taught about its installation. */
  readonly installation?: InstallationChange
  /** The ids of a phone that are new, or were not seen for a day. */
  readonly phoneIds?: readonly PhoneIdChange[]
}

/** The statements for the batch of the analysis. */
export const statementsOf = ({ key, installation, phoneIds = [] }: Changes): BatchStatement[] => [
  ...(key ? [keyStatement(key)] : []),
  ...(installation ? installationStatements(installation) : []),
  ...phoneIds.map(putPhoneId),
]
