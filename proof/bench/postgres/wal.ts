// How much does PostgreSQL write to its log for a visit, on a store that already has a million?

import { setTimeout as after } from 'node:timers/promises'
import { Client } from 'pg'
import { startPostgres } from '../../../server/src/testing/postgres-server.ts'
import type { Visited, Visiting, VisitingOptions } from '../customer/visiting.ts'
import { createShop, unlimited } from '../decisions/decisions.ts'
import { ringfenceOptions, startOperator } from '../harness/checks.ts'
import { answer, type Bench, type Row, row } from '../harness/harness.ts'
import { startProcess, withResources } from '../harness/processes.ts'
import { startServer } from '../harness/servers.ts'

const devices = 1_000
const analyses = 1_000_000
const days = 30
const dayMs = 86_400_000
const copiesOfEach = 1_000
/** Rows of each table, of a tenant whose devices come five times in these days. */
const filled = {
  device_analysis: analyses,
  event: analyses,
  new_device_key: analyses,
  installation: analyses / 5,
  device_history: analyses / 5,
}
/** Columns that are no key, and that a copy may share. */
const shared = new Set(['tenant_hash', 'sealed', 'fingerprint', 'subjects'])

export const wal: Bench = {
  name: 'wal',
  onlyByName: true,
  run: () =>
    withResources(async (keep, folder) => {
      const place = { dataFolder: folder, databaseUrl: keep(await startPostgres({ durable: true })).url() }
      const options = ringfenceOptions(keep(await startOperator()), { ...place, ...unlimited })
      const server = keep(await startServer('ringfence', options))
      const app = await createShop(place)
      const page: VisitingOptions = { url: server.url, appId: app.id, access: server.access, devices }
      const browsers = keep(await startProcess<Visiting, Visited>('customer/visiting.ts', page))
      const visitOfEach = async () => {
        await browsers.ask({ prepare: devices })
        await browsers.ask({ atOnce: 8 })
      }
      const client = new Client({ connectionString: place.databaseUrl })
      await client.connect()
      keep({ stop: () => client.end() })
      await visitOfEach()
      await visitOfEach()
      const rows = [...(await loggedBy(visitOfEach, 'visits of this hour only', client))]
      for (const [table, count] of Object.entries(filled)) await fill(client, table, count)
      await letADayPass(client)
      await visitOfEach()
      for (const compression of ['off', 'on']) {
        await letADayPass(client)
        await client.query(`alter system set wal_compression = '${compression}'`)
        await client.query('select pg_reload_conf()')
        const name = `${analyses.toLocaleString('en')} visits of ${days} days, wal_compression = ${compression}`
        rows.push(...(await loggedBy(visitOfEach, name, client)))
      }
      return [
        {
          title: 'Write-ahead log of a returning visit',
          rows,
          notes: [
            `${devices.toLocaleString('en')} devices return once after a checkpoint, a day after their last visit, with a session, engine call, push and report. They lie among others in no order.`,
          ],
        },
      ]
    }),
}

async function loggedBy(visitOfEach: () => Promise<void>, name: string, client: Client): Promise<Row[]> {
  await client.query('checkpoint')
  const before = await logged(client)
  await visitOfEach()
  const now = await logged(client)
  const each = (figure: keyof typeof now) => [(now[figure] - before[figure]) / devices]
  return [answer(name, 'bytes', each('bytes')), row('… whole pages in it', 'pages', each('pages'))]
}

/** An idle connection reports its counts after ten seconds. */
async function logged(client: Client): Promise<{ bytes: number; pages: number }> {
  await after(12_000)
  const { rows } = await client.query("select pg_current_wal_lsn() - '0/0' as bytes, wal_fpi from pg_stat_wal")
  return { bytes: Number(rows[0].bytes), pages: Number(rows[0].wal_fpi) }
}

interface Column {
  readonly name: string
  readonly type: string
}

async function columnsOf(client: Client, table: string): Promise<Column[]> {
  const { rows } = await client.query<Column>(
    `select column_name as name, data_type as type from information_schema.columns
     where table_name = $1 order by ordinal_position`,
    [table],
  )
  return rows
}

const isTime = ({ name }: Column) => name.endsWith('_at')

/** The rows that a visit changes in place become a day older, and lie in no order, as where devices came over months. */
async function letADayPass(client: Client): Promise<void> {
  for (const table of ['installation', 'device_history']) {
    const columns = await columnsOf(client, table)
    const older = columns.map((column) => (isTime(column) ? `${column.name} - ${dayMs}` : column.name))
    await client.query(`create temp table its as table ${table}`)
    await client.query(`truncate ${table}`)
    await client.query(
      `insert into ${table} (${namesOf(columns)}) select ${older.join(', ')} from its order by random()`,
    )
    await client.query('drop table its')
  }
  await client.query('vacuum analyze')
}

const namesOf = (columns: readonly Column[]) => columns.map(({ name }) => name).join(', ')

/** Copies rows of the table: keys are random where they are hashes, and lie in the past where they follow the time. */
async function fill(client: Client, table: string, count: number): Promise<void> {
  const columns = await columnsOf(client, table)
  const random = "decode(md5(random()::text || copy::text), 'hex')"
  // At the same time of each day, and half as many of today.
  const ago = `((copy % ${2 * days - 1} + 1) / 2 * ${dayMs}::bigint)`
  const hex = (number: string, digits: number) => `decode(lpad(to_hex(${number}), ${digits}, '0'), 'hex')`
  const copied = (column: Column) => {
    const { name, type } = column
    if (shared.has(name)) return name
    if (isTime(column)) return `${name} - ${ago}`
    if (type === 'bigint') return '(random() * 9e18)::bigint'
    if (type !== 'bytea') return name
    // A UUID of version 7, and the day of a session.
    if (table === 'event' && name === 'id') return `${hex(`occurred_at - ${ago}`, 12)} || substring(${random} from 7)`
    if (name === 'challenge') return `${hex(`(analysed_at - ${ago}) / ${dayMs}`, 4)} || substring(${random} from 9)`
    return `case when ${name} is not null then substring(${random} from 1 for length(${name})) end`
  }
  await client.query(
    `insert into ${table} (${namesOf(columns)}) select ${columns.map(copied).join(', ')}
     from (select * from ${table} limit ${copiesOfEach}) its, generate_series(1, ${count / copiesOfEach}) copy
     on conflict do nothing`,
  )
}
