// Which phone is this? By the key that it proves, else by the ids that it stores.

import { AndroidFacts, type IntelligenceRequest, IosFacts } from '@ringfence/contract'
import type { SessionCall } from '../../apps/call.ts'
import type { Core } from '../../core/core.ts'
import type { TenantKeys } from '../../core/crypto/keyring.ts'
import type { Evidence } from '../analysis/evidence.ts'
import type { PhoneProof, Services } from '../attestation/phone-key.ts'
import { prove } from '../attestation/prove.ts'
import type { Identity } from './identification.ts'
import { factsMissing } from './missing-facts.ts'
import { type PhoneId, phoneIds, phoneUuid } from './phone-ids.ts'
import { revision } from './score.ts'

/** The proof was refused, so the ids may be another phone's. */
const confidenceOfRefused = 0.5

const factNames = {
  IOS: new Set(Object.keys(IosFacts.properties)),
  ANDROID: new Set(Object.keys(AndroidFacts.properties)),
}

/**
 * Verifies the proof of the phone's key. A proved key is an installation, and names the device. Stored ids alone are those
 * of the unproven installation of their device: whoever copies the ids of a phone that proves its key does not become its installation.
 */
export async function identifyPhone(
  body: IntelligenceRequest,
  facts: Evidence['facts'],
  call: Pick<SessionCall, 'app' | 'session'>,
  needs: Pick<Core, 'tenantKeyring'> & Services,
): Promise<Identity> {
  const keys = await needs.tenantKeyring.keysOf(call.app.tenantId)
  const ids = phoneIds(facts, keys)
  const phoneProof = await prove(body, ids, call, needs)
  const missing = factsMissing(body.factsMissing, facts, factNames[call.session.platform as keyof typeof factNames])
  const { identification, ...identity } = identityBy(ids, phoneProof, call.app.id, keys)
  return {
    ...identity,
    identification: { ...identification, ...(missing && { factsMissing: missing }) },
    ...(phoneProof && { phoneProof }),
  }
}

type Identified = Identity & Required<Pick<Identity, 'identification'>>

function identityBy(
  [stored]: readonly PhoneId[],
  proof: PhoneProof | undefined,
  appId: string,
  keys: TenantKeys,
): Identified {
  const { result, device } = proof ?? {}
  if (result?.state === 'proved' && device) {
    // The key proves the installation; that the id is this phone's is as sure as on its first use.
    return identityOf(device.deviceId, phoneUuid(`key ${appId} ${result.keyId}`, keys), 'key', device.confidence)
  }
  if (!stored) return { identification: { by: 'none', confidence: 0 } }
  const score = result?.state === 'refused' ? Math.min(confidenceOfRefused, stored.confidence) : stored.confidence
  return identityOf(stored.deviceId, stored.deviceId, 'token', score)
}

const identityOf = (deviceId: string, installationId: string, by: 'key' | 'token', score: number): Identified => ({
  deviceId,
  installationId,
  identification: { by, confidence: score },
  confidence: { score, revision },
})
