import { endpoints } from '@ringfence/contract'
import { feature } from '../core/feature.ts'
import { handle } from '../core/rows.ts'
import { ip } from '../ip/index.ts'
import { apps as openApps } from './apps.ts'
import type { AppsDoor } from './room.ts'
import { sdkConfig } from './sdk-config.ts'
import { StorageBudget } from './storage-budget.ts'

export const apps = feature({
  name: 'apps',
  needs: [ip],
  open({ database, clock, settings, log, atClose }, doors): AppsDoor {
    const storageBudget = new StorageBudget({ database, clock, settings, log, ip: doors.ip })
    atClose(() => storageBudget.close())
    return { ...openApps(database, clock), storageBudget }
  },
}).with({
  rows: [handle(endpoints.sdkConfig, sdkConfig)],
})
