// Is the process alive, and can it accept requests? For load balancers and monitoring.

import type { Platform } from '../platform.ts'
import { type Database, StorageUnavailable } from '../storage/database.ts'
import type { Page } from './page.ts'

/** Less than a second, the usual limit of a load balancer. */
const readyWithinMs = 900

const json = (body: unknown, status = 200): Page => ({
  status,
  type: 'application/json; charset=utf-8',
  body: JSON.stringify(body),
})

/** 200 while the process runs. */
export const healthPage = (): Page => json({ status: 'ok' })

/** 200 while the service accepts requests; 503 while it drains, or when the store cannot be read and written. */
export async function readyPage(platform: Platform): Promise<Page> {
  if (platform.draining()) return json({ status: 'draining' }, 503)
  try {
    await withinMs(platform.database, readyWithinMs)
    return json({ status: 'ready' })
  } catch (error) {
    platform.log.warn({ err: error }, 'not ready')
    return json({ status: 'store unavailable' }, 503)
  }
}

/** Also when the embedded engine waits for a disk that hangs. */
async function withinMs(database: Database, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const error = new StorageUnavailable(`the store does not answer within ${ms} ms`, { reason: 'time' })
    timer = setTimeout(() => reject(error), ms)
  })
  try {
    await Promise.race([database.within(performance.now() + ms, () => database.ping()), late])
  } finally {
    clearTimeout(timer)
  }
}

/** Prometheus text format. */
export const metricsPage = (platform: Platform): Promise<Page> => platform.metrics.text()
