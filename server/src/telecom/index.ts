import { feature } from '../feature.ts'
import { telemetry } from '../telemetry/index.ts'
import { upstreams } from '../upstream/index.ts'
import type { TelecomDoor } from './room.ts'
import { openTelecom } from './telecom.ts'
import { tenantPace } from './watching/tenant-pace.ts'

export const telecom = feature({
  name: 'telecom',
  needs: [telemetry, upstreams],
  async open(opening, { telemetry: { tracing }, upstreams: { metrics } }): Promise<TelecomDoor> {
    const { config, database, tenantKeyring, clock, log, settings, readSecret } = opening
    const opened = await openTelecom({
      ...{ config, database, tenantKeyring, clock, log, readSecret },
      metrics,
      tracing,
    })
    opening.atClose(opened.close)
    return { ...opened, watchPace: tenantPace({ database, settings, telecom: opened, clock }) }
  },
})
