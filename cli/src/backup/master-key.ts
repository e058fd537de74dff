// How does the master key get into a backup, and out of it? Only when it is wanted, and where its provider releases it.

import { linkSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Settings } from '@ringfence/server/core/config/settings.ts'
import { keysIn } from '@ringfence/server/core/crypto/master-key/local-keys.ts'
import { masterKeyFileName, masterKeyProviders } from '@ringfence/server/core/crypto/master-key/providers.ts'
import { findStoreKeys } from '@ringfence/server/core/storage/keys/store-keys.ts'
import { isPostgresUrl } from '@ringfence/server/core/storage/open-database.ts'
import { openPostgres } from '@ringfence/server/core/storage/postgres/postgres.ts'
import { openSqlite } from '@ringfence/server/core/storage/sqlite/sqlite.ts'
import { CommandFailed } from '../failure.ts'

const textOf = (key: Uint8Array) => Buffer.from(key).toString('base64')

/** The configured keys, newest first. */
async function configuredKeys(settings: Settings): Promise<string[]> {
  const keys = await Promise.all(masterKeyProviders(settings, process.env).map((provider) => provider.keys()))
  return [...new Set(keys.flat().map(textOf))]
}

/** The id of the master key that opens the store. Read it before the copy: a rotation may come between. */
export async function masterKeyIdOf({ databaseUrl, dataFolder }: Settings): Promise<string | undefined> {
  const place = databaseUrl ?? dataFolder
  // Not openDatabase, which would migrate.
  const database = isPostgresUrl(place) ? await openPostgres(place) : await openSqlite(place)
  try {
    return (await findStoreKeys(database))?.wrappedBy
  } finally {
    await database.close()
  }
}

/** Writes the configured keys and the one that opens the copy into a folder. Returns the name of the file there. */
export async function writeMasterKey(settings: Settings, folder: string, id: string | undefined): Promise<string> {
  const providers = masterKeyProviders(settings, process.env)
  const found = id === undefined ? [] : await Promise.all(providers.map((provider) => provider.find(id)))
  const opening = found.flatMap((key) => (key ? [textOf(key)] : []))
  const keys = [...new Set([...(await configuredKeys(settings)), ...opening])]
  if (keys.length > 0 && id !== undefined && opening.length === 0) {
    throw new CommandFailed(
      `the master key of this store is ${id}, which ${providers.map(({ name }) => name).join(', ')} does not have: name it with MASTER_KEY_FILE, or leave --with-master-key out`,
    )
  }
  if (keys.length === 0) {
    throw new CommandFailed(
      'the master key cannot be read here, for example because a KMS keeps it: leave --with-master-key out',
    )
  }
  writeFileSync(join(folder, masterKeyFileName), keys.map((key) => `${key}\n`).join(''), { mode: 0o600, flag: 'wx' })
  return masterKeyFileName
}

/** Puts the keys of a backup into the data folder, unless they are configured already. Never replaces a file. Returns the new one. */
export async function placeMasterKey(settings: Settings, from: string): Promise<string[]> {
  const configured = new Set(await configuredKeys(settings))
  const text = readFileSync(from, 'utf8')
  if (keysIn(text, from).every((key) => configured.has(textOf(key)))) return []
  const path = join(settings.dataFolder, masterKeyFileName)
  try {
    linkSync(from, path)
    return [path]
  } catch (cause) {
    throw new CommandFailed(`${path} is another master key than that of the backup: move it away, and restore again`, {
      cause,
    })
  }
}
