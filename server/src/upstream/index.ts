import { feature } from '../core/feature.ts'
import { watchedUpstreams } from './upstream-health.ts'

/** The third parties that this server has called, and how they are doing. */
export const upstreams = feature({
  name: 'upstreams',
  needs: [],
  open: ({ metrics, clock }) => watchedUpstreams(metrics, clock),
})
