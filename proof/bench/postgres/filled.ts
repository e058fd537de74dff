// What does PostgreSQL write to its log, hold in indexes and back up, when its store has a million visits?

import { execFile } from 'node:child_process'
import { statSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { debianPostgres } from '../../../server/src/testing/postgres-binaries.ts'
import { startPostgres } from '../../../server/src/testing/postgres-server.ts'
import { startMessageGateway, unlimitedMessages } from '../../promises/testbed/message-gateway.ts'
import type { Visited, Visiting, VisitingOptions } from '../customer/visiting.ts'
import { createShop, unlimited } from '../decisions/decisions.ts'
import { ringfenceOptions, startOperator } from '../harness/checks.ts'
import { answer, type Bench, type Row, type Table } from '../harness/harness.ts'
import { type Keep, startProcess, withResources } from '../harness/processes.ts'
import { masterKey, startServer } from '../harness/servers.ts'
import { importPortedNumbers } from '../number-data.ts'
import { serversOf } from './connections.ts'
import { days, fill, letADayPass } from './fill.ts'
import { loggedBy } from './log.ts'
import { people } from './people.ts'

/** FILLED=20000 is quick. */
const analyses = Number(process.env.FILLED ?? 1_000_000)
const devices = analyses / 5
/** Of each flow; they lie among the others in no order. */
const asked = 1_000
/** Rows of each table, of a tenant whose devices come five times in these days, and whose users have one each. */
const filled = {
  analysis: { device_analysis: analyses },
  event: { event: analyses },
  device: { installation: devices, device_history: devices, new_device_key: analyses },
  user: { app_user: devices, identity: devices },
}
const program = path.join(import.meta.dirname, '..', '..', '..', 'cli', 'bin', 'ringfence.js')

export const filledStore: Bench = {
  name: 'filled',
  onlyByName: true,
  run: () =>
    withResources(async (keep, folder) => {
      const { programs, missing } = await debianPostgres()
      if (programs === undefined) throw new Error(missing)
      const place = { dataFolder: folder, databaseUrl: keep(await startPostgres({ durable: true, programs })).url() }
      const client = new Client({ connectionString: place.databaseUrl })
      await client.connect()
      keep({ stop: () => client.end() })
      const flows = await startFlows(keep, place)
      const { rows } = await client.query('show server_version')
      const [version] = rows[0].server_version.split(' ')
      const log = await logOf(flows, client)
      const held = await heldBy(client)
      return [
        {
          title: 'Write-ahead log and events of a request',
          rows: log,
          notes: [
            `${asked.toLocaleString('en')} of each, after a checkpoint, on PostgreSQL ${version}. Devices return a day after their last visit, with a session, engine call, push and report. They lie among others in no order.`,
          ],
        },
        held,
        { title: 'Backup', rows: await backUp(place, client) },
        { title: 'Connections', rows: await serversOf({ connections: 100, programs }) },
      ]
    }),
}

type Flow = () => Promise<unknown>
type Flows = Record<'visit' | 'newDevice' | 'signIn' | 'check', Flow>

/** A server on PostgreSQL; each device and each person has been there once. */
async function startFlows(keep: Keep, place: { dataFolder: string; databaseUrl: string }): Promise<Flows> {
  const gateway = await startMessageGateway({ after: (close) => void keep({ stop: close }) })
  await importPortedNumbers(place.dataFolder, asked)
  const { settings, parts } = ringfenceOptions(keep(await startOperator()), {
    ...place,
    ...unlimited,
    ...unlimitedMessages,
    simSwapReuseSeconds: 0,
  })
  const options = { settings, parts: { ...parts, channels: gateway.channels } }
  const server = keep(await startServer('ringfence', options))
  const app = await createShop(place)
  const visiting = async (seed?: number): Promise<Flow> => {
    const page: VisitingOptions = {
      ...{ url: server.url, appId: app.id, access: server.access, devices: asked },
      ...(seed !== undefined && { seed }),
    }
    const browsers = keep(await startProcess<Visiting, Visited>('customer/visiting.ts', page))
    return async () => {
      await browsers.ask({ prepare: asked })
      await browsers.ask({ atOnce: 8 })
    }
  }
  const newDevices = [await visiting(101), await visiting(102)]
  const { signIn, check } = people(server, app, { count: asked, gateway })
  const flows = { visit: await visiting(), newDevice: async () => newDevices.shift()?.(), signIn, check }
  for (const flow of [flows.visit, flows.visit, signIn, check]) await flow()
  return flows
}

async function logOf({ visit, ...others }: Flows, client: Client): Promise<Row[]> {
  const { bytes } = await loggedBy(visit, client, asked)
  const rows = [answer('visits of this hour only', 'bytes', [bytes])]
  for (const tables of Object.values(filled))
    for (const [table, count] of Object.entries(tables)) await fill(client, table, count)
  await letADayPass(client)
  await visit()
  const flows: Readonly<Record<string, Flow>> = {
    [`visit, ${analyses.toLocaleString('en')} in ${days} days`]: visit,
    'visit of a new device': others.newDevice,
    'sign-in by SMS': others.signIn,
    'SIM swap check, one call of the operator': others.check,
  }
  for (const compression of ['off', 'on']) {
    await letADayPass(client)
    await client.query(`alter system set wal_compression = '${compression}'`)
    await client.query('select pg_reload_conf()')
    for (const [what, flow] of Object.entries(flows)) {
      const { bytes, events } = await loggedBy(flow, client, asked)
      rows.push(answer(`${what}, wal_compression = ${compression}`, 'bytes', [bytes]))
      if (compression === 'off') rows.push(answer(`${what}: recorded`, 'events', [events]))
    }
  }
  return rows
}

/** What tables and indexes take, for each of what they are about. */
async function heldBy(client: Client): Promise<Table> {
  const counts = { analysis: analyses, event: analyses, device: devices, user: devices }
  const rows: Row[] = []
  for (const [what, count] of Object.entries(counts)) {
    const names = Object.keys(filled[what as keyof typeof filled])
    const { rows: sizes } = await client.query<{ whole: string; indexes: string }>(
      `select sum(pg_total_relation_size(of.id)) as whole, sum(pg_indexes_size(of.id)) as indexes
       from unnest($1::text[]) as its(name) left join lateral pg_partition_tree(its.name::regclass) on true,
       lateral (select coalesce(relid, its.name::regclass) as id) as of`,
      [names],
    )
    const each = (bytes: string) => [Number(bytes) / count]
    rows.push(
      answer(what, 'bytes', each(sizes[0]!.whole)),
      answer(`${what}: indexes`, 'bytes', each(sizes[0]!.indexes)),
    )
  }
  const { rows: content } = await client.query('select avg(pg_column_size(sealed)) as bytes from device_analysis')
  rows.push(answer('analysis: sealed', 'bytes', [Number(content[0].bytes)]))
  const listed = Object.entries(filled).map(([what, tables]) => `${what}: ${Object.keys(tables).join(', ')}`)
  return {
    title: 'Held by PostgreSQL',
    rows,
    notes: [
      `Tables with their indexes, of ${analyses.toLocaleString('en')} visits, ${devices.toLocaleString('en')} devices and as many users. ${listed.join('; ')}.`,
    ],
  }
}

async function backUp(place: { dataFolder: string; databaseUrl: string }, client: Client): Promise<Row[]> {
  const { rows } = await client.query('select pg_database_size(current_database()) as bytes')
  const bytes = Number(rows[0].bytes)
  const file = path.join(place.dataFolder, 'store.age')
  const start = performance.now()
  await promisify(execFile)(process.execPath, [program, 'backup', file, '--data', place.dataFolder], {
    env: {
      ...{ PATH: process.env.PATH, HOME: place.dataFolder, BACKUP_PASSPHRASE: 'of a benchmark' },
      ...{ DATABASE_URL: place.databaseUrl, MASTER_KEY: masterKey },
    },
  })
  const seconds = (performance.now() - start) / 1000
  return [
    answer('made, restored and read', 's per GB of the store', [seconds / (bytes / 1e9)]),
    answer('its file', '% of the store', [(100 * statSync(file).size) / bytes]),
  ]
}
