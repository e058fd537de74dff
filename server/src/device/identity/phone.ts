// Which phone is this? By the key that it proves, else by the ids that it stores.

import { AndroidFacts, IosFacts } from '@ringfence/contract'
import type { SessionCall } from '../../apps/call.ts'
import type { Core } from '../../core/core.ts'
import type { TenantKeys } from '../../core/crypto/keyring.ts'
import { uuidBytes, uuidText } from '../../core/storage/uuid.ts'
import { owedSwitches } from '../analysis/owed-switches.ts'
import { type AttestationLevel, isOfHardware } from '../attestation/android/attested-key.ts'
import type { PhoneProof, Services } from '../attestation/phone-key.ts'
import { prove } from '../attestation/prove.ts'
import { findPhoneIds, type PhoneIdChange } from '../store/phone-ids.ts'
import { networkHashOf, saltOf } from './fingerprint.ts'
import type { Identity, Likely } from './identification.ts'
import type { IdentifiedCall } from './identify.ts'
import { factsMissing } from './missing-facts.ts'
import { isOverPace, isYoung, type Pace, paceOf } from './pace.ts'
import { collectedIds, phoneIds, phoneUuid, type SentId, sentIds } from './phone-ids.ts'
import { revision } from './score.ts'

/** The proof was refused, so the ids may be another phone's. */
const confidenceOfRefused = 0.5
/** An estimate: half of what is wrong with an id is that somebody copied it, which the published app on an intact phone does not. */
const confidenceOfAttested = (confidence: number) => 1 - (1 - confidence) / 2
/** The ids name two devices, and one is as likely as the other. */
const confidenceOfConflict = 0.5
const rewriteMs = 86_400_000

const factNames = {
  IOS: new Set(Object.keys(IosFacts.properties)),
  ANDROID: new Set(Object.keys(AndroidFacts.properties)),
}

/**
 * Verifies the proof of the phone's key. A proved key is an installation, and names the device. Stored ids alone are those
 * of the unproven installation of the id: whoever copies an id of a phone gets its labels, but does not become its installation.
 */
export async function identifyPhone(
  { body, digest, facts, network }: Omit<IdentifiedCall, 'tokens'>,
  call: Pick<SessionCall, 'app' | 'session' | 'address'>,
  needs: Pick<Core, 'tenantKeyring' | 'settings'> & Services,
): Promise<Identity> {
  const { tenantId } = call.app
  const keys = await needs.tenantKeyring.keysOf(tenantId)
  const ids = await sentIds(phoneIds(facts, keys), tenantId, needs.database)
  const owesId = collectedIds(call.session.platform, owedSwitches(call.session, facts)).length > 0
  const phoneProof = await prove({ body, digest }, { ids, owesId }, call, needs)
  const missing = factsMissing(body.factsMissing, facts, factNames[call.session.platform as keyof typeof factNames])
  const identity = identityBy(ids, phoneProof, call.app.id, keys)
  const { deviceId } = identity
  // The ids of a refused proof may be another phone's.
  const known =
    deviceId === undefined || phoneProof?.result.state === 'refused'
      ? undefined
      : await knownPhoneIds(
          {
            tenantId,
            deviceId,
            ids: [...ids, ...(await certificateIn(phoneProof, tenantId, keys, needs))],
            network: networkHashOf(call.address, saltOf(keys)),
          },
          async () => paceOf(await network, needs.settings),
          needs,
        )
  const { identification, ...rest } = known ? withKnown(identity, known) : identity
  return {
    ...rest,
    identification: { ...identification, ...(missing && { factsMissing: missing }) },
    ...(phoneProof && { phoneProof }),
    ...(known && { phoneIds: known.changes }),
  }
}

/** A key proves the installation, whatever ids are copied beside it; what the device of another id did is to be seen all the same. */
function withKnown(identity: Identified, { other, isCrowded }: KnownPhoneIds): Identified {
  const { by, confidence: before } = identity.identification
  const score = other && by !== 'key' ? Math.min(before, confidenceOfConflict) : before
  return {
    ...identity,
    identification: {
      ...identity.identification,
      confidence: score,
      ...(other && { likely: other }),
      ...(isCrowded && { crowded: true }),
    },
    confidence: { score, revision },
  }
}

type Identified = Identity & Required<Pick<Identity, 'identification'>>

function identityBy(
  [first]: readonly SentId[],
  proof: PhoneProof | undefined,
  appId: string,
  keys: TenantKeys,
): Identified {
  const { result, device, keyAttestation } = proof ?? {}
  if (result?.state === 'proved' && device) {
    // The key proves the installation; that the id is this phone's is as sure as on its first use.
    const score = byAttestation(device.confidence, keyAttestation?.level)
    return identityOf(device.deviceId, phoneUuid(`key ${appId} ${result.keyId}`, keys), 'key', score)
  }
  if (!first) return { identification: { by: 'none', confidence: 0 } }
  const score = result?.state === 'refused' ? Math.min(confidenceOfRefused, first.confidence) : first.confidence
  return identityOf(first.names, first.id, 'token', score)
}

function byAttestation(confidence: number, level: AttestationLevel | undefined): number {
  if (level === 'refused') return Math.min(confidenceOfRefused, confidence)
  return isOfHardware(level) ? confidenceOfAttested(confidence) : confidence
}

const identityOf = (deviceId: string, installationId: string, by: 'key' | 'token', score: number): Identified => ({
  deviceId,
  installationId,
  identification: { by, confidence: score },
  confidence: { score, revision },
})

/** What else names the device of a phone. It leads from keys with made-up ids to the first device of the phone. */
async function certificateIn(
  proof: PhoneProof | undefined,
  tenantId: string,
  keys: TenantKeys,
  { database }: Pick<Core, 'database'>,
): Promise<NamedId[]> {
  if (proof?.phoneCertificate === undefined) return []
  const id = phoneUuid(`certificate ${proof.phoneCertificate}`, keys)
  const [row] = await findPhoneIds(database, tenantId, [uuidBytes(id)])
  return [{ id, isCertificate: true, names: row ? uuidText(row.deviceId) : id, ...(row && { row }) }]
}

interface KnownPhoneIds {
  /** The device that another of the ids named first. */
  readonly other?: Likely
  /** The network of the phone made too many devices when it was new. */
  readonly isCrowded: boolean
  /** Must be stored with the analysis. */
  readonly changes: readonly PhoneIdChange[]
}

/** Ids of two phones in one call are a copy, or a phone that lost one of its ids. `network`: a keyed hash. */
async function knownPhoneIds(
  { tenantId, deviceId, ids, network }: Sent,
  pace: () => Promise<Pace>,
  { database, clock }: Pick<Core, 'database' | 'clock'>,
): Promise<KnownPhoneIds> {
  const now = clock.now()
  const others = ids.filter(({ row, names }) => row && names !== deviceId)
  // Only the certificate cannot be left out: an id of the last made-up phone would hide the first one, and its labels.
  const other = others.find(({ isCertificate }) => isCertificate) ?? others[0]
  const firstSeenAt = await firstSeenOf()
  const changes = ids.flatMap(({ id, row, isCertificate }): PhoneIdChange[] => {
    if (row && now < row.lastSeenAt + rewriteMs) return []
    const isNew = firstSeenAt === undefined && id === deviceId
    const ofNew = isNew && { network, ...(other && { likelyDeviceId: uuidBytes(other.names) }) }
    return [
      {
        tenantId,
        id: uuidBytes(id),
        deviceId: uuidBytes(deviceId),
        ...ofNew,
        ...(isCertificate && { isCertificate }),
        at: now,
      },
    ]
  })
  return {
    ...(other && { other: { deviceId: other.names, confidence: confidenceOfConflict } }),
    isCrowded: await isCrowded(firstSeenAt),
    changes,
  }

  /** Of the device: that of the id that made it, which may not have come. */
  async function firstSeenOf(): Promise<number | undefined> {
    const own = ids.find(({ id }) => id === deviceId)
    const ofDevice = own ? own.row : (await findPhoneIds(database, tenantId, [uuidBytes(deviceId)]))[0]
    return (ofDevice ?? ids.find(({ row, names }) => row && names === deviceId)?.row)?.firstSeenAt
  }

  async function isCrowded(since: number | undefined): Promise<boolean> {
    if (network === undefined || (since !== undefined && !isYoung(since, now))) return false
    const limit = await pace()
    const born = { network, firstSeenAt: since ?? now, isStored: since !== undefined }
    return limit.isPublic && isOverPace(database, born, limit)
  }
}

type NamedId = Pick<SentId, 'id' | 'row' | 'names'> & { readonly isCertificate?: true }

interface Sent {
  readonly tenantId: string
  readonly deviceId: string
  readonly ids: readonly NamedId[]
  readonly network: number | undefined
}
