// `ringfence events`: what happened?

import type { Command } from 'commander'
import { addExport } from './export.ts'
import { addRecount } from './recount.ts'

export function addEvents(ringfence: Command): void {
  const events = ringfence
    .command('events')
    .description('Export and recount what happened')
    .addHelpText(
      'after',
      `
Examples:
  ringfence events export --out november.ndjson --from 2026-11-01 --to 2026-12-01
  ringfence events recount`,
    )
  addExport(events)
  addRecount(events)
}
