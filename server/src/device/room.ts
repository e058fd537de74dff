// What do devices give to other rooms, and what may their handlers use?

import type { AppsDoor } from '../apps/room.ts'
import type { BotsDoor } from '../bots/room.ts'
import type { Core } from '../core/core.ts'
import type { IpDoor } from '../ip/room.ts'
import type { KnownIssuers } from './attestation/android/key-attestation.ts'
import type { PlayIntegrityKeysByApp } from './attestation/android/play-integrity.ts'
import type { Revocations } from './attestation/android/revocation-list.ts'
import type { AttestationRoots } from './attestation/android/roots.ts'
import type { LocalRates } from './history/local-rates.ts'
import type { LearnedModels } from './learning/tenant-models.ts'
import type { Compression } from './store/compression/compression.ts'

export interface DeviceDoor {
  /** How bad the sessions of an IP address were. */
  localRates: LocalRates
  /** PEM of the root certificate of App Attest. */
  appAttestRoot: string
  /** Whose keys attest those of Android phones, and which certificates were withdrawn. */
  keyAttestation: {
    roots: AttestationRoots
    readonly revocations: Revocations
    readonly verified: KnownIssuers
  }
  playIntegrityKeys: PlayIntegrityKeysByApp
  /** By which weights the visits of a tenant are compared. */
  learnedModels: LearnedModels
}

export interface DeviceNeeds extends Core {
  compression: Compression
  device: DeviceDoor
  ip: IpDoor
  bots: BotsDoor
  apps: AppsDoor
}
