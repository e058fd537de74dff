// What does the service do from time to time? It deletes expired records and renews signing keys.

import { keyRotations } from './admin/key-rotation/key-rotations.ts'
import { upkeep } from './features.ts'
import type { Parts } from './parts.ts'

const everyMs = 60_000

interface MaintenanceResources extends Parts {
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
  const { telemetry, measureClock } = resources
  telemetry.auditLog?.summarise()
  const warn = (task: string) => warnOf(resources, task)
  try {
    await measureClock()
  } catch (error) {
    return warn('store time')(error)
  }
  await Promise.all(
    Object.entries(upkeep).map(async ([task, run]) => {
      try {
        await run(resources as never)
      } catch (error) {
        warn(task)(error)
      }
    }),
  )
}

const warnOf =
  ({ log, metrics }: Pick<MaintenanceResources, 'log' | 'metrics'>, task: string) =>
  (error: unknown) => {
    metrics.count('maintenanceFailures', task)
    log.warn({ err: error, task }, 'maintenance failed; it runs again in a minute')
  }
