// Is a number of a batch ever asked twice, when servers are killed while they check it?

import { setTimeout as after } from 'node:timers/promises'
import type { Batch, BatchResult } from '@ringfence/contract'
import type { IssuedCredentials } from '../../server/src/clients/credentials.ts'
import { postgresDatabases, sqliteDatabases, type TestDatabases } from '../../server/src/testing/databases.ts'
import { named, type PromiseProgram, type RunOptions } from './promise.ts'
import type { ServeOptions } from './testbed/serve.ts'
import { newClient, type ServiceProcess, spawnService } from './testbed/service-process.ts'
import { storeOf } from './testbed/stores.ts'
import { startCountingOperator } from './testbed/telecom/counting-operator.ts'

const concurrency = 16

export const batches: PromiseProgram = {
  name: 'batches',
  promise: 'a batch that is killed and resumed asks about no number twice, and has a result for every line',
  async run(run) {
    // One line repeats a number: with it, the batch is as long as one may be.
    const size = run.full ? { numbers: 99_999, kills: 8 } : { numbers: 3000, kills: 1 }
    const embedded = await killed(sqliteDatabases, 1, size, run)
    const shared = await killed(postgresDatabases, 2, size, run)
    return {
      figures: {
        numbers: size.numbers,
        ...named(embedded, 'embedded'),
        ...named(shared, 'two servers with PostgreSQL'),
      },
    }
  },
}

/** The n-th of 100,000 valid Indian mobile numbers. */
const numberOf = (n: number) => String(917_020_100_000 + n)

async function killed(
  databases: TestDatabases,
  servers: number,
  { numbers, kills }: { numbers: number; kills: number },
  run: RunOptions,
) {
  const operator = await startCountingOperator(run, 5)
  const { engine } = databases
  const options: ServeOptions = {
    ...{ parts: operator.parts, environment: operator.environment },
    settings: { ...(await storeOf(databases, run)), batchConcurrency: concurrency, requestTimeoutMs: 60_000, port: 0 },
  }
  const start = () => spawnService(options, run).started
  const running: ServiceProcess[] = []
  for (let n = 0; n < servers; n++) running.push(await start())
  const [first] = running
  const client = await newClient(first!, 'batches')
  const lines = Array.from({ length: numbers }, (_, n) => numberOf(n))
  const batch = await sent(first!, client, ['phoneNumber', ...lines, lines[0]!].join('\n'))

  let killsDone = 0
  for (let done = 0; killsDone < kills; ) {
    await after(50)
    const state = await read(running[0]!, client, batch.batchId)
    if (state.counts.done < Math.min(done + numbers / (kills + 1), numbers - 1)) continue
    done = state.counts.done
    // The one that works on it, whichever that is.
    await Promise.all(running.map((service) => service.kill()))
    killsDone++
    for (const place of running.keys()) running[place] = await start()
    run.say(`${engine}: ${killsDone} of ${kills} kills at ${done} of ${numbers} numbers`)
  }
  let state = await read(running[0]!, client, batch.batchId)
  while (state.status !== 'completed') {
    await after(100)
    state = await read(running.at(-1)!, client, batch.batchId)
  }

  const results = await resultsOf(running[0]!, client, batch.batchId)
  const interrupted = results.filter(({ checks }) => errorOf(checks) === 'P7353')
  const twice = [...operator.asked.values()].filter((count) => count > 1).length
  const answered = results.filter(({ checks }) => checks?.simSwap?.success).length
  run.unless(twice === 0, () => `${twice} numbers were asked twice (${engine})`)
  run.unless(results.length === numbers + 1, () => `${results.length} results of ${numbers + 1} (${engine})`)
  run.unless(
    answered + interrupted.length === results.length,
    () => `${results.length - answered - interrupted.length} numbers have another result (${engine})`,
  )
  run.unless(
    // Those in flight, and those whose answers wait for the next write.
    interrupted.length <= kills * servers * concurrency * 2,
    () => `${interrupted.length} numbers were interrupted by ${kills} kills (${engine})`,
  )
  for (const service of running) await service.stop()
  return { kills, answered, interrupted: interrupted.length, 'asked twice': twice }
}

const errorOf = (checks: BatchResult['checks']) =>
  checks?.simSwap?.success === false ? checks.simSwap.error.errorCode : undefined

async function sent({ url }: ServiceProcess, client: IssuedCredentials, body: string): Promise<Batch> {
  const response = await fetch(`${url}/v1/telecom/batches?checks=simSwap`, {
    method: 'POST',
    headers: { ...client, 'content-type': 'text/csv', 'idempotency-key': 'batch-of-the-promise' },
    body,
  })
  if (response.status !== 200) throw new Error(`the batch was refused: ${await response.text()}`)
  return (await response.json()) as Batch
}

async function read({ url }: ServiceProcess, client: IssuedCredentials, batchId: string): Promise<Batch> {
  return (await (await fetch(`${url}/v1/telecom/batches/${batchId}`, { headers: { ...client } })).json()) as Batch
}

async function resultsOf({ url }: ServiceProcess, client: IssuedCredentials, batchId: string): Promise<BatchResult[]> {
  const response = await fetch(`${url}/v1/telecom/batches/${batchId}/results`, { headers: { ...client } })
  return (await response.text())
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}
