// Ringfence as `ringfence serve` runs it, with one client, whose credentials it reports.

import { type Config, readConfig } from '../../server/src/config/config.ts'
import type { Settings } from '../../server/src/config/settings.ts'
import { startService } from '../../server/src/main.ts'
import { logTo } from '../../server/src/telemetry/log.ts'
import { givenOptions } from '../harness/processes.ts'
import { serving } from '../harness/servers.ts'

export interface RingfenceOptions {
  settings: Partial<Settings>
  /** The rest of the configuration file. */
  parts: Omit<Config, 'settings'>
}

const { settings, parts } = givenOptions<RingfenceOptions>()
const config = {
  ...readConfig({ options: { port: 0, masterKey: Buffer.alloc(32, 1).toString('base64'), ...settings } }),
  ...parts,
}
const log = logTo(1)
const service = await startService({ config, log, environment: { OPERATOR_SECRET: 'bench' } })
const { tenantKeyring, credentials } = service.platform
const { id } = await tenantKeyring.createTenant('bench')
serving(service.url, { ...(await credentials.createClient(id, 'bench')) })
