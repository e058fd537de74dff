// How long do the tests of a backend wait for @ringfence/testing: for its service, and for a fresh tenant in it?

import path from 'node:path'
import { start } from '../../testing/src/index.ts'
import { median } from '../quantiles.ts'
import { type Bench, inTurns, row } from './harness/harness.ts'
import { withResources } from './harness/processes.ts'
import { unpackedRelease } from './start.ts'

const tenantsPerRound = 20

export const testing: Bench = {
  name: 'testing',
  run: () =>
    withResources(async (_keep, folder) => {
      const program = path.join(await unpackedRelease(folder), 'bin', 'ringfence')
      // Stores the compiled code, as the first start after an installation does.
      await (await start({ program })).stop()
      const { service } = await inTurns({ service: () => startAndTenants(program) })
      return [
        {
          title: 'Service and tenant of a test',
          rows: [
            row('start() to its answer', 'ms', service.startMs, { atMost: 2_000 }),
            row('tenant(), one after the other', 'ms', service.tenantMs, { atMost: 50 }),
            row('stop() to its end', 'ms', service.stopMs),
          ],
          notes: [
            `The installed release, with a sandbox operator and an empty store; the median of ${tenantsPerRound} tenants.`,
          ],
        },
      ]
    }),
}

async function startAndTenants(program: string) {
  const [startMs, ringfence] = await timed(() => start({ program }))
  const tenants: number[] = []
  for (let made = 0; made < tenantsPerRound; made++) {
    const [ms] = await timed(() => ringfence.tenant())
    tenants.push(ms)
  }
  const [stopMs] = await timed(() => ringfence.stop())
  return { startMs, tenantMs: median(tenants), stopMs }
}

async function timed<Result>(work: () => Promise<Result>): Promise<[ms: number, Result]> {
  const startedAt = performance.now()
  const result = await work()
  return [performance.now() - startedAt, result]
}
