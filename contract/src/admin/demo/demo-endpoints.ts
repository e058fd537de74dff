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
      'Returns how much is made of the month of made-up traffic that `serve --sandbox` makes in an empty store, and which tenant has it. Both the demo and the tenant that it was made for may ask.',
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
      'Deletes the tenant of the demo with everything in it. It is not made again. Call it for the tenant that the demo was made for. While the traffic is still being made, the deletion follows when that has stopped, within seconds.',
    request: NoFields,
    answer: DemoState,
    refusals: { 404: problem('No demo was made for this tenant', 'demo-unknown') },
  }),
} as const
