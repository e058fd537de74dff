// How does the console show the demo traffic of a sandbox, and remove it?

import { admin } from '../admin-endpoint.ts'
import { problem } from '../problem.ts'
import { NoFields } from '../session.ts'
import { DemoState } from './demo.ts'

const tag = 'Console set-up'

export const demoEndpoints = {
  readDemo: admin({
    method: 'GET',
    path: '/admin/v1/demo',
    permission: 'signedIn',
    tag,
    summary: 'Read the state of the demo traffic',
    description:
      'Returns whether the tenant has the month of made-up traffic that `serve --sandbox` makes in an empty store, and how much of it is made.',
    request: NoFields,
    answer: DemoState,
  }),
  removeDemo: admin({
    method: 'POST',
    path: '/admin/v1/demo/remove',
    permission: 'demo.remove',
    tag,
    summary: 'Remove the demo traffic',
    description:
      'Deletes all demo traffic with its lists, and ends its rules. It is not made again. What happened since the first start stays. While the traffic is still being made, the deletion follows when that has stopped, within seconds.',
    request: NoFields,
    answer: DemoState,
    refusals: { 404: problem('The tenant has no demo traffic', 'demo-unknown') },
  }),
} as const
