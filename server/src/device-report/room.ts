// What may the calls of devices use, whose reports have the verdicts of rules?

import type { DeviceNeeds } from '../device/room.ts'
import type { RulesDoor } from '../rules/room.ts'
import type { TelecomDoor } from '../telecom/room.ts'
import type { HandedOver } from './calls/handed-over.ts'
import type { InTurn } from './calls/in-turn.ts'

export interface DeviceReportDoor {
  /** Analyses of the last engine calls of this server, until their push. */
  handedOver: HandedOver
  /** By device. */
  pushes: InTurn
}

export interface ReportNeeds extends DeviceNeeds {
  rules: RulesDoor
  telecom: TelecomDoor
}

/** Of the two calls of an SDK. */
export interface SdkCallNeeds extends ReportNeeds {
  deviceReport: DeviceReportDoor
}
