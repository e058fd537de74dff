// Is there room on the disk of the data folder? `doctor` and the start of the service look.

import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { broken, type Finding, ok, warning } from '@ringfence/server/admin/doctor/finding.ts'

const leastFreeBytes = 100e6
const littleFreeBytes = 1e9

/** Nothing where there is no folder, which PostgreSQL does not need. */
export async function diskFinding(folder: string): Promise<Finding[]> {
  if (!existsSync(folder)) return []
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  const text = `${(free / 1e9).toFixed(1)} GB free in ${folder}`
  if (free < leastFreeBytes) return [broken('disk', text, 'free some space: a full disk stops every write')]
  if (free < littleFreeBytes) return [warning('disk', text, 'free some space')]
  return [ok('disk', text)]
}
