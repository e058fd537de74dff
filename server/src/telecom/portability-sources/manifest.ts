// Which number data have been imported, and which files hold them? `numbers/manifest.json` in the data folder.
//
// An import writes new files, then renames a new manifest over the old one. The rename makes the import effective.

import fs from 'node:fs'
import path from 'node:path'
import Type, { type Static } from 'typebox'
import { lockFile } from '../../core/files/lock-file.ts'
import { syncFolder } from '../../core/files/sync-folder.ts'
import { compileOnUse } from '../../core/json/compile-on-use.ts'

const MANIFEST = 'manifest.json'
const NEW_MANIFEST = 'manifest.json.new'
const LOCK = 'import.lock'
/** The names of imported files: `<generation>.<source>.<extension>`. */
const importedFile = /^\d+\.[a-z0-9-]+\.(?:(?:added\.|increments\.)?blocks|ranges|(?:mapped\.)?scratch)$/

const file = Type.Object({ name: Type.String({ pattern: '^[a-z0-9.-]+$' }), rows: Type.Integer({ minimum: 0 }) })

const dataSet = Type.Object({
  source: Type.String({ minLength: 1 }),
  kind: Type.Union([Type.Literal('ported-numbers'), Type.Literal('allocation-ranges')]),
  callingCode: Type.String({ pattern: '^[1-9][0-9]{0,2}$' }),
  /** The date of the data, in epoch milliseconds. */
  asOf: Type.Integer(),
  importedAt: Type.Integer(),
  complete: Type.Array(Type.String()),
  base: file,
  /** Newer rows, which replace those of the base. Ported numbers only. */
  increments: Type.Optional(file),
  /** The increments since the full file, the latest last: an interrupted series goes on after them. */
  applied: Type.Optional(Type.Array(Type.Object({ asOf: Type.Integer(), digest: Type.String() }))),
})

const manifest = Type.Object({
  format: Type.Literal(1),
  /** Counts the imports. Names of new files begin with it. */
  generation: Type.Integer({ minimum: 0 }),
  dataSets: Type.Array(dataSet),
})

/** The data of one source. */
export type NumberDataSet = Static<typeof dataSet>
export type NumberManifest = Static<typeof manifest>

const manifestCheck = compileOnUse(manifest)

/** The folder of the number data in a data folder. */
export function numbersFolder(dataFolder: string): string {
  return path.join(dataFolder, 'numbers')
}

export function manifestPath(dataFolder: string): string {
  return path.join(numbersFolder(dataFolder), MANIFEST)
}

/** Without a manifest, nothing has been imported. Throws when the manifest cannot be read. */
export function readManifest(dataFolder: string): NumberManifest {
  const file = manifestPath(dataFolder)
  let text: string
  try {
    text = fs.readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { format: 1, generation: 0, dataSets: [] }
    throw error
  }
  const content = parseJson(text)
  if (manifestCheck.Check(content)) return content
  const [problem] = content === undefined ? [] : manifestCheck.Errors(content)
  const reason = problem ? `${problem.instancePath || 'it'} ${problem.message}` : 'it is not JSON'
  throw new Error(
    `${file} is not a manifest of number data: ${reason}. Remove its folder and import the number files again.`,
  )
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Replaces the manifest, flushes it to disk, and removes the files that no data set names any more. */
export function publishManifest(dataFolder: string, next: NumberManifest): void {
  const folder = numbersFolder(dataFolder)
  const draft = path.join(folder, NEW_MANIFEST)
  fs.writeFileSync(draft, `${JSON.stringify(next, undefined, 2)}\n`, { flush: true })
  fs.renameSync(draft, path.join(folder, MANIFEST))
  syncFolder(folder)
  removeUnlisted(dataFolder, next)
}

/**
 * Removes the files of imports, finished or not, that `listed` does not name. A server that still reads such a file has it open
 * and so keeps its content. Other files stay: the data folder may be a person's folder that has a `numbers` folder already.
 */
export function removeUnlisted(dataFolder: string, listed: NumberManifest): void {
  const folder = numbersFolder(dataFolder)
  const names = new Set(listed.dataSets.flatMap(({ base, increments }) => [base.name, increments?.name]))
  for (const name of fs.readdirSync(folder)) {
    const isOurs = name === NEW_MANIFEST || importedFile.test(name)
    if (isOurs && !names.has(name)) fs.rmSync(path.join(folder, name), { force: true })
  }
}

/** Creates the folder and locks out other imports. Returns a function that unlocks. Throws when another import is running. */
export function lockImports(dataFolder: string): () => void {
  const folder = numbersFolder(dataFolder)
  // Readable by its owner only: the phone numbers in it are not encrypted.
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
  const unlock = lockFile(path.join(folder, LOCK))
  if (unlock) return unlock
  throw new Error(`Another import of number data into ${folder} is running. Try again when it has finished.`)
}
