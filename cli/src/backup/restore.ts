// `ringfence restore`: how does a backup become a store that a server can use? All of it or nothing.

import { existsSync, linkSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ledgerFileName } from '@ringfence/server/admin/privacy/ledger.ts'
import { pasteable } from '@ringfence/server/core/command-name.ts'
import type { Settings } from '@ringfence/server/core/config/settings.ts'
import { masterKeyFileName } from '@ringfence/server/core/crypto/master-key/providers.ts'
import { syncFolder } from '@ringfence/server/core/files/sync-folder.ts'
import { readMigrations } from '@ringfence/server/core/storage/migrate.ts'
import { sqliteFileName } from '@ringfence/server/core/storage/sqlite/sqlite.ts'
import { numbersFolder } from '@ringfence/server/telecom/portability-sources/manifest.ts'
import { configurationOf, type PlaceOptions } from '../configuration.ts'
import { CommandFailed } from '../failure.ts'
import { progressBar } from '../progress.ts'
import { shellWord } from '../shell-word.ts'
import { type Header, readArchive, sizeOf } from './archive.ts'
import { assertSame, dumpFileName } from './backup.ts'
import { decrypterOf } from './encryption.ts'
import { placeMasterKey } from './master-key.ts'
import type { RestoreOptions } from './options.ts'
import { refuseTables, restorePostgres } from './postgres-dump.ts'
import { checkedSqlite } from './sqlite-copy.ts'
import { endedBySignal, inWorkFolder, leftOver, refuseLittleRoom } from './work-folder.ts'

/** Fills an empty place. @throws CommandFailed when the file cannot be used; nothing is written then */
export async function restore(
  file: string,
  { json, identity, passphraseFile, ...place }: RestoreOptions,
): Promise<void> {
  const { settings } = configurationOf(place)
  const { dataFolder, databaseUrl } = settings
  refuseData(dataFolder)
  if (databaseUrl !== undefined) await refuseTables(databaseUrl)
  const decrypter = await decrypterOf({
    ...(identity !== undefined && { identity }),
    ...(passphraseFile !== undefined && { passphraseFile }),
  })
  const bar = progressBar()
  try {
    const header = await inWorkFolder(dataFolder, 'restore', async (folder) => {
      const read = await readArchive(
        file,
        decrypter,
        folder,
        (each) => refuseUnfit(each, settings),
        (phase, done, total) => bar.show({ phase, done, total }),
      )
      if (read.engine === 'sqlite') assertSame(read, await checkedSqlite(join(folder, sqliteFileName), read.migrations))
      await endedBySignal(placeAll(read, folder, settings))
      return read
    })
    bar.end()
    await report(header, settings, place, json === true)
  } finally {
    bar.end()
  }
}

/** The store comes last: a folder or database without it is no store yet, and `serve` refuses it. Without it, nothing stays. */
async function placeAll({ engine, tables, migrations }: Header, folder: string, settings: Settings): Promise<void> {
  const { dataFolder, databaseUrl } = settings
  const key = join(folder, masterKeyFileName)
  const placed: string[] = []
  try {
    if (existsSync(key)) placed.push(...(await placeMasterKey(settings, key)))
    if (existsSync(numbersFolder(folder))) {
      rmSync(numbersFolder(dataFolder), { recursive: true, force: true }) // of a restore that was killed
      renameSync(numbersFolder(folder), numbersFolder(dataFolder))
      placed.push(numbersFolder(dataFolder))
    }
    syncFolder(dataFolder)
    if (engine === 'postgres')
      assertSame({ tables, migrations }, await restorePostgres(databaseUrl!, join(folder, dumpFileName)))
    else placeStore(join(folder, sqliteFileName), join(dataFolder, sqliteFileName))
    syncFolder(dataFolder)
  } catch (error) {
    for (const path of placed) rmSync(path, { recursive: true, force: true })
    throw error
  }
}

/** Never replaces a store that a server has created meanwhile. */
function placeStore(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause
    throw new CommandFailed(
      `${to} was created while the backup was read: stop what runs with this folder, name a new folder with --data DIR, and restore again`,
      { cause },
    )
  }
}

/** A master key may be there already. What a killed restore left behind does not count. */
function refuseData(dataFolder: string): void {
  if (!existsSync(dataFolder)) return
  const ignored = new Set([masterKeyFileName, ledgerFileName, 'lost+found', ...leftOver(dataFolder, 'restore')])
  if (leftOver(dataFolder, 'restore').length > 0) ignored.add('numbers')
  const found = readdirSync(dataFolder).filter((name) => !ignored.has(name))
  if (found.length === 0) return
  throw new CommandFailed(
    `${dataFolder} is not empty (${found.slice(0, 3).join(', ')}): name a new folder with --data DIR, or move its content away`,
  )
}

async function refuseUnfit(header: Header, { databaseUrl, dataFolder }: Settings): Promise<void> {
  const { engine, version, entries } = header
  if (engine === 'postgres' && databaseUrl === undefined) {
    throw new CommandFailed('the backup is of PostgreSQL: name an empty database with --database URL or DATABASE_URL')
  }
  if (engine === 'sqlite' && databaseUrl !== undefined) {
    throw new CommandFailed('the backup is of an embedded store: leave --database and DATABASE_URL out')
  }
  const store = engine === 'sqlite' ? sqliteFileName : dumpFileName
  if (!entries.some(({ name }) => name === store))
    throw new CommandFailed(`the backup has no ${store}: use another one`)
  refuseLittleRoom(dataFolder, sizeOf(header), 'make room, or name another folder with --data DIR')
  const known = await knownMigrations()
  const unknown = header.migrations.find((name) => !known.includes(name))
  if (unknown !== undefined) {
    throw new CommandFailed(
      `the backup was made by Ringfence ${version} and has migration ${unknown}, which this version does not know: restore it with that version or a later one`,
    )
  }
}

const knownMigrations = async () => (await readMigrations()).map(({ name }) => name)

async function report(
  header: Header,
  { dataFolder, databaseUrl }: Settings,
  place: PlaceOptions,
  json: boolean,
): Promise<void> {
  const { engine, createdAt, version, configurationFile } = header
  const rows = Object.values(header.tables).reduce((sum, each) => sum + each, 0)
  const withMasterKey = header.entries.some(({ name }) => name === 'master.key')
  if (json) {
    console.log(JSON.stringify({ engine, rows, version, createdAt: new Date(createdAt).toISOString(), withMasterKey }))
    return
  }
  console.log(
    `Restored ${rows.toLocaleString('en')} rows of ${new Date(createdAt).toISOString()} into ${databaseUrl === undefined ? dataFolder : 'the database'}.`,
  )
  if ((await knownMigrations()).length > header.migrations.length) {
    console.log(`It was made by Ringfence ${version}, whose store is older: the first start migrates it.`)
  }
  const next = [
    ...(withMasterKey
      ? []
      : ['put the master key of that time in place, unless it is there (it is not in the backup)']),
    ...(configurationFile === undefined
      ? []
      : [`put ${configurationFile} in place (the configuration of that server)`]),
    `copy ${ledgerFileName} of the server that it replaces into the data folder, and run ringfence privacy repeat before the first start`,
    'run ringfence data update for lists of IP addresses',
    `run ringfence doctor${databaseUrl === undefined && place.data !== undefined ? ` --data ${shellWord(place.data)}` : ''}`,
  ]
  console.log(pasteable(`Next: ${next.join('; ')}.`))
}
