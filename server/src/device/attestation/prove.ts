// Does the call come from the app on this phone? Verifies the proof of its key: App Attest, or a key of the Android Keystore.

import type { DevicePlatform, IntelligenceRequest } from '@ringfence/contract'
import type { SessionCall } from '../../apps/call.ts'
import type { StoredEvidence } from '../analysis/evidence.ts'
import type { SentId } from '../identity/phone-ids.ts'
import { boundDevice } from './bound-device.ts'
import type { PhoneProof, ProvingCall, Services } from './phone-key.ts'
import { proveByAppAttest } from './prove-by-app-attest.ts'
import { proveByKeystore } from './prove-by-keystore.ts'

/**
 * Undefined when there is nothing to verify. Never refuses the call: a wrong proof is evidence.
 * @param ids the ids that the phone sent
 * @param owesId whether the app collects any
 */
export async function prove(
  proving: ProvingCall,
  { ids, owesId }: { readonly ids: readonly SentId[]; readonly owesId: boolean },
  { app, session }: Pick<SessionCall, 'app' | 'session'>,
  services: Services,
): Promise<PhoneProof | undefined> {
  const { platform } = session
  const bind = (stored: string | null) => boundDevice(stored, ids, owesId)
  if (platform === 'IOS') return proveByAppAttest(proving, bind, { app, session }, services)
  return platform === 'ANDROID' ? proveByKeystore(proving, bind, { app, session }, services) : undefined
}

/**
 * Whether the phone must attest its key again: it did so once, and the key was deleted since (retention, a restored backup), or its proofs
 * were not verified then. It is no verdict: the phone knows what it sent.
 */
export function lacksAttestation(
  platform: DevicePlatform,
  { attestation, keyAttestation }: Pick<StoredEvidence, 'attestation' | 'keyAttestation'>,
  sent: IntelligenceRequest['attestation'],
): boolean {
  // A proof of App Attest that is neither right nor wrong is of an unknown key.
  if (platform === 'IOS') return attestation?.state === 'absent' && sent !== undefined
  return platform === 'ANDROID' && attestation?.state === 'proved' && keyAttestation === undefined
}
