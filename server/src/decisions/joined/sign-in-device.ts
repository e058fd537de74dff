// On which device did the user of a token sign in? What is bad about it counts; it replaces a report only where nobody can have moved it.

import { neighbourhoodOf, parseAddress } from '../../core/address/address.ts'
import { isPublic } from '../../core/address/public-address.ts'
import { addressEvidence } from '../../device/analysis/address-evidence.ts'
import type { Analysis } from '../../device/analysis/analyse.ts'
import type { Evidence } from '../../device/analysis/evidence.ts'
import { sameVisitMs, storedSince } from '../../device/history/retention.ts'
import { findAnalysis } from '../../device/store/device-analyses.ts'
import { dfrIdOf, underCurrentId } from '../../device/store/find-analysis.ts'
import { openRecord, type RecordedReport } from '../../device/store/record.ts'
import { isAnybodys } from '../../ip/lists/anonymity.ts'
import type { TokenBasis } from '../../sign-in/tokens/basis.ts'
import type { FoundDevice } from '../parts/device.ts'
import type { CheckedRequest } from '../request.ts'
import type { DecisionsNeeds } from '../room.ts'

/** A report only after its push. */
export type SignInDevice = Omit<FoundDevice, 'report'> & { readonly report?: RecordedReport | undefined }

/** One read by key, or none where it is the report of the decision. Undefined when the sign-in had no analysis, or it was deleted. */
export async function signInDeviceOf(
  { analysis: signedInOn }: TokenBasis,
  given: { readonly dfrId: string | undefined; readonly device: Promise<FoundDevice | undefined> | undefined },
  tenantId: string,
  { clock, compression, database, settings, tenantKeyring }: DecisionsNeeds,
): Promise<SignInDevice | undefined> {
  if (!signedInOn) return undefined
  const keys = await tenantKeyring.keysOf(tenantId)
  const dfrId = dfrIdOf(signedInOn.requestId, keys)
  const same = dfrId === given.dfrId ? await given.device : undefined
  if (same) return same
  const row = await findAnalysis(database, { tenantId, dfrId }, storedSince(clock.now(), settings))
  if (!row) return undefined
  const { analysis: asAnalysed, report } = openRecord(row, keys, compression)
  const analysis = await underCurrentId(asAnalysed, row, { database, keys })
  return { dfrId, row, analysis, ...(row.pushHash && report && { report }) }
}

/**
 * Whether the device of the sign-in replaces a report that the request does not name. Whoever stole the token would bring the
 * device of its owner along: so only where a sign-in is decided at once, and the backend sees the person in the network of the device.
 */
export async function standsIn(
  { analysis, report }: SignInDevice,
  { action, dfrId, ip }: Pick<CheckedRequest, 'action' | 'dfrId' | 'ip'>,
  { isFirstDecision }: { readonly isFirstDecision: boolean },
  needs: DecisionsNeeds,
): Promise<boolean> {
  const isEntry = action === 'LOGIN' || action === 'SIGNUP'
  if (!isEntry || dfrId !== undefined || !isFirstDecision || !report || !ip) return false
  if (needs.clock.now() - analysis.evidence.now > sameVisitMs) return false
  return isOneNetwork(await addressEvidence(ip.text, [], needs), { network: analysis.network, ...analysis.evidence })
}

type Place = Pick<Evidence, 'network' | 'anonymity'>

/**
 * A phone changes its IP address, and a page uses IPv6 where its backend sees IPv4: so the autonomous system is enough, unless
 * anybody can be in it. Without a public IP address nothing is known.
 */
function isOneNetwork(one: Place, other: Place): boolean {
  const [a, b] = [one, other].map(({ network }) => network && parseAddress(network.ip))
  if (!a || !b || !isPublic(a) || !isPublic(b)) return false
  if ([one, other].some(({ anonymity }) => isAnybodys(anonymity))) return false
  const [asn, ofOther] = [one, other].map(({ network }) => network?.ipLocation.asn?.asn)
  return neighbourhoodOf(a) === neighbourhoodOf(b) || (asn !== undefined && asn === ofOther)
}

/**
 * Whether the user signed in on another device than that of the report. Only a key shows it: everybody can copy the ids of a phone, and
 * two browsers that merely differ may be one device. Undefined for a magic link, which people open on any device.
 */
export function isOnAnotherDevice(
  signedInOn: SignInDevice | undefined,
  given: FoundDevice | undefined,
  { isMagicLink }: TokenBasis,
): boolean | undefined {
  if (!signedInOn || !given || isMagicLink) return undefined
  const [one, other] = [signedInOn.analysis, given.analysis]
  if (one.requestId === other.requestId) return false
  if (!provedKey(one)) return undefined
  // An app that proved its key can prove it again; whoever stole its token leaves the proof out.
  if (!provedKey(other)) return one.platform === 'WEB' ? undefined : true
  if (one.installationId === other.installationId) return false
  return one.deviceId !== other.deviceId || !hasKeyForEachOrigin(one, other) || undefined
}

const provedKey = ({ identification }: Pick<Analysis, 'identification'>): boolean =>
  identification?.by === 'key' || identification?.isSigned === true

/** Then one browser has two keys, where an app has one. */
const hasKeyForEachOrigin = (one: Analysis, other: Analysis): boolean =>
  one.platform === 'WEB' && (one.appId !== other.appId || one.packageName !== other.packageName)
