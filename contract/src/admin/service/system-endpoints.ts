// How does the console read how the service is doing, and let it check itself?

import { admin } from '../admin-endpoint.ts'
import { NoFields } from '../session.ts'
import { Spending } from './spending.ts'
import { Findings, SystemDetails } from './system.ts'

const tag = 'Console set-up'

export const systemEndpoints = {
  readSystemDetails: admin({
    method: 'GET',
    path: '/admin/v1/system/details',
    permission: 'system.read',
    tag,
    summary: 'Read how the parts of the service are doing',
    description:
      'Returns the store, the upstreams that the answering server has called, streams, and the state of keys and their rotation.',
    request: NoFields,
    answer: SystemDetails,
  }),
  readSpending: admin({
    method: 'GET',
    path: '/admin/v1/spending',
    permission: 'system.read',
    tag,
    summary: 'Read what telecom checks cost',
    description:
      'Returns what the tenant has spent today and in the last 30 days, by upstream and check, and its daily caps. All servers count together.',
    request: NoFields,
    answer: Spending,
  }),
  checkSystem: admin({
    method: 'POST',
    path: '/admin/v1/system/check',
    permission: 'system.check',
    effect: 'read',
    tag,
    summary: 'Check the service',
    description:
      'Runs the checks of `ringfence doctor` that a running server can make, and says what to do. It changes nothing and checks no phone number.',
    request: NoFields,
    answer: Findings,
  }),
} as const
