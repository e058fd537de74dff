import { endpoints } from '@ringfence/contract'
import { apps } from '../apps/index.ts'
import { bots } from '../bots/index.ts'
import { feature } from '../core/feature.ts'
import { handle } from '../core/rows.ts'
import { ip } from '../ip/index.ts'
import { rules } from '../rules/index.ts'
import { telecom } from '../telecom/index.ts'
import { appleAppAttestRoot } from './attestation/apple-root.ts'
import { intelligence } from './calls/intelligence.ts'
import { pushFingerprint } from './calls/push.ts'
import { deviceFingerprint } from './calls/read-report.ts'
import { secure } from './calls/secure.ts'
import { localRates } from './history/local-rates.ts'
import { dropExpired } from './history/retention.ts'
import type { DeviceDoor } from './room.ts'
import { compression } from './store/index.ts'

export const device = feature({
  name: 'device',
  needs: [ip, bots, apps, rules, telecom, compression],
  open: ({ database, clock }): DeviceDoor => ({
    localRates: localRates({ database, clock }),
    appAttestRoot: appleAppAttestRoot,
  }),
}).with({
  rows: [
    handle(endpoints.deviceFingerprint, deviceFingerprint),
    handle(endpoints.intelligence, intelligence),
    handle(endpoints.pushFingerprint, pushFingerprint),
    handle(endpoints.secure, secure),
  ],
  upkeep: {
    devices: dropExpired,
  },
})
