// What does an analysis change beside its own row? The changes are written in the commit of the analysis.

import type { BatchStatement } from '../../core/storage/database.ts'
import { type KeyChange, keyStatement } from '../attestation/phone-key.ts'
import { type InstallationChange, installationStatements } from '../identity/installation-change.ts'

/** Values only, so that a push can bring them back (carried-analysis.ts). */
export interface Changes {
  /** The key of a phone that made the proof. */
  readonly key?: KeyChange
  /** What the visit taught about its installation. */
  readonly installation?: InstallationChange
}

/** The statements for the batch of the analysis. */
export const statementsOf = ({ key, installation }: Changes, now: number): BatchStatement[] => [
  ...(key ? [keyStatement(key, now)] : []),
  ...(installation ? installationStatements(installation) : []),
]
