// What do a visit, a verified token and a decision cost when ten million are known, and not one?

import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sqliteFileName } from '../../../server/src/core/storage/sqlite/sqlite.ts'
import { type Bench, inTurns, perCentOf, type Row, row, type Table } from '../harness/harness.ts'
import { withResources } from '../harness/processes.ts'
import { type Asked, startCustomer } from './customer.ts'

/** GROWTH=100000 is quick. */
const many = Number(process.env.GROWTH ?? 10_000_000)
const few = many / 10
const dayMs = 86_400_000
const days = 20

/** What is known: in which tables, and which request has to find its own among it. */
const kinds: Readonly<Record<string, { readonly tables: readonly string[]; readonly flow: Asked }>> = {
  'known devices': {
    tables: ['installation', 'device_history', 'device_analysis', 'event'],
    flow: 'device visit, engine call to report',
  },
  tokens: { tables: ['token'], flow: 'token verification' },
  decisions: {
    tables: ['decision', 'account_knowledge', 'account_device', 'event'],
    flow: 'decision: sign-in, device and account',
  },
}

export const growth: Bench = {
  name: 'growth',
  onlyByName: true,
  run: async () => {
    const rows: Row[] = []
    for (const [known, { tables, flow }] of Object.entries(kinds))
      rows.push(...(await fewBesideMany(known, tables, flow)))
    return [
      {
        title: `From ${few.toLocaleString('en')} to ${many.toLocaleString('en')}`,
        rows,
        notes: [
          'The flows of `customer`, 64 at once, without a webhook, on embedded stores in which a few thousand real rows of each table were multiplied, under random keys and times of the last 20 days.',
        ],
      } satisfies Table,
    ]
  },
}

/** Two services, one of which knows ten times as much, in turns. */
function fewBesideMany(known: string, tables: readonly string[], flow: Asked): Promise<Row[]> {
  return withResources(async (keep, folder) => {
    const start = async (count: number) => {
      const its = path.join(folder, String(count))
      const access = await withResources(async (keepSeeds) => {
        const seeds = await startCustomer(keepSeeds, its, { hasWebhook: false })
        await seeds.flows['decision: sign-in, device and account']({ atOnce: 64 })
        return seeds.access
      })
      multiply(path.join(its, 'customer', sqliteFileName), tables, count)
      const { flows } = await startCustomer(keep, its, { hasWebhook: false, access })
      return () => flows[flow]({ atOnce: 64 })
    }
    const [fewer, more] = [await start(few), await start(many)]
    // The first has waited for minutes, and would write what a visit writes once in ten minutes.
    for (let turn = 0; turn < 2; turn++) for (const measured of [fewer, more]) await measured()
    const rates = await inTurns({ fewer, more })
    const micros = (values: readonly number[]) => values.map((rate) => 1e6 / rate)
    const [of, by] = [micros(rates.fewer.perCpuSecond), micros(rates.more.perCpuSecond)]
    return [
      row(`${flow}: ${few.toLocaleString('en')} ${known}`, 'µs of CPU', of),
      row(`${many.toLocaleString('en')}`, 'µs of CPU', by),
      row(`${flow}: ten times as many ${known}`, '% of the CPU', perCentOf(by, of), { atMost: 125 }),
    ]
  })
}

const random = 'case when length($) >= 8 then randomblob(length($)) else $ end'
// SQLite joins two blobs to a text, which sorts before every blob.
const following = (digits: number, number: string, bytes: number) =>
  `cast(unhex(printf('%0${digits}x', ${number})) || randomblob(${bytes}) as blob)`

/** Which new value a column of a copied row gets; the others keep theirs. Ids follow the time; hashes and random ids do not. */
const renewed: readonly { readonly columns: RegExp; readonly as: string }[] = [
  { columns: /^(event\.id|decision\.decision_id)$/, as: following(12, 'at', 10) },
  { columns: /\.(tenant_hash|body_hash|push_hash|sole_installation_hash)$/, as: '$' },
  { columns: /\.challenge$/, as: following(4, `at / ${dayMs}`, 8) },
  { columns: /[._]hash$|\.(dfr_id|device_id)$|^installation\.id$/, as: random },
  { columns: /\.((first|last|retention|first_seen|last_seen|analysed|decided|occurred)_at)$/, as: 'at' },
]

/** Copies the rows of these tables until each has so many. The indexes are made afterwards, which is much faster. */
function multiply(file: string, tables: readonly string[], count: number): void {
  using database = new DatabaseSync(file)
  for (const pragma of ['synchronous=off', 'cache_size=-2000000', 'temp_store=memory'])
    database.exec(`pragma ${pragma}`)
  for (const table of tables) {
    const indexes = database.prepare(
      "select name, sql from sqlite_master where type = 'index' and tbl_name = ? and sql is not null",
    )
    const made = indexes.all(table) as { name: string; sql: string }[]
    for (const { name } of made) database.exec(`drop index ${name}`)
    const columns = (database.prepare('select name from pragma_table_info(?)').all(table) as { name: string }[]).map(
      ({ name }) => name,
    )
    const values = columns.map((column) => {
      const { as = '$' } = renewed.find(({ columns: its }) => its.test(`${table}.${column}`)) ?? {}
      return as.replaceAll('$', column)
    })
    database.exec(`create temp table seeds as select * from ${table} limit 2000`)
    const { seeds } = database.prepare('select count(*) as seeds from seeds').get() as { seeds: number }
    const until = Date.now() - dayMs / 24
    // Not by random(), which would be another time in each column.
    const ago = `(copy.i * 2654435761 + seeds.rowid * 40503) % ${days * dayMs}`
    database.exec(
      `insert into ${table} (${columns.join()})
       with recursive copy(i) as (select 1 union all select i + 1 from copy where i < ${Math.ceil(count / seeds)})
       select ${values.join()} from (
         select seeds.*, ${until} - ${ago} as at from copy cross join seeds
       )`,
    )
    database.exec('drop table seeds')
    for (const { sql } of made) database.exec(sql)
  }
  database.exec('pragma wal_checkpoint(truncate)')
}
