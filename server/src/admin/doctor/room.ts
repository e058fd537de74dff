// What does the doctor give to other rooms, and what may it use?

import type { Core } from '../../core/core.ts'
import type { StoreKeyring } from '../../core/crypto/keyring.ts'
import type { Addresses, ServersDoor } from '../../core/servers/room.ts'
import type { DeviceDoor } from '../../device/room.ts'
import type { SignInDoor } from '../../sign-in/authentication/room.ts'
import type { IdTokensDoor } from '../../sign-in/identity-tokens/room.ts'
import type { TelecomDoor } from '../../telecom/room.ts'
import type { WatchedUpstreams } from '../../upstream/upstream-health.ts'
import type { DatedData } from './gauges.ts'

export interface DoctorDoor {
  /** The files and lists that answers rest on, with the dates of their data. */
  dataDates(): Promise<readonly DatedData[]>
}

export interface DoctorNeeds extends Core {
  doctor: DoctorDoor
  servers: ServersDoor
  keyring: StoreKeyring
  idTokens: IdTokensDoor
  upstreams: Pick<WatchedUpstreams, 'health'>
  signIn: SignInDoor
  telecom: TelecomDoor
  device: DeviceDoor
  addresses: Addresses
}
