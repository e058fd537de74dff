// On which cores do the service and the load run? Apart, so that neither takes the other's time; or both on all of them.

import { execFile } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import type { RunOptions } from '../../promise.ts'

const taskset = async (...args: readonly string[]) => (await promisify(execFile)('taskset', args)).stdout

export interface Placement {
  readonly name: 'cores apart' | 'cores shared'
  /** The command line in front of the service's. */
  readonly wrapper: readonly string[]
  /** Places this process, whose children inherit it: the load, the operator, the attacker. */
  begin(run: Pick<RunOptions, 'after'>): Promise<void>
}

export const coresShared: Placement = { name: 'cores shared', wrapper: [], begin: async () => undefined }

const coresApart: Placement = {
  name: 'cores apart',
  wrapper: ['taskset', '-c', '0'],
  async begin({ after }) {
    const pid = String(process.pid)
    const before = (await taskset('-acp', pid)).split(': ')[1]!.split('\n', 1)[0]!
    after(() => taskset('-acp', before, pid))
    await taskset('-acp', '1', pid)
  },
}

/** Both placements, or the one that this machine allows. */
export async function placements(): Promise<{ of: readonly Placement[]; missing?: string }> {
  const canPlace = availableParallelism() > 1 && (await taskset('-cp', String(process.pid)).catch(() => '')) !== ''
  if (canPlace) return { of: [coresApart, coresShared] }
  return { of: [coresShared], missing: 'separate cores need two of them and taskset (util-linux)' }
}
