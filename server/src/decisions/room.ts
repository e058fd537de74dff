// What may the handlers of decisions use?

import type { DeviceNeeds } from '../device/room.ts'
import type { Compression } from '../device/store/compression.ts'
import type { TelecomNeeds } from '../telecom/room.ts'

export interface DecisionsNeeds extends TelecomNeeds, DeviceNeeds {
  compression: Compression
  telecom: TelecomNeeds['telecom']
}
