// How much more do two workers answer than one process, on the same cores as their load and their PostgreSQL?

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { endpoints } from '@ringfence/contract'
import { startPostgres } from '../../server/src/testing/postgres-server.ts'
import { busy } from './harness/checks.ts'
import { answer, type Bench, inTurns, perCentOf, row } from './harness/harness.ts'
import { withResources } from './harness/processes.ts'
import { masterKey, measure, startLoad, startServer } from './harness/servers.ts'
import type { ClusteredOptions } from './servers/clustered.ts'

const program = fileURLToPath(new URL('../../cli/bin/ringfence.js', import.meta.url))
const bodies = Array.from({ length: 300 }, (_, user) => JSON.stringify({ action: 'LOGIN', userId: `user-${user}` }))
/** Linux counts the time of a process in hundredths of a second. */
const ticks = 100

export const workersBench: Bench = {
  name: 'workers',
  run: () =>
    withResources(async (keep, folder) => {
      const load = keep(await startLoad())
      const { url: database } = keep(await startPostgres({ durable: true }))
      const env = {
        ...process.env,
        ...{ DATABASE_URL: database(), MASTER_KEY: masterKey, LOG_LEVEL: 'error' },
        ...{ CLIENT_RATE_PER_SECOND: '1000000', OVERLOAD_DELAY_MS: '60000' },
      }
      const start = (...words: string[]) =>
        spawn(process.execPath, [program, ...words], { env, cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] })
      const [credentials] = await once(start('init', '--json').stdout, 'data')
      const { clientId, clientSecret } = JSON.parse(String(credentials))
      const serve = async (workers: number) => {
        const child = start('serve', '--port', '0', '--workers', String(workers))
        const ended = once(child, 'exit')
        keep({
          async stop() {
            child.kill()
            await ended
          },
        })
        const [line] = await once(child.stdout, 'data')
        const [, url = ''] = /at (\S+)/.exec(String(line)) ?? []
        const requests = { url, path: endpoints.decide.path, headers: { clientId, clientSecret }, bodies, ...busy }
        return async () => {
          const before = cpuSecondsOf(child.pid!)
          const { answered, elapsedMs, unexpected } = await load.ask(requests)
          if (unexpected) throw new Error(unexpected)
          return {
            perSecond: (1000 * answered) / elapsedMs,
            perCpuSecond: answered / (cpuSecondsOf(child.pid!) - before),
          }
        }
      }
      const bare = async (workers: number) => {
        const options: ClusteredOptions = { workers, databaseUrl: database() }
        const server = keep(await startServer('clustered', options))
        return () => measure(load, server, { path: '/', headers: {}, bodies, ...busy })
      }
      const [one, two] = [await serve(1), await serve(2)]
      const [bareOne, bareTwo] = [await bare(1), await bare(2)]
      for (const askOnce of [one, two, bareOne, bareTwo]) await askOnce()
      const rates = await inTurns({ one, two, bareOne, bareTwo })
      const ofBare = perCentOf(rates.bareTwo.perSecond, rates.bareOne.perSecond)
      return [
        {
          title: 'Workers: a decision, on PostgreSQL',
          rows: [
            answer('one process', 'requests per second', rates.one.perSecond),
            row('two workers', 'requests per second', rates.two.perSecond),
            row('two workers, of one process', '%', perCentOf(rates.two.perSecond, rates.one.perSecond), {
              atLeast: 165,
            }),
            row('… of one, one read and one write on bare node:http', '%', ofBare),
            row('one process', 'requests per CPU-second', rates.one.perCpuSecond),
            row('two workers', 'requests per CPU-second', rates.two.perCpuSecond),
          ],
          notes: [
            'Load and PostgreSQL are on the same cores. A worker of two has half of the connections, so it groups fewer reads in a statement.',
          ],
        },
      ]
    }),
}

/** Of a process and its workers. */
function cpuSecondsOf(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean)
  const all = [pid, ...children].map((each) => {
    const [, rest = ''] = readFileSync(`/proc/${each}/stat`, 'utf8').split(') ')
    const [user, system] = rest.split(' ').slice(11, 13).map(Number)
    return user! + system!
  })
  return all.reduce((sum, each) => sum + each) / ticks
}
