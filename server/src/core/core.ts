// What may every handler use, whatever its feature? Seven things.

import type { Logger } from 'pino'
import type { Clock } from './clock.ts'
import type { Settings } from './config/settings.ts'
import type { TenantKeyring } from './crypto/tenant-keyring.ts'
import type { Events } from './event-recorder.ts'
import type { Metrics } from './metrics/metrics.ts'
import type { Database } from './storage/database.ts'

export interface Core {
  settings: Settings
  clock: Clock
  log: Logger
  metrics: Metrics
  database: Database
  /** The data keys of each tenant. */
  tenantKeyring: TenantKeyring
  /** Records what happened. */
  events: Events
}
