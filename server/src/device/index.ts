import { feature } from '../feature.ts'
import { appleAppAttestRoot } from './attestation/apple-root.ts'
import { localRates } from './history/local-rates.ts'
import type { DeviceDoor } from './room.ts'

export const device = feature({
  name: 'device',
  needs: [],
  open: ({ database, clock }): DeviceDoor => ({
    localRates: localRates({ database, clock }),
    appAttestRoot: appleAppAttestRoot,
  }),
})
