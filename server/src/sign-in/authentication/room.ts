// What does sign-in give to other rooms, and what may its handlers use?

import type { AppsDoor } from '../../apps/room.ts'
import type { TelemetryDoor } from '../../core/telemetry/room.ts'
import type { DeviceNeeds } from '../../device/room.ts'
import type { TelecomNeeds } from '../../telecom/room.ts'
import type { SingleFlight } from '../../upstream/single-flight.ts'
import type { IdTokensDoor } from '../identity-tokens/room.ts'
import type { Outbox } from './messages/outbox.ts'
import type { RecentDeliveries } from './messages/recent-deliveries.ts'
import type { Channels } from './open-channels.ts'

export interface SignInDoor {
  channels: Channels
  /** Starts of sign-ins that run now, by hash. */
  starts: SingleFlight
  /** How long gateways took lately. */
  recentDeliveries: RecentDeliveries
  /** Messages of the outbox channels, which send nothing. */
  outbox: Outbox
}

export interface SignInNeeds extends TelecomNeeds, DeviceNeeds {
  signIn: SignInDoor
  telecom: TelecomNeeds['telecom']
  apps: AppsDoor
  idTokens: IdTokensDoor
  telemetry: TelemetryDoor
}
