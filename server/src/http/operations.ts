// Is the process alive, can it take requests, and how does it fare? For load balancers and monitoring.

import type { Platform } from '../platform.ts'
import type { Page } from './page.ts'

const json = (body: unknown, status = 200): Page => ({
  status,
  type: 'application/json; charset=utf-8',
  body: JSON.stringify(body),
})

/** 200 while the process answers at all. */
export const healthPage = (): Page => json({ status: 'ok' })

/** 200 while requests may be sent here; 503 while draining, or when the store cannot be read and written. */
export async function readyPage(platform: Platform): Promise<Page> {
  if (platform.draining()) return json({ status: 'draining' }, 503)
  try {
    await platform.database.ping()
    return json({ status: 'ready' })
  } catch (error) {
    platform.log.warn({ err: error }, 'not ready')
    return json({ status: 'store unavailable' }, 503)
  }
}

/** Prometheus text format. */
export const metricsPage = (platform: Platform): Promise<Page> => platform.metrics.text()
