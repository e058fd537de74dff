// How often is similarity right on a tenant's own traffic? Asks it about browsers whose key or account proves who they are.

import type { Core } from '../../core/core.ts'
import { isSameId } from '../../core/storage/uuid.ts'
import { type Half, halfOf } from '../learning/halves.ts'
import { priorModels, type TenantModels } from '../learning/tenant-models.ts'
import { accountsOfDevice } from '../store/account-devices.ts'
import { type InstallationRow, installationsAfter } from '../store/installations.ts'
import type { Family } from './components.ts'
import { type Completeness, completenessOf } from './confidence.ts'
import { type Decision, decide } from './decide.ts'
import { type Fingerprint, type KnownFingerprint, saltOf, unpacked } from './fingerprint.ts'
import { compare, sharesKey } from './score.ts'
import { candidatesOf, probabilityOf, type SimilarRecord } from './similarity.ts'

/** What similarity said of a visit, and what the key proves. `undecided`: a device that the key cannot tell apart from its own. */
export interface Answers {
  ownDevice: number
  newDevice: number
  otherDevice: number
  undecided: number
}

/** Decisions for a known device with a confidence from `from` on. */
export interface ConfidenceBin {
  readonly from: number
  decisions: number
  /** Sum of the confidences. */
  said: number
  right: number
}

export interface Quality {
  /** Installations with a key that were compared. */
  installations: number
  /** With their storage cleared. `newDevice`: splits. `otherDevice`: merges. */
  returns: Answers
  /** As if they had never come before. `otherDevice`: merges. */
  firstVisits: Answers
  calibration: readonly ConfidenceBin[]
  /** The same decisions by family and share of facts. */
  shares: (Omit<ConfidenceBin, 'from'> & { readonly family: Family; readonly completeness: Completeness })[]
}

export interface QualityOptions {
  /** Installations that were not seen since are left out; epoch milliseconds. */
  readonly since: number
  /** At most so many are compared. */
  readonly limit: number
  /** Only devices of this half are asked about. */
  readonly half?: Half
  /** By default the weights of the release. */
  readonly models?: TenantModels
  readonly signal?: AbortSignal
}

const bounds = [0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.99]
const batch = 200
const dayMs = 86_400_000

/**
 * A key proves which visits are of one browser profile, so each stored fingerprint of an installation with a key has a known owner.
 * Two questions about each:
 *
 * - **It returns with its storage cleared.** The visit is its latest fingerprint; the record is that fingerprint before its latest
 *   known change, a day old. Other records of its device are left out. The right answer is its own device. A visit may change several
 *   components at once: then there are more splits than this says.
 * - **It comes for the first time.** Its device is left out, and the right answer is a new device.
 *
 * Another device is wrong if both were in use at the same time, unless a backend confirmed both for one account: then they may be
 * two profiles of one machine. If they were never in use together, accounts decide: a common one proves an earlier split, so the
 * device is its own; without a common one, it is wrong. Where a device has no account, nothing is proved: undecided.
 * Installations are compared in the order of their random ids, so a part of them is a fair sample.
 * Browsers that cannot be distinguished are left out, because similarity is never asked about them.
 */
export async function qualityOf(
  tenantId: string,
  { since, limit, half, models = priorModels, signal }: QualityOptions,
  { database, tenantKeyring }: Pick<Core, 'database' | 'tenantKeyring'>,
): Promise<Quality> {
  const place = { database, tenantId, salt: saltOf(await tenantKeyring.keysOf(tenantId)), models }
  const quality: Quality = {
    installations: 0,
    returns: noAnswers(),
    firstVisits: noAnswers(),
    calibration: bounds.map((from) => ({ from, decisions: 0, said: 0, right: 0 })),
    shares: [],
  }
  for await (const row of provenInstallations(tenantId, since, place)) {
    if (quality.installations === limit) break
    signal?.throwIfAborted()
    if (half && halfOf(row.deviceId) !== half) continue
    const known = unpacked(row.fingerprint)
    if (known.isIndistinguishable || known.platformKey === 0) continue
    quality.installations++
    for (const [answers, ask] of [
      [quality.returns, asReturn],
      [quality.firstVisits, asFirstVisit],
    ] as const) {
      const decision = await ask(known, row, place)
      const proved = decision.record ? await proofOf(decision.record, row, place) : 'newDevice'
      answers[proved]++
      if (proved === 'ownDevice' || proved === 'otherDevice') calibrate(quality, known, decision, proved, models)
    }
  }
  return quality
}

type Proven = InstallationRow & { readonly fingerprint: Uint8Array }
type Place = Parameters<typeof candidatesOf>[1] & { readonly models: TenantModels }

/** Installations with a key and a fingerprint that were seen since, in the order of their ids. */
export async function* provenInstallations(
  tenantId: string,
  since: number,
  { database }: Pick<Core, 'database'>,
): AsyncGenerator<Proven> {
  let after: Uint8Array = new Uint8Array(0)
  while (true) {
    const rows = await installationsAfter(database, tenantId, after, batch)
    for (const row of rows) if (row.keyHash && row.fingerprint && row.lastSeenAt >= since) yield row as Proven
    if (rows.length < batch) return
    after = rows.at(-1)!.id
  }
}

/** The time of the visits that are asked about. */
const dayAfter = ({ lastSeenAt }: Proven) => lastSeenAt + dayMs

async function asReturn(visit: KnownFingerprint, row: Proven, place: Place): Promise<Decision<SimilarRecord>> {
  const { keys, candidates, full } = await candidatesOf(visit, place)
  const before = withoutLatestChange(visit)
  const outcomes = compare(before, visit)
  const records = candidates.flatMap((one): SimilarRecord[] => {
    if (!isSameId(one.deviceId, row.deviceId)) return [one]
    // Without a common key, the record before the change would not have been found.
    const shared = one.shared.filter(({ place }) => sharesKey(visit.family, keys[place]!.name, outcomes))
    return isSameId(one.id, row.id) && shared.length > 0 ? [{ ...one, fingerprint: before, shared }] : []
  })
  return decide(visit, keys, records, full, dayAfter(row), place.models.models[visit.family])
}

async function asFirstVisit(visit: Fingerprint, row: Proven, place: Place): Promise<Decision<SimilarRecord>> {
  const { keys, candidates, full } = await candidatesOf(visit, place, ({ deviceId }) =>
    isSameId(deviceId, row.deviceId),
  )
  return decide(visit, keys, candidates, full, dayAfter(row), place.models.models[visit.family])
}

/** Previous values are in the order of their changes, the latest last. */
function withoutLatestChange(known: KnownFingerprint): KnownFingerprint {
  const latest = [...known.previous].at(-1)
  if (!latest) return known
  const [component, [before, ...earlier]] = latest
  return {
    ...known,
    hashes: known.hashes.with(component, before!),
    previous: new Map([...known.previous, [component, earlier]]),
  }
}

/** What keys and accounts prove about the device that similarity chose. */
async function proofOf(
  { deviceId, firstSeenAt, lastSeenAt }: SimilarRecord,
  row: Proven,
  place: Place,
): Promise<Exclude<keyof Answers, 'newDevice'>> {
  if (isSameId(deviceId, row.deviceId)) return 'ownDevice'
  const areTogether = firstSeenAt <= row.lastSeenAt && row.firstSeenAt <= lastSeenAt
  const [its, own] = await Promise.all([deviceId, row.deviceId].map((id) => accountsOfDevice(place.database, id)))
  if (!its!.isDisjointFrom(own!)) return areTogether ? 'undecided' : 'ownDevice'
  return areTogether || (its!.size > 0 && own!.size > 0) ? 'otherDevice' : 'undecided'
}

function calibrate(
  { calibration, shares }: Quality,
  visit: Fingerprint,
  decision: Decision<SimilarRecord>,
  proved: 'ownDevice' | 'otherDevice',
  models: TenantModels,
): void {
  const confidence = probabilityOf(visit, decision, models)
  const [family, completeness] = [visit.family, completenessOf(visit)]
  const known = shares.find((one) => one.family === family && one.completeness === completeness)
  const share = known ?? { family, completeness, decisions: 0, said: 0, right: 0 }
  if (!known) shares.push(share)
  for (const one of [calibration.findLast(({ from }) => confidence >= from)!, share]) {
    one.decisions++
    one.said += confidence
    if (proved === 'ownDevice') one.right++
  }
}

const noAnswers = (): Answers => ({ ownDevice: 0, newDevice: 0, otherDevice: 0, undecided: 0 })
