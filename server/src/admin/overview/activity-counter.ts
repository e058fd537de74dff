// When is activity counted? Every few seconds while the service runs.

import type { Core } from '../../core/core.ts'
import type { FoldResources } from '../fold/decision-facts.ts'
import { countActivity } from './count-activity.ts'

const everyMs = 10_000

/** Runs until it is closed; what takes longer is not begun twice. */
export function startActivityCounter(resources: FoldResources & Pick<Core, 'log'>): { close(): Promise<void> } {
  let isClosed = false
  let counting: Promise<void> | undefined
  const timer = setInterval(() => {
    counting ??= countActivity(resources, () => isClosed)
      .catch((error) => resources.log.warn({ err: error }, 'activity could not be counted; it is tried again'))
      .finally(() => {
        counting = undefined
      })
  }, everyMs)
  timer.unref()
  return {
    async close() {
      isClosed = true
      clearInterval(timer)
      await counting
    },
  }
}
