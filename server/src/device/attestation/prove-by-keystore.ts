// Does the call come from the same Android installation as before? Verifies the signature by its Keystore key.

import { verifyProof } from '../identity/proof.ts'
import { findKeystoreKey } from '../store/phone-keys.ts'
import { boundDevice, type SentIds } from './bound-device.ts'
import type { PhoneProof, ProvingCall, Services } from './phone-key.ts'

const dayMs = 86_400_000

/** Undefined without a proof. A new key is trusted on first use: its attestation certificates are not verified. */
export async function proveByKeystore(
  { body, digest }: ProvingCall,
  sent: SentIds,
  appId: string,
  { database, clock }: Services,
): Promise<PhoneProof | undefined> {
  const proof = verifyProof(body, digest)
  if (proof === undefined) return undefined
  if (proof.state === 'refused') return { result: proof }
  const keyHash = Buffer.from(proof.keyHash).toString('base64url')
  const known = await findKeystoreKey(database, appId, proof.keyHash)
  const from = known?.device ?? null
  const bound = boundDevice(from, sent)
  if ('because' in bound) return { result: { state: 'refused', because: bound.because } }
  const lastUsedAt = clock.now() - (clock.now() % dayMs)
  const isUnchanged = known?.lastUsedAt === lastUsedAt && bound.stored === from
  return {
    result: { state: 'proved', keyId: keyHash },
    ...(bound.device && { device: bound.device }),
    ...(!isUnchanged && { change: { kind: 'keystore', appId, keyHash, from, device: bound.stored, lastUsedAt } }),
  }
}
