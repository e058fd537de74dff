// What does the service do from time to time? It deletes expired records and renews signing keys.

import { dropEndedCalls } from './admin/changes/idempotent-call.ts'
import { dropOldActivity } from './admin/overview/count-activity.ts'
import { dropEndedSessions } from './admin/people/retention.ts'
import { dropExpiredSessions } from './apps/session.ts'
import { dropExpiredSignIns } from './authentication/sign-in-retention.ts'
import { dropNonces } from './bots/nonce-retention.ts'
import { dropAssertions } from './clients/assertion-retention.ts'
import { dropExpiredDecisions } from './decisions/retention.ts'
import { removeRequestedDemos } from './demo/remove-demo.ts'
import { dropExpired as dropExpiredAnalyses } from './device/history/retention.ts'
import { dropExpiredEvents } from './events/retention.ts'
import { keyRotations } from './key-rotation/key-rotations.ts'
import type { Parts } from './parts.ts'
import { dropOldBacktests } from './rule-changes/retention.ts'
import { dropEndedEntries } from './rules/lists/retention.ts'
import { dropVelocityCounts } from './rules/velocities/velocity-retention.ts'
import { dropDeadServers } from './servers/servers.ts'
import { dropRequestCountsBefore } from './storage/servers/request-counts.ts'
import { SchemaTooNew } from './storage/upgrade/excluded.ts'
import { dropBatches } from './telecom/batches/retention.ts'
import { dropExpiredVerifications } from './telecom/number-verification/retention.ts'
import { dropWatches } from './telecom/watching/retention.ts'
import { dropExpiredTokens } from './tokens/token-retention.ts'

const everyMs = 60_000

interface MaintenanceResources
  extends Pick<
    Parts,
    | 'telecom'
    | 'idTokens'
    | 'metrics'
    | 'database'
    | 'keyring'
    | 'tenantKeyring'
    | 'rules'
    | 'clock'
    | 'settings'
    | 'log'
    | 'telemetry'
  > {
  /** Sets `clock` to the store's time: a wrong clock would delete what is still valid. */
  measureClock(): Promise<void>
}

/** Runs every minute until it is closed; what takes longer is not begun twice. */
export function startMaintenance(resources: MaintenanceResources): { close(): Promise<void> } {
  const rotations = keyRotations(resources)
  let isClosed = false
  let maintaining: Promise<void> | undefined
  let rotating: Promise<void> | undefined
  const timer = setInterval(() => {
    maintaining ??= maintain(resources).finally(() => {
      maintaining = undefined
    })
    rotating ??= rotations
      .advance(() => isClosed)
      .catch(warnOf(resources, 'key rotations'))
      .finally(() => {
        rotating = undefined
      })
  }, everyMs)
  timer.unref()
  return {
    async close() {
      isClosed = true
      clearInterval(timer)
      await Promise.all([maintaining, rotating])
    },
  }
}

/** One round. A task that fails is counted and runs again in the next round. */
export async function maintain(resources: MaintenanceResources): Promise<void> {
  const {
    telecom,
    idTokens: { signingKeys },
    telemetry: { auditLog },
    measureClock,
  } = resources
  auditLog?.summarise()
  const warn = (task: string) => warnOf(resources, task)
  try {
    await measureClock()
  } catch (error) {
    return warn('store time')(error)
  }
  await Promise.all([
    telecom.answers.dropExpired().catch(warn('telecom answers')),
    telecom.costs.dropOld().catch(warn('telecom costs')),
    dropExpiredSignIns(resources).catch(warn('sign-ins')),
    dropExpiredTokens(resources).catch(warn('tokens')),
    dropExpiredSessions(resources).catch(warn('sessions')),
    dropExpiredAnalyses(resources).catch(warn('devices')),
    dropOldBacktests(resources).catch(warn('backtests')),
    dropEndedEntries(resources).catch(warn('lists')),
    dropExpiredEvents(resources).catch(warn('events')),
    dropOldActivity(resources).catch(warn('activity')),
    dropExpiredDecisions(resources).catch(warn('decisions')),
    dropRequestCountsBefore(resources.database, resources.clock.now()).catch(warn('request counts')),
    dropExpiredVerifications(resources).catch(warn('number verifications')),
    dropWatches(resources).catch(warn('watches')),
    dropBatches(resources).catch(warn('batches')),
    dropNonces(resources).catch(warn('nonces of agents')),
    dropAssertions(resources).catch(warn('assertions of clients')),
    dropDeadServers(resources).catch(warn('servers')),
    dropEndedSessions(resources).catch(warn('console sessions')),
    dropEndedCalls(resources).catch(warn('calls of the admin API')),
    dropVelocityCounts(resources).catch(warn('velocities')),
    removeRequestedDemos(resources).catch(warn('demo')),
    signingKeys.rotateWhenDue().catch(warn('signing keys')),
  ])
}

const warnOf =
  ({ log, metrics }: Pick<MaintenanceResources, 'log' | 'metrics'>, task: string) =>
  (error: unknown) => {
    metrics.count('maintenanceFailures', task)
    // Logged once, when it was found.
    if (error instanceof SchemaTooNew) return
    log.warn({ err: error, task }, 'maintenance failed; it runs again in a minute')
  }
