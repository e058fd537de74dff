// What do the telecom checks give to other rooms, and what may their handlers use?

import type { ClientsDoor } from '../clients/room.ts'
import type { Core } from '../core/core.ts'
import type { StoreKeyring } from '../core/crypto/keyring.ts'
import type { HeavyWorkDoor } from '../core/heavy-work/room.ts'
import type { Addresses } from '../core/servers/room.ts'
import type { Telecom } from './telecom.ts'
import type { TenantPace } from './watching/tenant-pace.ts'

export interface TelecomDoor extends Telecom {
  /** How often the watched numbers of a tenant are polled. */
  watchPace: TenantPace
}

export interface TelecomNeeds extends Core {
  telecom: TelecomDoor
  keyring: StoreKeyring
  addresses: Addresses
  heavyWork: HeavyWorkDoor
  clients: ClientsDoor
}
