// What do devices give to other rooms, and what may their handlers use?

import type { AppsDoor } from '../apps/room.ts'
import type { BotsDoor } from '../bots/room.ts'
import type { Core } from '../core/core.ts'
import type { IpDoor } from '../ip/room.ts'
import type { LocalRates } from './history/local-rates.ts'
import type { LearnedModels } from './learning/tenant-models.ts'
import type { Compression } from './store/compression/compression.ts'

export interface DeviceDoor {
  /** How bad the sessions of an IP address were. */
  localRates: LocalRates
  /** PEM of the root certificate of App Attest. */
  appAttestRoot: string
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
