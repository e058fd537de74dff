// The process that makes the demo traffic. start-demo.ts starts it, and it ends with the service.

import { constants, setPriority } from 'node:os'
import type { Order } from './order.ts'

// First, since loading the service takes seconds of a busy machine, on which somebody makes a first call.
setPriority(constants.priority.PRIORITY_LOW)
// The service has ended, so nobody waits for the rest; its next start makes the demo again.
process.once('disconnect', () => process.exit(0))
const order = new Promise<Order>((resolve) => process.once('message', resolve))
const { makeDemo } = await import('./make-demo.ts')
order.then(makeDemo).then(
  (outcome) => process.send?.(outcome, undefined, {}, () => process.exit(0)),
  (error) => {
    console.error(error)
    process.exit(1)
  },
)
