// Which number data have been imported, and in which files do they lie? `numbers/manifest.json` in the data folder.
//
// An import writes its files aside and then renames a new manifest over the old one: that is the moment in which it counts.

import fs from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import Type, { type Static } from 'typebox'
import { Compile } from 'typebox/compile'

const MANIFEST = 'manifest.json'
const NEW_MANIFEST = 'manifest.json.new'
const LOCK = 'import.lock'
/** What imports write beside the manifest: `<generation>.<source>.<extension>`. */
const importedFile = /^\d+\.[a-z0-9-]+\.(?:(?:added\.|increments\.)?blocks|ranges|scratch)$/
const SQLITE_BUSY = 5

const file = Type.Object({ name: Type.String({ pattern: '^[a-z0-9.-]+$' }), rows: Type.Integer({ minimum: 0 }) })

const dataSet = Type.Object({
  source: Type.String({ minLength: 1 }),
  kind: Type.Union([Type.Literal('ported-numbers'), Type.Literal('allocation-ranges')]),
  callingCode: Type.String({ pattern: '^[1-9][0-9]{0,2}$' }),
  /** The time that the data speak for, epoch milliseconds. */
  asOf: Type.Integer(),
  importedAt: Type.Integer(),
  complete: Type.Array(Type.String()),
  base: file,
  /** Later rows, which go before those of the base. Ported numbers only. */
  increments: Type.Optional(file),
})

const manifest = Type.Object({
  format: Type.Literal(1),
  /** Counts the imports; names of new files begin with it. */
  generation: Type.Integer({ minimum: 0 }),
  dataSets: Type.Array(dataSet),
})

/** The data of one source. */
export type NumberDataSet = Static<typeof dataSet>
export type NumberManifest = Static<typeof manifest>

const manifestCheck = Compile(manifest)

/** Where number data lie in a data folder. */
export function numbersFolder(dataFolder: string): string {
  return path.join(dataFolder, 'numbers')
}

export function manifestPath(dataFolder: string): string {
  return path.join(numbersFolder(dataFolder), MANIFEST)
}

/** What has been imported; nothing, when there is no manifest. Throws when the manifest is not readable. */
export function readManifest(dataFolder: string): NumberManifest {
  const place = manifestPath(dataFolder)
  let text: string
  try {
    text = fs.readFileSync(place, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { format: 1, generation: 0, dataSets: [] }
    throw error
  }
  const content = parseJson(text)
  if (manifestCheck.Check(content)) return content
  const [problem] = content === undefined ? [] : manifestCheck.Errors(content)
  const reason = problem ? `${problem.instancePath || 'it'} ${problem.message}` : 'it is not JSON'
  throw new Error(
    `${place} is not a manifest of number data: ${reason}. Remove the folder and import the number files again.`,
  )
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Puts the manifest in the place of the old one, durably, and removes the files that none of its data sets names. */
export function publishManifest(dataFolder: string, next: NumberManifest): void {
  const folder = numbersFolder(dataFolder)
  const aside = path.join(folder, NEW_MANIFEST)
  fs.writeFileSync(aside, `${JSON.stringify(next, undefined, 2)}\n`, { flush: true })
  fs.renameSync(aside, path.join(folder, MANIFEST))
  syncFolder(folder)
  removeUnlisted(dataFolder, next)
}

/**
 * Removes what an import left behind, finished or not. A server that still reads such a file keeps it open and so keeps
 * its content. What no import has written stays: a data folder may be somebody's folder with a `numbers` of their own.
 */
export function removeUnlisted(dataFolder: string, listed: NumberManifest): void {
  const folder = numbersFolder(dataFolder)
  const kept = new Set(listed.dataSets.flatMap(({ base, increments }) => [base.name, increments?.name]))
  for (const name of fs.readdirSync(folder)) {
    const isOurs = name === NEW_MANIFEST || importedFile.test(name)
    if (isOurs && !kept.has(name)) fs.rmSync(path.join(folder, name), { force: true })
  }
}

/** The rename itself must survive a power failure. */
function syncFolder(folder: string): void {
  const fd = fs.openSync(folder, 'r')
  fs.fsyncSync(fd)
  fs.closeSync(fd)
}

/**
 * Makes the folder and keeps other imports out until the answer is called. The lock is one of the operating system, taken
 * through SQLite: it goes when the process dies, so that none is ever left behind. Throws when another import is running.
 */
export function lockImports(dataFolder: string): () => void {
  const folder = numbersFolder(dataFolder)
  // For its owner alone: the numbers in it are in clear.
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
  const lock = new DatabaseSync(path.join(folder, LOCK))
  try {
    lock.exec('begin exclusive')
  } catch (error) {
    lock.close()
    if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) throw error
    throw new Error(`Another import of number data into ${folder} is running. Try again when it has finished.`, {
      cause: error,
    })
  }
  return () => lock.close()
}
