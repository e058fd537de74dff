// Is this a device that the user was confirmed on before? By key or token, else by how much it resembles one of the user's few devices.

import type { ReportIdentification } from '@ringfence/contract'
import type { Core } from '../../core/core.ts'
import type { Analysis } from '../../device/analysis/analyse.ts'
import { historySince } from '../../device/history/retention.ts'
import { accountHashOf } from '../../device/history/visit.ts'
import { type AccountDevice, devicesOfAccount, installationsIn } from '../../device/store/account-devices.ts'
import { decisionOf, deviceIdOf, isConfirmedBefore, isConfirmedBy, openDescription } from './confirmed-device.ts'
import { mostSimilar } from './similar-device.ts'

export interface KnownForAccount {
  readonly answer: NonNullable<ReportIdentification['knownForAccount']>
  readonly account: NonNullable<ReportIdentification['account']>
}

/** A visit is compared with this many devices of the user, last seen first. */
const mostCompared = 20
/** From here on, the same device without its key or token is `likely`. */
const likelyFrom = 0.5

/** The ids of a phone can be copied, so an installation that was not confirmed is as likely another phone. */
const byIdsAlone = 0.5

/** Nothing is certain: rounding says no 1. */
const mostProbable = 0.999

export interface AskedDevice {
  readonly tenantId: string
  readonly userId: string
  readonly analysis: Analysis
  /** What an earlier decision about the same visit proved counts, too. */
  readonly isForDecision?: boolean
  /** Those of the user, where they were read already. */
  readonly devices?: readonly AccountDevice[] | undefined
}

/**
 * Compares with what was confirmed before the visit, so that a report says the same each time it is read. A revoked device is unknown.
 */
export async function knownForAccount(
  { tenantId, userId, analysis, isForDecision = false, devices }: AskedDevice,
  { database, tenantKeyring, clock, settings }: Pick<Core, 'database' | 'tenantKeyring' | 'clock' | 'settings'>,
): Promise<KnownForAccount> {
  const keys = await tenantKeyring.keysOf(tenantId)
  const accountHash = accountHashOf(userId, keys)
  const stored = devices ?? (await devicesOfAccount(database, accountHash, historySince(clock.now(), settings)))
  const trusted = stored
    .filter(({ revokedAt }) => revokedAt === null)
    .map((row) => ({ row, installations: installationsIn(row).filter((each) => isConfirmedBefore(each, analysis)) }))
    .filter(({ installations }) => installations.length > 0)
  const shown = (device: AccountDevice) => {
    const { name } = openDescription(device, { tenantId, accountHash }, keys)
    return {
      deviceId: deviceIdOf(device),
      ...(name !== undefined && { name }),
      firstSeenAt: new Date(device.firstSeenAt).toISOString(),
      lastSeenAt: new Date(device.lastSeenAt).toISOString(),
    }
  }
  const answer = (word: KnownForAccount['answer'], probability: number, device?: AccountDevice): KnownForAccount => ({
    answer: word,
    account: {
      probability: Math.min(Math.round(probability * 1000) / 1000, mostProbable),
      ...(device && word !== 'no' && { device: shown(device) }),
    },
  })

  const { deviceId, installationId = deviceId, identification } = analysis
  // A revoked device is not made known again by resembling another one of the user.
  const isRevoked = stored.some((row) => row.revokedAt !== null && deviceIdOf(row) === deviceId)
  if (deviceId === undefined || installationId === undefined || isRevoked) return answer('no', 0)
  const decided = isForDecision && stored.find((row) => isDecided(row, { deviceId, installationId, analysis }))
  if (decided) return answer('yes', 1, decided)
  const { by, confidence } = identification ?? { by: 'none', confidence: 0 }
  const same = trusted.find(({ row }) => deviceIdOf(row) === deviceId)
  const isConfirmed = same?.installations.some(({ id }) => id === installationId)
  const { attestation, keyAttestation } = analysis.evidence
  const isRefused = attestation?.state === 'refused' || keyAttestation?.level === 'refused'
  // Whoever copies the ids of a phone leaves the proof out: they count until the account knows a key of the phone.
  const idsCount = analysis.platform === 'WEB' || !same?.installations.some(({ knowsKey }) => knowsKey)
  const isProved = (by === 'key' || (by === 'token' && idsCount)) && !isRefused
  if (same && isConfirmed && isProved) return answer('yes', confidence, same.row)
  const { likely } = identification ?? {}
  const resembles = (row: AccountDevice) => deviceIdOf(row) === likely?.deviceId
  if (stored.some((row) => row.revokedAt !== null && resembles(row))) return answer('no', 0)

  const visit = { tenantId, deviceId, installationId, visitedAt: analysis.evidence.now }
  const compared = trusted.slice(0, mostCompared).map(({ row }) => row)
  const match = await mostSimilar(visit, compared, database)
  // A fingerprint can be copied, so it never answers `yes`.
  const isLikely = match.record !== undefined
  // Compared with all devices, for a visit without any proof: where it was found, less is asked of it.
  const found = by === 'none' && !isLikely ? trusted.find(({ row }) => resembles(row)) : undefined
  if (likely && found && likely.confidence >= likelyFrom) return answer('likely', likely.confidence, found.row)
  // A key proves its installation, not that this is the device that it resembled at first: the facts must still say so.
  const isByOtherProof = analysis.platform === 'WEB' && by !== 'similarity'
  if (!same || isByOtherProof) return answer(isLikely ? 'likely' : 'no', match.probability, match.record?.device)
  if (analysis.platform !== 'WEB') return answer('likely', Math.min(confidence, byIdsAlone), same.row)
  const probability = match.record?.device === same.row ? Math.max(confidence, match.probability) : confidence
  return answer(probability >= likelyFrom ? 'likely' : 'no', probability, same.row)
}

const isDecided = (
  row: AccountDevice,
  { deviceId, installationId, analysis }: { deviceId: string; installationId: string; analysis: Analysis },
): boolean =>
  deviceIdOf(row) === deviceId &&
  installationsIn(row).some((each) => each.id === installationId && isConfirmedBy(each, decisionOf(analysis)))
