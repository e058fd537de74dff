// What does a delivery to a webhook cost? Alone, and of a backlog.

import path from 'node:path'
import { answer, type Bench, inTurns, row } from '../harness/harness.ts'
import { startProcess, withResources } from '../harness/processes.ts'
import { startServer } from '../harness/servers.ts'
import type { Deliveries, DeliveringOptions } from '../servers/delivering.ts'

const unit = 'µs CPU'
const alone = { events: 150, keys: 150 }

export const deliveriesBench: Bench = {
  name: 'deliveries',
  run: () =>
    withResources(async (keep, folder) => {
      const receiver = keep(await startServer('bare-http', { headers: {}, body: '' }))
      const options: DeliveringOptions = { dataFolder: path.join(folder, 'store'), url: receiver.url }
      const log = path.join(folder, 'log')
      const program = 'servers/delivering.ts'
      const server = keep(await startProcess<Deliveries, { microsecondsEach: number }>(program, options, log))
      for (const kind of ['alone', 'backlog'] as const) await server.ask({ kind, events: 1000, keys: 500 })
      const costs = await inTurns({
        written: () => server.ask({ kind: 'written', ...alone }),
        alone: () => server.ask({ kind: 'alone', ...alone }),
        manyKeys: () => server.ask({ kind: 'backlog', events: 3000, keys: 1000 }),
        fewKeys: () => server.ask({ kind: 'backlog', events: 3000, keys: 20 }),
      })
      const { written, manyKeys, fewKeys } = costs
      const more = costs.alone.microsecondsEach.map((each, round) => each - written.microsecondsEach[round]!)
      return [
        {
          title: 'Events: a delivery to a webhook',
          notes: [
            'Embedded store; the receiver answers at once. Alone: one event each 40 ms, without what the event itself costs.',
          ],
          rows: [
            row('3,000 that wait, of 1,000 keys', unit, manyKeys.microsecondsEach, { atMost: 150 }),
            row('3,000 that wait, of 20 keys', unit, fewKeys.microsecondsEach, { atMost: 150 }),
            answer('one alone', unit, more),
          ],
        },
      ]
    }),
}
