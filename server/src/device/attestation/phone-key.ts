// What does the proof of a phone's key show, and what must be stored for it?

import type { IntelligenceRequest } from '@ringfence/contract'
import Type from 'typebox'
import type { BatchStatement } from '../../core/storage/database.ts'
import type { AttestationResult } from '../analysis/evidence.ts'
import type { DeviceNeeds } from '../room.ts'
import { type AttestedKeyUse, insertAttestedKey, putKeystoreKey, updateAttestedKey } from '../store/phone-keys.ts'
import type { KeyAttestation } from './android/attestation-of-call.ts'
import type { AttestedKey } from './android/attested-key.ts'
import type { PlayIntegrity } from './android/play-integrity.ts'
import type { Bound, BoundDevice } from './bound-device.ts'

/** An engine call, and the `bodyDigest` of its body. */
export interface ProvingCall {
  readonly body: IntelligenceRequest
  readonly digest: string
}

/** A part of `attestation` of the engine call. */
export const base64 = (maxLength: number) => Type.String({ maxLength, pattern: '^[A-Za-z0-9+/]*={0,2}$' })

export type Services = Pick<DeviceNeeds, 'database' | 'clock' | 'device' | 'tenantKeyring'>

/** Must be stored in the commit of the analysis. JSON can represent it. */
export type KeyChange =
  | {
      readonly kind: 'attested'
      readonly appId: string
      readonly keyId: string
      /** DER, SubjectPublicKeyInfo, in base64. */
      readonly publicKey: string
      readonly device: string | null
      readonly lastUsedAt: number
    }
  | ({ readonly kind: 'used' } & AttestedKeyUse)
  | {
      readonly kind: 'keystore'
      readonly appId: string
      /** 16 bytes, in base64url. */
      readonly keyHash: string
      readonly from: string | null
      readonly device: string | null
      readonly lastUsedAt: number
      /** What the chain says that came with the call; null without a verified one. */
      readonly attested: AttestedKey | null
    }

/** The device of a key, by its stored form. */
export type Bind = (stored: string | null) => Bound

export interface PhoneProof {
  readonly result: AttestationResult
  /** Of an Android phone: what attests its key. */
  readonly keyAttestation?: KeyAttestation
  readonly playIntegrity?: PlayIntegrity
  /** Of a proved key: the certificate that attests the keys of this phone alone (android/attested-key.ts). */
  readonly phoneCertificate?: string
  readonly change?: KeyChange
  /** Of a proved key: the device that it is bound to. Undefined when the app collects no ids. */
  readonly device?: BoundDevice
}

const dayMs = 86_400_000
/** The start of its day: an index on it changes once a day. */
export const dayOf = (now: number): number => now - (now % dayMs)

/** Stores a new key, or the use of a known one. Undone when another call changed the key since the proof was checked. */
export function keyStatement(change: KeyChange): BatchStatement {
  switch (change.kind) {
    case 'attested': {
      const publicKey = Buffer.from(change.publicKey, 'base64')
      return insertAttestedKey({ ...change, publicKey, counter: 0 })
    }
    case 'used':
      return updateAttestedKey(change)
    case 'keystore':
      return putKeystoreKey({ ...change, keyHash: Buffer.from(change.keyHash, 'base64url') }, change.from)
  }
}
