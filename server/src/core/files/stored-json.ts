// What does a file of `ringfence data update` say, which is JSON of a schema?

import { readFile } from 'node:fs/promises'
import type { Static, TSchema } from 'typebox'
import type { CompiledSchema } from '../json/compile-on-use.ts'
import { DataFileError } from './data-file-error.ts'

/** Undefined before the first update. Rejects with a DataFileError when the file is damaged. */
export async function readStoredJson<Schema extends TSchema>(
  path: string,
  schema: CompiledSchema<Schema>,
): Promise<Static<Schema> | undefined> {
  let stored: unknown
  try {
    stored = JSON.parse(await readFile(path, 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    if (!(error instanceof SyntaxError)) throw error
  }
  if (schema.Check(stored)) return stored
  throw new DataFileError(path, 'is damaged', 'Delete it and run "ringfence data update".')
}
