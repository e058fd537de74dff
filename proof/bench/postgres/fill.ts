// How does a store on PostgreSQL get a million rows, which lie as they would after a month? As copies of the rows that are there.

import type { Client } from 'pg'

export const days = 30
const dayMs = 86_400_000
const copiesOfEach = 1_000
/** Columns that are no key, and that a copy may share. */
const shared = new Set(['tenant_hash', 'sealed', 'fingerprint', 'subjects'])
/** Keys that are text. */
const textKeys = /^(app_user\.id|identity\.user_id)$/

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
export async function letADayPass(client: Client): Promise<void> {
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
export async function fill(client: Client, table: string, count: number): Promise<void> {
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
    if (textKeys.test(`${table}.${name}`)) return 'md5(random()::text || copy::text)'
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
