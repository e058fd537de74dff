// What may the calls of devices use, whose reports have the verdicts of rules?

import type { DeviceNeeds } from '../device/room.ts'
import type { RulesDoor } from '../rules/room.ts'
import type { TelecomDoor } from '../telecom/room.ts'

export interface ReportNeeds extends DeviceNeeds {
  rules: RulesDoor
  telecom: TelecomDoor
}
