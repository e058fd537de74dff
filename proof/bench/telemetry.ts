// What do traces and metrics for an OpenTelemetry collector cost the server?

import path from 'node:path'
import { askAll, busy, checksOf, startOperator, startRingfence } from './harness/checks.ts'
import { answer, type Bench, inTurns, perCentOf, row } from './harness/harness.ts'
import { withResources } from './harness/processes.ts'
import { measure, type Server, startLoad, startServer } from './harness/servers.ts'

const numbers = 30_000

export const telemetry: Bench = {
  name: 'telemetry',
  run: () =>
    withResources(async (keep, folder) => {
      const load = keep(await startLoad())
      const operator = keep(await startOperator())
      const headers = { 'content-type': 'application/json' }
      const collector = keep(await startServer('bare-http', { headers, body: '{}' }))
      const start = async (name: string, settings: { otlpEndpoint?: string; traceRatio?: number }) => {
        const reused = { dataFolder: path.join(folder, name), simSwapReuseSeconds: 86_400 }
        const server = keep(await startRingfence(operator, numbers, { ...reused, ...settings }))
        await askAll(load, server, numbers)
        return server
      }
      const off = await start('off', {})
      const tenth = await start('tenth', { otlpEndpoint: collector.url })
      const all = await start('all', { otlpEndpoint: collector.url, traceRatio: 1 })

      const underLoad = (server: Server) => measure(load, server, { ...checksOf(server, numbers), ...busy })
      const rates = await inTurns({
        off: () => underLoad(off),
        tenth: () => underLoad(tenth),
        all: () => underLoad(all),
      })
      const unit = 'requests per CPU-second'
      const share = (values: number[]) => perCentOf(values, rates.off.perCpuSecond)
      return [
        {
          title: 'SIM swap check, answer reused: with an OpenTelemetry collector',
          rows: [
            row('without a collector', unit, rates.off.perCpuSecond),
            row('a tenth of the requests traced', unit, rates.tenth.perCpuSecond),
            row(
              'a tenth of the requests traced, of the rate without a collector',
              '%',
              share(rates.tenth.perCpuSecond),
              { atLeast: 95 },
            ),
            row('each request traced', unit, rates.all.perCpuSecond),
            answer('each request traced, of that rate', '%', share(rates.all.perCpuSecond)),
          ],
          notes: ['By OTLP to a separate process. A tenth is the default (`OTEL_TRACES_SAMPLER_ARG`).'],
        },
      ]
    }),
}
