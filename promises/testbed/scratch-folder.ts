// Where do the programs keep files? In folders of their own below the system's temporary one, removed with the run.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RunOptions } from '../promise.ts'

export async function scratchFolder({ after }: Pick<RunOptions, 'after'>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'ringfence-promise-'))
  after(() => rm(folder, { recursive: true, force: true }))
  return folder
}
