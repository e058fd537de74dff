// What does a token cost to verify, issue and delete, with few and with many of them in the store?

import path from 'node:path'
import { endpoints } from '@ringfence/contract'
import { startPostgres } from '../../server/src/testing/postgres-server.ts'
import { busy, sameAnswer } from './harness/checks.ts'
import { answer, type Bench, inTurns, perCentOf, type Row, row, type Table } from './harness/harness.ts'
import { withResources } from './harness/processes.ts'
import { type LoadProcess, measure, type Requests, type Server, startLoad, startServer } from './harness/servers.ts'
import { fillWithTokens, type Place, startTokenServer, type Tokens, withStore } from './token-data.ts'
import { forgetting, issuing } from './token-writes.ts'

const few = 100_000
const many = 10_000_000
const unit = 'requests per CPU-second'

export const tokens: Bench = {
  name: 'tokens',
  run: () =>
    withResources(async (keep, folder) => {
      const load = keep(await startLoad())
      const { url } = keep(await startPostgres({ durable: true }))
      const places = {
        embedded: { dataFolder: path.join(folder, 'embedded') },
        postgres: { dataFolder: path.join(folder, 'postgres'), databaseUrl: url() },
      }
      const embedded = keep(await startFilled(load, places.embedded, few))
      const postgres = keep(await startFilled(load, places.postgres, few))
      const floor = keep(await startServer('bare-http', await sameAnswer(embedded.server, embedded.uniform)))
      const tenantId = await withStore(places.embedded, async (store) => store.tenantId)
      const { access } = embedded.server
      const fastify = keep(await startServer('fastify-tokens', { ...places.embedded, tenantId, access }))
      const ask = (server: Server, requests = embedded.uniform) => measure(load, server, { ...requests, ...busy })
      const reference = keep(await startServer('http-tokens', { ...places.embedded, tenantId, access }))
      for (const server of [floor, fastify, reference]) await ask(server)
      const rates = await inTurns({
        floor: () => ask(floor),
        fastify: () => ask(fastify),
        reference: () => ask(reference),
        embedded: () => ask(embedded.server),
        postgres: () => ask(postgres.server, postgres.uniform),
      })
      return [verifyTable(rates), await issuing(places), await forgetting(places.embedded, () => ask(embedded.server))]
    }),
}

export const manyTokens: Bench = {
  name: 'tokens-10m',
  onlyByName: true,
  run: async () => {
    const tables: Table[] = []
    for (const engine of ['embedded', 'PostgreSQL'] as const) tables.push(await fewBesideMany(engine))
    return tables
  },
}

function fewBesideMany(engine: 'embedded' | 'PostgreSQL'): Promise<Table> {
  return withResources(async (keep, folder) => {
    const load = keep(await startLoad())
    const start = async (count: number) => {
      const dataFolder = path.join(folder, String(count))
      if (engine === 'embedded') return keep(await startFilled(load, { dataFolder }, count))
      const { url } = keep(await startPostgres({ durable: true }))
      return keep(await startFilled(load, { dataFolder, databaseUrl: url() }, count))
    }
    const [fewer, more] = [await start(few), await start(many)]
    const ask = ({ server }: Filled, requests: TokenRequests) => measure(load, server, { ...requests, ...busy })
    const rates = await inTurns({
      few: () => ask(fewer, fewer.uniform),
      uniform: () => ask(more, more.uniform),
      recent: () => ask(more, more.recent),
    })
    const base = rates.few.perCpuSecond
    const [uniform, recent] = [rates.uniform.perCpuSecond, rates.recent.perCpuSecond]
    return {
      title: `Token verification with ${many.toLocaleString('en')} tokens, ${engine}`,
      rows: [
        row(`${few.toLocaleString('en')} tokens`, unit, base),
        row(`${many.toLocaleString('en')}, any of them`, unit, uniform),
        row('any of many, of few', '%', perCentOf(uniform, base), { atLeast: 85 }),
        row(`${many.toLocaleString('en')}, the last ones`, unit, recent),
        row('the last of many, of few', '%', perCentOf(recent, base), { atLeast: 95 }),
        row('any of them, p99', 'ms', rates.uniform.p99Ms),
      ],
    }
  })
}

type TokenRequests = Pick<Requests, 'path' | 'headers' | 'bodies'>

interface Filled {
  server: Server
  uniform: TokenRequests
  recent: TokenRequests
  stop(): Promise<void>
}

/** A server with this many tokens; each token of the benchmark was verified once before. */
async function startFilled(load: LoadProcess, place: Place, count: number): Promise<Filled> {
  const server = await startTokenServer(place)
  const tokens = await withStore(place, (store) => fillWithTokens(store, count))
  const requests = (which: keyof Tokens) => ({
    path: endpoints.validateToken.path,
    headers: server.access,
    bodies: tokens[which].map((token) => JSON.stringify({ token })),
  })
  const filled = { server, uniform: requests('uniform'), recent: requests('recent'), stop: server.stop }
  const asked = { ...busy, requests: filled.uniform.bodies.length, limitMs: 60_000 }
  await measure(load, server, { ...filled.uniform, ...asked })
  return filled
}

type Rates = Record<
  'floor' | 'fastify' | 'reference' | 'embedded' | 'postgres',
  { perCpuSecond: number[]; p99Ms: number[] }
>

function verifyTable({ floor, fastify, reference, embedded, postgres }: Rates): Table {
  const perCent = (what: string, of: Rates['floor'], base: Rates['floor'], goal?: number): Row => ({
    what,
    unit: '%',
    values: perCentOf(of.perCpuSecond, base.perCpuSecond),
    ...(goal !== undefined && { goal: { atLeast: goal } }),
  })
  return {
    title: `Token verification: ${few.toLocaleString('en')} tokens, answers of 1.8 kB`,
    rows: [
      row('bare node:http, the same bytes', unit, floor.perCpuSecond),
      row('the same work in 25 lines on Fastify', unit, fastify.perCpuSecond),
      row('the same work in 25 lines on bare node:http', unit, reference.perCpuSecond),
      answer('embedded store', unit, embedded.perCpuSecond),
      perCent('embedded store, of bare node:http', embedded, floor, 60),
      perCent('… of the work on Fastify', embedded, fastify),
      perCent('… of the same work in 25 lines on bare node:http', embedded, reference, 90),
      answer('PostgreSQL', unit, postgres.perCpuSecond),
      perCent('PostgreSQL, of the embedded rate', postgres, embedded, 60),
      answer('embedded store, p99', 'ms', embedded.p99Ms),
      row('PostgreSQL, p99', 'ms', postgres.p99Ms),
    ],
    notes: [
      'Everything is on. The Fastify and node:http servers have no request ids, rate limit, metrics, log and checks.',
    ],
  }
}
