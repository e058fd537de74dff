import { apps } from '../apps/index.ts'
import { bots } from '../bots/index.ts'
import { feature } from '../core/feature.ts'
import { ip } from '../ip/index.ts'
import { appleAppAttestRoot } from './attestation/apple-root.ts'
import { localRates } from './history/local-rates.ts'
import { dropExpired } from './history/retention.ts'
import { learnWhenDue } from './learning/learn.ts'
import { learnedModels } from './learning/tenant-models.ts'
import type { DeviceDoor } from './room.ts'
import { compression } from './store/index.ts'

/** What is known of devices. Their calls are in device-report and sign-in/tokens. */
export const device = feature({
  name: 'device',
  needs: [ip, bots, apps, compression],
  open: ({ database, clock }): DeviceDoor => ({
    localRates: localRates({ database, clock }),
    appAttestRoot: appleAppAttestRoot,
    learnedModels: learnedModels({ database, clock }),
  }),
}).with({
  upkeep: {
    devices: dropExpired,
    deviceLearning: learnWhenDue,
  },
})
