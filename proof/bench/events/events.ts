// What do events cost? Token verification, telecom checks and decisions with no receiver, with one that answers, with one that hangs.

import { createServer } from 'node:net'
import path from 'node:path'
import { endpoints } from '@ringfence/contract'
import { systemClock } from '../../../server/src/core/clock.ts'
import { readConfig } from '../../../server/src/core/config/config.ts'
import { openKeyring } from '../../../server/src/core/crypto/open-keyring.ts'
import { tenantKeyring } from '../../../server/src/core/crypto/tenant-keyring.ts'
import { Webhooks } from '../../../server/src/events/webhooks/webhooks.ts'
import { busy, checksOf, ringfenceOptions, startOperator } from '../harness/checks.ts'
import { answer, type Bench, inTurns, perCentOf, type Row, row, type Table } from '../harness/harness.ts'
import { withResources } from '../harness/processes.ts'
import {
  type LoadProcess,
  masterKey,
  measure,
  type Requests,
  type Server,
  startLoad,
  startServer,
} from '../harness/servers.ts'
import { importPortedNumbers } from '../number-data.ts'
import { fillWithTokens, type Store, withStore } from '../token-data.ts'

const numbers = 30_000
const tokens = 20_000
const requests = 6_000
const unit = 'requests per CPU-second'

/** What each server has. A webhook is for `*`: all that is always recorded. */
const receivers = {
  none: 'no receiver',
  answers: 'a webhook that answers at once',
  hangs: 'a webhook that never answers',
  file: 'a stream into a file',
} as const
type Receiver = keyof typeof receivers

export const eventsBench: Bench = {
  name: 'events',
  run: () =>
    withResources(async (keep, folder) => {
      const load = keep(await startLoad())
      const operator = keep(await startOperator())
      const answering = keep(await startServer('bare-http', { headers: {}, body: '' }))
      const hanging = keep(await neverAnswers())
      const urls: Partial<Record<Receiver, string>> = { answers: answering.url, hangs: hanging.url }
      const servers = {} as Record<Receiver, Asked>
      for (const name of Object.keys(receivers) as Receiver[]) {
        const dataFolder = path.join(folder, name)
        await importPortedNumbers(dataFolder, numbers)
        const { settings, parts } = ringfenceOptions(operator, { dataFolder, webhookTargets: 'any' })
        const eventStreams = { siem: { type: 'file', path: path.join(folder, `${name}.ndjson`) } }
        const options = { settings, parts: { ...parts, ...(name === 'file' && { eventStreams }) } }
        const server = keep(await startServer('ringfence', options, path.join(folder, `${name}.log`)))
        servers[name] = { server, requests: await requestsOf(server, dataFolder, urls[name]) }
      }
      const rows: Row[] = []
      for (const kind of ['tokens', 'checks', 'decisions'] as const) {
        const ask = ({ server, requests: of }: Asked) => measure(load, server, { ...of[kind], ...busy, requests })
        for (const each of Object.values(servers)) await ask(each)
        const rates = await inTurns({
          none: () => ask(servers.none),
          answers: () => ask(servers.answers),
          hangs: () => ask(servers.hangs),
          file: () => ask(servers.file),
        })
        rows.push(...rowsOf(kind, rates))
      }
      const notes = ['A verification records no event, a check only for a receiver that names it, a decision always.']
      const title = 'Events: what receivers leave of the rate'
      return [{ title, rows, notes }, await allDelivered(load, servers)]
    }),
}

/** Under full load deliveries lag behind, and the table before leaves out what remains. */
async function allDelivered(load: LoadProcess, { none, answers, file }: Record<Receiver, Asked>): Promise<Table> {
  const ask = ({ server, requests: of }: Asked) =>
    measure(load, server, { ...of.decisions, ...busy, requests }, { toRest: true })
  for (const one of [none, answers, file]) await ask(one)
  const rates = await inTurns({ none: () => ask(none), answers: () => ask(answers), file: () => ask(file) })
  return {
    title: 'Events: a decision, until its event is delivered',
    notes: ['With the CPU time until the server rests.'],
    rows: (['none', 'answers', 'file'] as const).map((name) => answer(receivers[name], unit, rates[name].perCpuSecond)),
  }
}

type Kind = 'tokens' | 'checks' | 'decisions'

interface Asked {
  server: Server
  requests: Record<Kind, Pick<Requests, 'path' | 'headers' | 'bodies'>>
}

async function requestsOf(server: Server, dataFolder: string, url: string | undefined): Promise<Asked['requests']> {
  const { uniform } = await withStore({ dataFolder }, async (store) => {
    if (url !== undefined) await addWebhook(store, url)
    return fillWithTokens(store, tokens)
  })
  const headers = server.access
  const users = Array.from({ length: 300 }, (_, user) => JSON.stringify({ action: 'LOGIN', userId: `user-${user}` }))
  return {
    tokens: { path: endpoints.validateToken.path, headers, bodies: uniform.map((token) => JSON.stringify({ token })) },
    checks: checksOf(server, numbers),
    decisions: { path: endpoints.decide.path, headers, bodies: users },
  }
}

/** A webhook for all that is always recorded, in the store of a server of servers/ringfence.ts. */
export async function addWebhook({ database, tenantId }: Store, url: string): Promise<void> {
  const { settings } = readConfig({ options: { masterKey, webhookTargets: 'any' } })
  const opened = await openKeyring(database, settings, {}, { create: false })
  const resources = {
    database,
    tenantKeyring: tenantKeyring(database, opened, systemClock),
    clock: systemClock,
    settings,
  }
  await new Webhooks(resources).add(tenantId, { url, types: ['*'] })
}

/** Takes connections and reads nothing. */
async function neverAnswers(): Promise<{ url: string; stop(): Promise<void> }> {
  const server = createServer((socket) => socket.on('error', () => undefined).pause())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  server.unref()
  const { port } = server.address() as { port: number }
  return { url: `http://127.0.0.1:${port}/`, stop: async () => void server.close() }
}

const names: Record<Kind, string> = {
  tokens: 'token verification',
  checks: 'telecom check',
  decisions: 'decision',
}

function rowsOf(kind: Kind, rates: Record<Receiver, { perCpuSecond: number[] }>): Row[] {
  return (Object.keys(receivers) as Receiver[]).flatMap((name): Row[] => {
    const what = `${names[kind]}: ${receivers[name]}`
    const rate = row(what, unit, rates[name].perCpuSecond)
    const share = perCentOf(rates[name].perCpuSecond, rates.none.perCpuSecond)
    return name === 'none' ? [rate] : [rate, row(what, '% of no receiver', share, { atLeast: 90 })]
  })
}
