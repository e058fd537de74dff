// The process that makes the demo traffic. start-demo.ts starts it, and it ends with the service.

import { constants, setPriority } from 'node:os'
import { makeDemo } from './make-demo.ts'
import type { Order } from './order.ts'

process.once('message', (order: Order) => {
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  makeDemo(order).then(
    (outcome) => process.send?.(outcome, undefined, {}, () => process.exit(0)),
    (error) => {
      console.error(error)
      process.exit(1)
    },
  )
})
// The service has ended, so nobody waits for the rest; its next start makes the demo again.
process.once('disconnect', () => process.exit(0))
