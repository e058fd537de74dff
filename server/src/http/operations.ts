// Is the process alive, and can it accept requests? For load balancers and monitoring.

import type { Core } from '../core/core.ts'
import type { Page } from '../core/pages/page.ts'
import type { HttpNeeds } from './room.ts'

const json = (body: unknown, status = 200): Page => ({
  status,
  type: 'application/json; charset=utf-8',
  body: JSON.stringify(body),
})

/** 200 while the process runs. */
export const healthPage = (): Page => json({ status: 'ok' })

/** 200 while the service accepts requests; 503 while it drains, or while it must not or cannot use the store. */
export async function readyPage(needs: Pick<HttpNeeds, 'servers'>): Promise<Page> {
  if (needs.servers.draining()) return json({ status: 'draining' }, 503)
  const status = await needs.servers.readiness.check()
  return json({ status }, status === 'ready' ? 200 : 503)
}

/** Prometheus text format. */
export const metricsPage = ({ metrics }: Core): Promise<Page> => metrics.text()
