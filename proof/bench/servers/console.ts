// Ringfence over a filled store, with one-time links for an owner and an analyst.

import type { RoleName } from '@ringfence/contract'
import { invite } from '../../../server/src/admin/people/invitation.ts'
import { readConfig } from '../../../server/src/core/config/config.ts'
import { logTo } from '../../../server/src/core/telemetry/log.ts'
import { startService } from '../../../server/src/main.ts'
import { givenOptions } from '../harness/processes.ts'
import { serving } from '../harness/servers.ts'

export interface ConsoleServerOptions {
  readonly dataFolder: string
  readonly databaseUrl?: string
  readonly masterKey: string
  readonly tenantId: string
}

const { tenantId, ...options } = givenOptions<ConsoleServerOptions>()
const config = readConfig({ options: { ...options, port: 0, drainMs: 0, overloadDelayMs: 60_000 } })
const service = await startService({ config, log: logTo(1) })
const { database, keyring } = service.parts
const linkOf = (role: RoleName) => invite(database, { tenantId, role, expiresAt: Date.now() + 3_600_000 }, keyring)
serving(service.url, { owner: await linkOf('owner'), analyst: await linkOf('analyst') })
