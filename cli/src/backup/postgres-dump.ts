// How is a PostgreSQL store copied and put back? With its own pg_dump and pg_restore, in its custom format.

import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type PostgresHost, readPostgresUrl } from '@ringfence/server/core/storage/postgres/connection-url.ts'
import { Connector } from '@ringfence/server/core/storage/postgres/connector.ts'
import { openPostgres } from '@ringfence/server/core/storage/postgres/postgres.ts'
import { Client } from 'pg'
import { withoutPassword } from '../database-url.ts'
import { CommandFailed } from '../failure.ts'
import type { StoreContent } from './sqlite-copy.ts'
import { notOurs } from './sqlite-schema.ts'
import { endedBySignal } from './work-folder.ts'

const debianFolder = '/usr/lib/postgresql'

/** Writes a consistent dump while servers write, and returns what it contains: both see the same snapshot. */
export async function dumpPostgres(url: string, to: string): Promise<StoreContent> {
  const programs = await programsFor(url)
  return withClient(url, async (client) => {
    await client.query(`begin isolation level repeatable read read only; ${withoutLimits}`)
    const { rows } = await client.query('select pg_export_snapshot() as snapshot')
    const content = await contentOf(client)
    await runProgram(programs, 'pg_dump', url, [
      `--snapshot=${rows[0].snapshot}`,
      '--format=custom',
      // Most of a store is sealed: the default takes three times as long, for a file that is 3 % smaller.
      '--compress=1',
      `--file=${to}`,
      ...withoutOwner,
    ])
    return content
  })
}

/**
 * Puts a dump into a database without tables, in one transaction.
 * @throws CommandFailed when it has some, or when PostgreSQL refuses; nothing is written then
 */
export async function restorePostgres(url: string, dump: string): Promise<StoreContent> {
  const programs = await programsFor(url)
  refuseForeign(await runProgram(programs, 'pg_restore', undefined, ['--list'], dump))
  await runProgram(programs, 'pg_restore', url, ['--single-transaction', '--exit-on-error', ...withoutOwner], dump)
  return withClient(url, async (client) => {
    await client.query(`begin read only; ${withoutLimits}`)
    return contentOf(client)
  })
}

/** What dumps of our stores have. */
const ownEntries = new Set([
  ...['TABLE', 'TABLE DATA', 'INDEX', 'CONSTRAINT', 'FK CONSTRAINT', 'DEFAULT', 'STATISTICS DATA'],
  ...['SEQUENCE', 'SEQUENCE SET', 'SEQUENCE OWNED BY', 'COMMENT', 'SCHEMA', 'ACL', 'ENCODING', 'STDSTRINGS'],
])

/** Reads the table of contents of a dump: `217; 1259 16389 TABLE public tenant owner`. */
function refuseForeign(list: string): void {
  if (list.length >= longestOutput)
    throw new CommandFailed('the dump lists more than a store of ours has: use another backup')
  for (const line of list.split('\n')) {
    const [, entry] = /^\d+; \d+ \d+ (.+)$/.exec(line) ?? []
    if (entry === undefined || [...ownEntries].some((type) => entry.startsWith(`${type} `))) continue
    const [, type = entry, name = ''] = /^([A-Z ]+?) (\S.*)$/.exec(entry) ?? []
    throw new CommandFailed(notOurs(type.toLowerCase(), name))
  }
}

/** A role may have limits for the statements of servers. Reading a large table takes longer. */
const withoutLimits = 'set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0'

export async function refuseTables(url: string): Promise<void> {
  await programsFor(url)
  const { rows } = await withClient(url, (client) =>
    client.query('select tablename from pg_tables where schemaname = current_schema() limit 1'),
  )
  if (rows.length > 0) {
    throw new CommandFailed(
      `the database has tables already (${rows[0].tablename}): restore into a new database (createdb), named with --database URL or DATABASE_URL`,
    )
  }
}

/**
 * What a dump contains when it is restored into a new database of the same server, which is dropped afterwards. Undefined when
 * this role may not create one: then the dump was only read to its end.
 */
export async function checkedDump(url: string, dump: string): Promise<StoreContent | undefined> {
  const check = withClient(url, async (client) => {
    await dropKilled(client)
    const { rows } = await client.query('select pg_backend_pid() as pid')
    const name = `ringfence_backup_check_${rows[0].pid}_${randomBytes(6).toString('hex')}`
    try {
      await client.query(`create database ${name} template template0`)
    } catch (error) {
      if ((error as { code?: string }).code !== '42501') throw error
      await runProgram(await programsFor(url), 'pg_restore', undefined, ['--file=/dev/null'], dump)
      return undefined
    }
    try {
      return await restorePostgres(withDatabase(url, name), dump)
    } finally {
      await client.query(`drop database ${name} with (force)`) // a program that was killed may still be connected
    }
  })
  return endedBySignal(check)
}

/** Drops the databases of backups that were killed: the session that such a name has is gone. */
async function dropKilled(client: Client): Promise<void> {
  const { rows } = await client.query(
    `select datname as name from pg_database
      where datname ~ '^ringfence_backup_check_[0-9]+_[0-9a-f]{12}$' and pg_get_userbyid(datdba) = current_user
        and split_part(datname, '_', 4) not in (select cast(pid as text) from pg_stat_activity)`,
  )
  for (const { name } of rows) await client.query(`drop database if exists ${name} with (force)`)
}

async function contentOf(client: Client): Promise<StoreContent> {
  const { rows: tables } = await client.query(
    'select tablename as name from pg_tables where schemaname = current_schema() order by 1',
  )
  const counts: Record<string, number> = {}
  for (const { name } of tables) {
    const { rows } = await client.query(`select count(*) as n from "${name}"`)
    counts[name] = Number(rows[0].n)
  }
  const { rows } = await client.query('select name from schema_migration order by name')
  return { migrations: rows.map(({ name }) => name), tables: counts }
}

async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  await (await openPostgres(url)).close() // explains why it cannot be reached
  const client = new Client((await primaryOf(url)).config)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** `pg` connects to one host only. */
async function primaryOf(url: string): Promise<PostgresHost> {
  const { hosts } = readPostgresUrl(url)
  if (hosts.length === 1) return hosts[0]!
  const connection = await new Connector(url).connect()
  await connection.end()
  return hosts.find(({ name }) => name === connection.host)!
}

/** Of several hosts, the one that takes writes: the others do not know its snapshot. */
function forLibpq(url: string): string {
  if (readPostgresUrl(url).hosts.length === 1 || /[?&]target_session_attrs=/.test(url)) return url
  return `${url}${url.includes('?') ? '&' : '?'}target_session_attrs=read-write`
}

const withoutOwner = ['--no-owner', '--no-privileges']

/** The folder of the client programs of the server's version, or of a later one. */
async function programsFor(url: string): Promise<string> {
  const { rows } = await withClient(url, (client) => client.query('show server_version_num'))
  const major = Math.floor(Number(rows[0].server_version_num) / 10_000)
  const debian = existsSync(debianFolder) ? readdirSync(debianFolder).sort((a, b) => Number(a) - Number(b)) : []
  const folders = [
    ...debian.map((version) => join(debianFolder, version, 'bin')),
    ...(process.env.PATH ?? '').split(delimiter),
  ]
  const found: string[] = []
  for (const folder of new Set(folders)) {
    if (!existsSync(join(folder, 'pg_dump')) || !existsSync(join(folder, 'pg_restore'))) continue
    const version = await versionOf(join(folder, 'pg_dump'))
    if (version !== undefined && version >= major) return folder
    found.push(`${folder} has ${version ?? 'an unknown version'}`)
  }
  throw new CommandFailed(
    `a backup of PostgreSQL ${major} needs pg_dump ${major} or later (${found.join('; ') || 'none is installed'}): apt-get install postgresql-client-${major}`,
  )
}

async function versionOf(program: string): Promise<number | undefined> {
  const { stdout } = await output(program, ['--version'], process.env)
  const [, major] = /\(PostgreSQL\) (\d+)/.exec(stdout) ?? []
  return major === undefined ? undefined : Number(major)
}

async function runProgram(
  folder: string,
  name: string,
  url: string | undefined,
  options: readonly string[],
  file?: string,
): Promise<string> {
  // Every user of the machine can see the options of a process.
  const { text, password } = url === undefined ? {} : withoutPassword(forLibpq(url))
  const words = [...options, ...(text === undefined ? [] : [`--dbname=${text}`]), ...(file === undefined ? [] : [file])]
  const { code, stdout, stderr } = await output(join(folder, name), words, {
    ...process.env,
    ...(password !== undefined && { PGPASSWORD: password }),
  })
  if (code === 0) return stdout
  throw new CommandFailed(`${name} failed: ${stderr.trim().split('\n', 1)[0]}`)
}

const withDatabase = (url: string, name: string) => url.replace(/^([a-z]+:\/\/[^/?#]*)(\/[^?#]*)?/i, `$1/${name}`)

/** The list of a dump of ours has some thousand characters. */
const longestOutput = 1 << 22

interface Output {
  code: number | null
  stdout: string
  stderr: string
}

function output(program: string, words: readonly string[], env: NodeJS.ProcessEnv): Promise<Output> {
  const child = spawn(program, words, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const written = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      written[name] = (written[name] + text).slice(0, longestOutput)
    })
  }
  const ended = new Promise<Output>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, ...written }))
  })
  return endedBySignal(ended, () => child.kill())
}
