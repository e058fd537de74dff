import { apps } from '../apps/index.ts'
import { bots } from '../bots/index.ts'
import { revocationSources } from '../core/config/attestation-settings.ts'
import { ExpiringMap } from '../core/expiring-map.ts'
import { feature } from '../core/feature.ts'
import { ip } from '../ip/index.ts'
import { playIntegrityKeys } from './attestation/android/play-integrity.ts'
import { openRevocations } from './attestation/android/revocation-list.ts'
import { rootsOf } from './attestation/android/roots.ts'
import { appleAppAttestRoot } from './attestation/apple-root.ts'
import { localRates } from './history/local-rates.ts'
import { dropExpired } from './history/retention.ts'
import { learnWhenDue } from './learning/learn.ts'
import { learnedModels } from './learning/tenant-models.ts'
import type { DeviceDoor } from './room.ts'
import { compression } from './store/index.ts'

const dayMs = 86_400_000
/** Between phones and roots; each takes 3 to 4 kB. */
const mostIssuers = 4_000

/** What is known of devices. Their calls are in device-report and sign-in/tokens. */
export const device = feature({
  name: 'device',
  needs: [ip, bots, apps, compression],
  open: ({ database, clock, settings, log, config, readSecret }): DeviceDoor => ({
    localRates: localRates({ database, clock }),
    appAttestRoot: appleAppAttestRoot,
    keyAttestation: {
      roots: rootsOf(settings.keyAttestationRoots),
      revocations: openRevocations(
        { dataFolder: settings.dataFolder, clock, log },
        revocationSources(config.attestation),
      ),
      verified: new ExpiringMap({ clock, ttlMs: dayMs, most: mostIssuers }),
    },
    playIntegrityKeys: playIntegrityKeys(config.attestation?.playIntegrity ?? {}, readSecret),
    learnedModels: learnedModels({ database, clock }),
  }),
}).with({
  upkeep: {
    devices: dropExpired,
    deviceLearning: learnWhenDue,
  },
})
