// `ringfence backup`: how does a running service's data get into one encrypted file?

import { existsSync, linkSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Settings } from '@ringfence/server/core/config/settings.ts'
import { syncFolder } from '@ringfence/server/core/files/sync-folder.ts'
import { leastFreeBytes, sqliteFileName } from '@ringfence/server/core/storage/sqlite/sqlite.ts'
import {
  lockImports,
  manifestPath,
  numbersFolder,
  readManifest,
} from '@ringfence/server/telecom/portability-sources/manifest.ts'
import { configurationOf } from '../configuration.ts'
import { CommandFailed } from '../failure.ts'
import { progressBar } from '../progress.ts'
import { assertStoreExists } from '../store.ts'
import { version } from '../version.ts'
import { type Entry, entryOf, type Header, readArchive, writeArchive } from './archive.ts'
import { encryptionOf } from './encryption.ts'
import { masterKeyIdOf, writeMasterKey } from './master-key.ts'
import type { BackupOptions } from './options.ts'
import { checkedDump, dumpPostgres } from './postgres-dump.ts'
import { checkedSqlite, copySqlite, type StoreContent } from './sqlite-copy.ts'
import { inWorkFolder, refuseLittleRoom } from './work-folder.ts'

export const dumpFileName = 'ringfence.dump'

/** Writes the new file, which appears only when it was verified. */
export async function backup(
  file: string,
  { json, withMasterKey, recipient, passphraseFile, ...place }: BackupOptions,
): Promise<void> {
  const { settings, file: configurationFile } = configurationOf(place)
  await assertStoreExists(settings)
  if (existsSync(file))
    throw new CommandFailed(`${file} exists: name a new file, since a backup never replaces another`)
  const target = dirname(resolve(file))
  if (!existsSync(target)) throw new CommandFailed(`${target} does not exist: create that folder, or name another file`)
  const { encrypter, decrypter } = await encryptionOf({
    ...(recipient && { recipient }),
    ...(passphraseFile !== undefined && { passphraseFile }),
  })
  const bar = progressBar()
  const show = (phase: string, done: number, total: number) => bar.show({ phase, done, total })
  const partial = `${resolve(file)}.partial`
  try {
    const make = async (folder: string) => {
      const copies = join(folder, 'copy')
      mkdirSync(copies, { mode: 0o700 })
      const masterKeyId = withMasterKey ? await masterKeyIdOf(settings) : undefined
      const content = await copyStore(settings, copies)
      const names = [content.name, ...linkNumbers(settings.dataFolder, copies)]
      if (withMasterKey) names.push(await writeMasterKey(settings, copies, masterKeyId))
      const made = await headerOf(content, names, copies, configurationFile?.path)
      rmSync(partial, { force: true })
      await writeArchive(partial, made, copies, encrypter, show)
      rmSync(copies, { recursive: true })
      const again = join(folder, 'again')
      mkdirSync(again, { mode: 0o700 })
      await readArchive(partial, decrypter, again, () => undefined, show)
      return { header: made, verified: await isRestorable(made, settings, again) }
    }
    const { header, verified } = await inWorkFolder(settings.dataFolder, 'backup', make, partial)
    renameSync(partial, file)
    syncFolder(target)
    bar.end()
    report(file, header, { verified, json: json === true })
  } finally {
    bar.end()
    rmSync(partial, { force: true })
  }
}

async function copyStore(
  { databaseUrl, dataFolder }: Settings,
  folder: string,
): Promise<StoreContent & { name: string; engine: Header['engine'] }> {
  if (databaseUrl === undefined) {
    const copy = join(folder, sqliteFileName)
    const store = join(dataFolder, sqliteFileName)
    // A copy that fills the disk would stop the writes of the service until it fails.
    const bytes = [store, `${store}-wal`].map((path) => statSync(path, { throwIfNoEntry: false })?.size ?? 0)
    refuseLittleRoom(dataFolder, leastFreeBytes + bytes[0]! + bytes[1]!, 'make room, or move the data to a larger disk')
    copySqlite(store, copy)
    return { ...(await checkedSqlite(copy)), name: sqliteFileName, engine: 'sqlite' }
  }
  return { ...(await dumpPostgres(databaseUrl, join(folder, dumpFileName))), name: dumpFileName, engine: 'postgres' }
}

/** Imported number data. A link is enough, since an import writes new files and then removes the previous ones. */
function linkNumbers(dataFolder: string, folder: string): string[] {
  if (!existsSync(manifestPath(dataFolder))) return []
  const unlock = lockImports(dataFolder)
  try {
    const files = readManifest(dataFolder).dataSets.flatMap(({ base, increments }) => [
      base,
      ...(increments ? [increments] : []),
    ])
    const paths = [manifestPath(dataFolder), ...files.map(({ name }) => join(numbersFolder(dataFolder), name))]
    mkdirSync(numbersFolder(folder), { mode: 0o700 })
    return paths.map((path) => {
      const name = `numbers/${path.slice(numbersFolder(dataFolder).length + 1)}`
      linkSync(path, join(folder, name))
      return name
    })
  } finally {
    unlock()
  }
}

async function headerOf(
  { engine, migrations, tables }: StoreContent & Pick<Header, 'engine'>,
  names: readonly string[],
  folder: string,
  configurationFile: string | undefined,
): Promise<Header> {
  const entries: Entry[] = []
  for (const name of names) entries.push(await entryOf(folder, name))
  return {
    format: 'ringfence-backup',
    formatVersion: 1,
    version,
    engine,
    createdAt: Date.now(),
    migrations,
    tables,
    ...(configurationFile !== undefined && { configurationFile: resolve(configurationFile) }),
    entries,
  }
}

/** False when the role of the database may not create a scratch database. */
async function isRestorable(header: Header, { databaseUrl }: Settings, folder: string): Promise<boolean> {
  const found =
    databaseUrl === undefined
      ? await checkedSqlite(join(folder, sqliteFileName), header.migrations)
      : await checkedDump(databaseUrl, join(folder, dumpFileName))
  if (found) assertSame(header, found)
  return found !== undefined
}

/** @throws CommandFailed also when the header names other migrations than the store has: those of the header were checked. */
export function assertSame({ tables, migrations }: StoreContent, found: StoreContent): void {
  if (found.migrations.join() !== migrations.join())
    throw new CommandFailed('the header of the backup names other migrations than its store has: make another backup')
  for (const [name, rows] of Object.entries(tables)) {
    if (found.tables[name] === rows) continue
    throw new CommandFailed(
      `the restored table ${name} has ${found.tables[name] ?? 'no'} rows instead of ${rows}: run the command again, and report this`,
    )
  }
}

function report(file: string, header: Header, { verified, json }: { verified: boolean; json: boolean }): void {
  const { engine, migrations, entries } = header
  const rows = Object.values(header.tables).reduce((sum, each) => sum + each, 0)
  const withMasterKey = entries.some(({ name }) => name === 'master.key')
  if (json) {
    console.log(JSON.stringify({ file, engine, rows, migration: migrations.at(-1), withMasterKey, verified }))
    return
  }
  console.log(
    `${file}: ${rows.toLocaleString('en')} rows in ${Object.keys(header.tables).length} tables, ${
      verified ? 'verified by restoring them' : 'read to the end, but not restored'
    }.`,
  )
  if (!verified) {
    console.log('To verify by restoring, allow this role to create a scratch database: alter role NAME createdb')
  }
  if (!withMasterKey)
    console.log(
      'It does not contain the master key. Without that key, nobody can use the backup: store a copy elsewhere.',
    )
}
