// Where do the programs store files? In temporary folders that are removed with the run.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RunOptions } from '../promise.ts'

export async function scratchFolder({ after }: Pick<RunOptions, 'after'>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'ringfence-promise-'))
  after(() => rm(folder, { recursive: true, force: true }))
  return folder
}
