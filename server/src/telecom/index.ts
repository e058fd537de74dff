import { endpoints } from '@ringfence/contract'
import { clients } from '../clients/index.ts'
import { feature } from '../core/feature.ts'
import { heavyWork } from '../core/heavy-work/index.ts'
import { handle } from '../core/rows.ts'
import { addresses, keyring } from '../core/servers/index.ts'
import { telemetry } from '../core/telemetry/index.ts'
import { upstreams } from '../upstream/index.ts'
import { cancelBatch, listBatches, readBatch } from './batches/batch-calls.ts'
import { readBatchResults } from './batches/batch-results.ts'
import { createBatch } from './batches/create-batch.ts'
import { dropBatches } from './batches/retention.ts'
import { checkCallForwarding } from './call-forwarding.ts'
import { beginNumberVerification, completeNumberVerification } from './number-verification/number-verifications.ts'
import { dropExpiredVerifications } from './number-verification/retention.ts'
import { checkPortability } from './portability.ts'
import type { TelecomDoor } from './room.ts'
import { checkSimSwap } from './sim-swap.ts'
import { openTelecom } from './telecom.ts'
import { telecomChecks } from './telecom-checks.ts'
import { receiveNotification } from './watching/notification.ts'
import { dropWatches } from './watching/retention.ts'
import { tenantPace } from './watching/tenant-pace.ts'
import { deleteWatch, listWatches, readWatch, watchNumber } from './watching/watch-calls.ts'

export const telecom = feature({
  name: 'telecom',
  needs: [telemetry, upstreams, addresses, heavyWork, clients, keyring],
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
}).with({
  rows: [
    handle(endpoints.simSwapCheck, checkSimSwap),
    handle(endpoints.callForwardingCheck, checkCallForwarding),
    handle(endpoints.portability, checkPortability),
    handle(endpoints.telecomChecks, telecomChecks),
    handle(endpoints.createBatch, createBatch),
    handle(endpoints.readBatch, readBatch),
    handle(endpoints.readBatchResults, readBatchResults),
    handle(endpoints.listBatches, listBatches),
    handle(endpoints.cancelBatch, cancelBatch),
    handle(endpoints.beginNumberVerification, beginNumberVerification),
    handle(endpoints.completeNumberVerification, completeNumberVerification),
    handle(endpoints.watchNumber, watchNumber),
    handle(endpoints.readWatch, readWatch),
    handle(endpoints.listWatches, listWatches),
    handle(endpoints.deleteWatch, deleteWatch),
    handle(endpoints.receiveNotification, receiveNotification),
  ],
  upkeep: {
    'telecom answers': ({ telecom }) => telecom.answers.dropExpired(),
    'telecom costs': ({ telecom }) => telecom.costs.dropOld(),
    'number verifications': dropExpiredVerifications,
    watches: dropWatches,
    batches: dropBatches,
  },
})
