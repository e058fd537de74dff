// What may the steps of a request use, and what do web pages load from here?

import type { AdminDoor } from '../admin/room.ts'
import type { AppsDoor } from '../apps/room.ts'
import type { CamaraFrontDoor } from '../camara-front/room.ts'
import type { ClientsDoor } from '../clients/room.ts'
import type { Core } from '../core/core.ts'
import type { HeavyWorkDoor } from '../core/heavy-work/room.ts'
import type { Addresses, ServersDoor } from '../core/servers/room.ts'
import type { TelemetryDoor } from '../core/telemetry/room.ts'
import type { IpDoor } from '../ip/room.ts'
import type { Console } from './console/console.ts'
import type { BrowserSdk } from './pages/browser-sdk.ts'
import type { Documentation } from './pages/documentation.ts'

export interface SiteDoor {
  browserSdk: BrowserSdk
  console: Console
  documentation: Documentation
}

export interface HttpNeeds extends Core {
  servers: ServersDoor
  addresses: Addresses
  telemetry: TelemetryDoor
  heavyWork: HeavyWorkDoor
  ip: IpDoor
  clients: ClientsDoor
  apps: AppsDoor
  admin: AdminDoor
  camaraFront: CamaraFrontDoor
}
