// Which TypeScript declarations does a client have? Compiled for the packages that are published.

import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/**
 * Compiles the declarations of a project, and returns the files that `read` makes of them. Returns no files when TypeScript is not
 * installed (`npm ci --omit=dev`): a server does not need them.
 */
export async function declarationsOf(
  project: string,
  read: (emitted: string) => Promise<Record<string, string>>,
): Promise<Record<string, string>> {
  const compiler = installedCompiler()
  if (compiler === undefined) return {}
  const emitted = await mkdtemp(join(tmpdir(), 'ringfence-types-'))
  try {
    await promisify(execFile)(process.execPath, [compiler, '-p', project, '--outDir', emitted]).catch((error) => {
      throw new Error(`The declarations of ${project} could not be made:\n${error.stdout}`, { cause: error })
    })
    return await read(emitted)
  } finally {
    await rm(emitted, { recursive: true })
  }
}

/** Undefined on a server, which needs no types. */
export function installedCompiler(): string | undefined {
  try {
    return createRequire(import.meta.url)
      .resolve('typescript/package.json')
      .replace('package.json', 'bin/tsc')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return undefined
    throw error
  }
}
