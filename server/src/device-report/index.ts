import { endpoints } from '@ringfence/contract'
import { apps } from '../apps/index.ts'
import { bots } from '../bots/index.ts'
import { feature } from '../core/feature.ts'
import { handle } from '../core/rows.ts'
import { device } from '../device/index.ts'
import { compression } from '../device/store/index.ts'
import { ip } from '../ip/index.ts'
import { rules } from '../rules/index.ts'
import { telecom } from '../telecom/index.ts'
import { HandedOver } from './calls/handed-over.ts'
import { InTurn } from './calls/in-turn.ts'
import { intelligence } from './calls/intelligence.ts'
import { pushFingerprint } from './calls/push.ts'
import { deviceFingerprint } from './calls/read-report.ts'
import type { DeviceReportDoor } from './room.ts'

export const deviceReport = feature({
  name: 'deviceReport',
  needs: [ip, bots, apps, rules, telecom, compression, device],
  open: ({ clock }): DeviceReportDoor => ({ handedOver: new HandedOver(clock), pushes: new InTurn() }),
}).with({
  rows: [
    handle(endpoints.deviceFingerprint, deviceFingerprint),
    handle(endpoints.intelligence, intelligence),
    handle(endpoints.pushFingerprint, pushFingerprint),
  ],
})
