// What may the handlers of decisions use?

import type { Compression } from '../device/store/compression/compression.ts'
import type { ReportNeeds } from '../device-report/room.ts'
import type { TelecomNeeds } from '../telecom/room.ts'

export interface DecisionsNeeds extends TelecomNeeds, ReportNeeds {
  compression: Compression
  telecom: TelecomNeeds['telecom']
}
