// Ringfence as `ringfence serve` runs it, with one client, whose credentials it reports.

import { type Config, readConfig } from '../../../server/src/core/config/config.ts'
import type { Settings } from '../../../server/src/core/config/settings.ts'
import { logTo } from '../../../server/src/core/telemetry/log.ts'
import { startService } from '../../../server/src/main.ts'
import { givenOptions } from '../harness/processes.ts'
import { masterKey, type Server, serving } from '../harness/servers.ts'

export interface RingfenceOptions {
  settings: Partial<Settings>
  /** The rest of the configuration file. */
  parts: Omit<Config, 'settings'>
  /** Of a client that an earlier start on this data folder created. Default: a new one, of a new tenant. */
  access?: Server['access'] | undefined
}

const { settings, parts, access } = givenOptions<RingfenceOptions>()
const config = {
  ...readConfig({ options: { port: 0, masterKey, ...settings } }),
  ...parts,
}
const log = logTo(1)
const service = await startService({ config, log, environment: { OPERATOR_SECRET: 'bench' } })
const { tenantKeyring, clients: credentials } = service.parts
const newClient = async () => credentials.createClient((await tenantKeyring.createTenant('bench')).id, 'bench')
serving(service.url, { ...(access ?? (await newClient())) })
