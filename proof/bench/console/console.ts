// How fast is the console with a million decisions, in the embedded store or in PostgreSQL? Each call of each page, as an owner and as an analyst.

import { loadavg } from 'node:os'
import { join } from 'node:path'
import { type AdminEndpointName, adminEndpoints, consoleCookie } from '@ringfence/contract'
import { accept, maya } from '../../../server/src/admin/people/testing.ts'
import { startPostgres } from '../../../server/src/testing/postgres-server.ts'
import type { TestAnswer, TestService } from '../../../server/src/testing/test-service.ts'
import { median, quantile } from '../../quantiles.ts'
import { type Bench, type Row, row, type Table } from '../harness/harness.ts'
import { withResources } from '../harness/processes.ts'
import { type Server, startServer } from '../harness/servers.ts'
import type { ConsoleServerOptions } from '../servers/console.ts'
import { type Case, casesOf } from './cases.ts'
import { type Filled, fill, masterKey } from './fill.ts'
import { measureInBrowser } from './in-browser.ts'
import { pagesOfConsole } from './pages.ts'

const decisions = Number(process.env.DECISIONS ?? 1_000_000)
const scale = decisions / 1_000_000
const isEmbedded = process.env.STORE !== 'postgres'
/** In titles: the baseline is of the embedded store. */
const inStore = isEmbedded ? '' : ', PostgreSQL'
const counts = {
  auditLines: Math.ceil(100_000 * scale),
  people: 200,
  ruleVersions: 60,
  listEntries: Math.ceil(100_000 * scale),
  attempts: Math.ceil(100_000 * scale),
}
/** Of each case, in two rounds. */
const requests = 40
const goalMs = 300

/** DECISIONS=20000 is quick; STORE=postgres starts its own server. */
export const consoleBench: Bench = { name: 'console', onlyByName: true, run }

type Call = (name: AdminEndpointName, fields: object) => Promise<TestAnswer>

async function run(): Promise<Table[]> {
  return withResources(async (keep, folder) => {
    const databaseUrl = isEmbedded ? undefined : keep(await startPostgres({ durable: true })).url()
    const place = { dataFolder: join(folder, 'data'), ...(databaseUrl !== undefined && { databaseUrl }) }
    const store = await fill(place, decisions, counts)
    const options: ConsoleServerOptions = { ...place, masterKey, tenantId: store.tenantId }
    const server = keep(await startServer('console', options, join(folder, 'log')))
    return measureConsole(store, server)
  })
}

/** `server`: from `servers/console.ts`, over this store. */
async function measureConsole(store: Filled, server: Server): Promise<Table[]> {
  const owner = await signedIn(server, 'owner')
  const analyst = await signedIn(server, 'analyst')
  const measured = await measureCalls(store, server, { owner: owner.call, analyst: analyst.call })
  const inBrowser = await measureInBrowser({
    ...{ url: server.url, sessionToken: owner.sessionToken },
    ...{ credentials: store.credentials, decisionId: store.decisionIds.at(-1)! },
  })
  return [pagesTable(measured), inBrowser, callsTable(measured)]
}

export async function signedIn(
  server: Server,
  role: 'owner' | 'analyst',
): Promise<{ call: Call; sessionToken: string }> {
  const clock = { now: () => Date.now(), advance: () => undefined }
  const service = { url: server.url, clock } as unknown as TestService
  const { browser } = await accept(service, server.access[role]!, {
    ...maya,
    email: `${role}-${process.pid}@shop.example`,
  })
  const sessionToken = browser.cookies.get(consoleCookie)!
  return { call: (name, fields) => browser.call(name, fields), sessionToken }
}

interface Measured extends Case {
  readonly name: AdminEndpointName
  readonly owner: number[]
  /** Empty where the role may not. */
  readonly analyst: number[]
  /** CPU-seconds of the service for all requests. */
  cpuSeconds: number
  /** Why it could not be measured. */
  refused?: string
}

async function measureCalls(
  store: Filled,
  server: Server,
  callers: Record<'owner' | 'analyst', Call>,
): Promise<Measured[]> {
  const all = [...casesOf(store)].flatMap(([name, cases]) =>
    cases.map((each): Measured => ({ name, ...each, owner: [], analyst: [], cpuSeconds: 0 })),
  )
  for (let round = 0; round < 2; round++) {
    for (const each of all) {
      const before = await server.state()
      for (const role of ['owner', 'analyst'] as const) await measureCase(each, role, callers[role])
      each.cpuSeconds += (await server.state()).cpuSeconds - before.cpuSeconds
    }
  }
  for (const { refused } of all)
    if (refused) console.warn(`not measured: ${refused}; it needs a case in proof/bench/console/cases.ts`)
  return all.filter(({ refused }) => refused === undefined)
}

/** The first answer of a case says whether it is right; the first of a round fills caches of the store. */
async function measureCase(each: Measured, role: 'owner' | 'analyst', call: Call): Promise<void> {
  for (let request = 0; request < requests / 2; request++) {
    const startedAt = performance.now()
    const { status, body } = await call(each.name, each.fields)
    if (status === 403 && role === 'analyst') return
    if (status !== 200) {
      each.refused = `${each.name}: ${status} ${body?.type ?? ''}`
      return
    }
    each[role].push(performance.now() - startedAt)
  }
}

const cpuMsOf = (each: Measured) => (1000 * each.cpuSeconds) / timesOf(each).length
const timesOf = ({ owner, analyst }: Measured) => [...owner, ...analyst]
const p99 = (times: readonly number[]) => quantile(times, 0.99)

/** How many pages and calls a table has: the others take less time. */
const listed = 3

/** A page takes no longer than the slowest case of each of its calls, one after the other. */
function pagesTable(measured: readonly Measured[]): Table {
  const casesOfCall = (name: AdminEndpointName) => measured.filter((each) => each.name === name)
  const pages = pagesOfConsole().flatMap(({ path, calls }) => {
    const sum = (of: (each: Measured) => number) =>
      calls.reduce((total, name) => total + Math.max(0, ...casesOfCall(name).map(of)), 0)
    if (!calls.some((name) => casesOfCall(name).length > 0)) return []
    const page = `\`${path}\``
    const slowest = sum((each) => p99(timesOf(each)))
    const rows = [
      row(`${page}, median`, 'ms', [sum((each) => median(timesOf(each)))]),
      row(`${page}, p99`, 'ms', [slowest], { atMost: goalMs }),
      row(`${page}, CPU of the service`, 'ms', [sum(cpuMsOf)], { atMost: goalMs }),
    ]
    return [{ slowest, rows }]
  })
  const rows = pages
    .toSorted((a, b) => b.slowest - a.slowest)
    .slice(0, listed)
    .flatMap((each) => each.rows)
  return {
    title: `Console: server time of the slowest of ${pages.length} pages, ${decisions.toLocaleString('en')} decisions${inStore}`,
    rows,
    notes: [
      `The sum over the calls of a page, each with its most expensive case, one after the other: more than a person waits for. The load of the machine was ${loadavg()[0]!.toFixed(1)}.`,
    ],
  }
}

function callsTable(measured: readonly Measured[]): Table {
  const rows = measured
    .toSorted((a, b) => p99(timesOf(b)) - p99(timesOf(a)))
    .slice(0, listed)
    .map((each): Row => {
      const { method, path } = adminEndpoints[each.name]
      const what = `\`${method} ${path.slice('/admin/v1/'.length)}\`${each.what && `, ${each.what}`}`
      return row(what, 'ms', timesOf(each), { atMost: goalMs })
    })
  const notes = [`The slowest of ${measured.length} cases by their p99.`]
  return { title: `Console: the most expensive calls${inStore}`, rows, notes }
}
