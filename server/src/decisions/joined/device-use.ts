// Who uses the device of a decision? A user that the backend names counts for it, and the counts are those of this moment.

import type { TenantKeys } from '../../core/crypto/keyring.ts'
import type { BatchStatement } from '../../core/storage/database.ts'
import { type Named, namedOnDevice, seenOf } from '../../device/history/named-on-device.ts'
import { historySince } from '../../device/history/retention.ts'
import { combined } from '../../device/scores/combine.ts'
import { velocityContributions } from '../../device/scores/device-score.ts'
import { basisOf } from '../../device-report/basis.ts'
import type { RuleInput } from '../../rules/language/vocabulary.ts'
import { deviceInput, type FoundDevice } from '../parts/device.ts'
import type { DecisionsNeeds } from '../room.ts'
import { type DeviceRisk, highest, unitedContributions } from './against.ts'

export interface DeviceUse extends DeviceRisk {
  /** Count the user and number that this decision names; for its commit. */
  readonly statements: readonly BatchStatement[]
}

/** What rules read of a device. The counts of its report are from the visit, and from what the page named. */
export async function useOfDevice(
  device: FoundDevice,
  user: Named,
  { keys, now }: { readonly keys: TenantKeys; readonly now: number },
  { database, settings }: Pick<DecisionsNeeds, 'database' | 'settings'>,
): Promise<DeviceUse> {
  const { velocity, scores } = basisOf(device.report)
  const { contributions } = scores.device
  const input = deviceInput(device, now)
  const seen = seenOf(user, keys)
  const { deviceHash, installationHash } = device.row
  const since = historySince(now, settings) - 1
  const named =
    deviceHash && seen.length > 0
      ? await namedOnDevice(database, { deviceHash, installationHash }, seen, { at: now, since })
      : undefined
  if (!named) return { input, contributions, statements: [] }
  const united = unitedContributions(velocityContributions(named.velocity), contributions)
  const counts = highest(velocity, named.velocity, Object.keys(named.velocity))
  return {
    input: {
      ...input,
      velocity: counts as NonNullable<RuleInput['velocity']>,
      deviceRiskScore: Math.max(scores.device.score, combined(united, 100)),
    },
    contributions: united,
    statements: named.statements,
  }
}
