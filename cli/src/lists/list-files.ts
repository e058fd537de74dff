// `ringfence lists import` and `export`: entries from and to files, by the million, with the rate and the time that is left.

import { statSync } from 'node:fs'
import { systemClock } from '@ringfence/server/core/clock.ts'
import { csvLine } from '@ringfence/server/core/files/csv-line.ts'
import { openFile } from '@ringfence/server/core/files/text-lines.ts'
import {
  type ImportProgress,
  ImportStopped,
  type ImportSummary,
  importList,
} from '@ringfence/server/rules/lists/import-list.ts'
import { ListRefused } from '@ringfence/server/rules/lists/lists.ts'
import type { FeedPosition } from '@ringfence/server/rules/store/lists.ts'
import type { Command } from 'commander'
import { wholeNumber } from '../arguments.ts'
import { CommandFailed, exitCodes, unreadable } from '../failure.ts'
import { progressBar } from '../progress.ts'
import { stoppable } from '../stopping.ts'
import { printable } from '../table.ts'
import type { TenantOptions } from '../tenant-options.ts'
import { asFailure, withLists } from './lists-store.ts'

interface ImportOptions extends TenantOptions {
  note?: string
  expires?: number
  by: string
  fromLine: number
}

export function addImport(command: Command): void {
  command
    .argument('<name>', 'name of the list')
    .argument('<file>', 'file of entries; - for stdin')
    .option('--from-line <number>', 'continue an import that was stopped', wholeNumber(1, 999_999_999), 1)
    .addHelpText(
      'after',
      `
A line has one value. A file whose first line names the columns is CSV: value, and optionally expires (2027-01-31) and note.
Lines that begin with # are left out. Wrong lines are reported, and the others are imported.
An import that was stopped, or is repeated, does not add an entry twice.`,
    )
    .action(importFile)
}

export function addExport(command: Command): void {
  command.argument('<name>', 'name of the list').action(exportFile)
}

async function importFile(name: string, file: string, options: ImportOptions): Promise<void> {
  const { json, note, expires, by, fromLine, ...place } = options
  const total = file === '-' ? undefined : statSync(file, { throwIfNoEntry: false })
  if (total?.isDirectory()) throw new CommandFailed(`${file} is a folder: name a file of entries`)
  const bar = progressBar()
  const show = rateOf(bar.show, total?.size)
  try {
    const imported = (signal: AbortSignal) =>
      withLists(place, (lists, { id: tenantId }) =>
        importList({
          ...{ lists, clock: systemClock, tenantId, name, source: openFile(file), by },
          ...{ note, expiresAt: expires, fromLine, onProgress: show, signal },
        }),
      )
    const summary = await stoppable(imported, () => 'stopped')
    bar.end()
    print(summary, file, name, json)
  } catch (error) {
    bar.end()
    throw failureOf(error, file)
  }
}

/** Shows a bar with entries per second and the time that is left. */
function rateOf(show: ReturnType<typeof progressBar>['show'], total = 0) {
  const began = performance.now()
  return ({ bytes, added, changed, unchanged }: ImportProgress) => {
    const seconds = (performance.now() - began) / 1000
    const rate = Math.round((added + changed + unchanged) / seconds)
    const left = total === 0 ? '' : `, ${timeText((seconds * (total - bytes)) / bytes)} left`
    show({ phase: 'import', done: bytes, total, detail: `${rate.toLocaleString('en')} entries/s${left}` })
  }
}

const timeText = (seconds: number) => (seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`)

function print({ mistakes, durationMs, ...counts }: ImportSummary, file: string, name: string, json?: true): void {
  const { added, changed, unchanged, broken } = counts
  if (json) {
    console.log(
      JSON.stringify({ ...{ added, changed, unchanged, broken }, mistakes, durationMs: Math.round(durationMs) }),
    )
  } else {
    for (const { line, reason } of mistakes) console.log(`${file}:${line}: ${printable(reason)}`)
    if (broken > mistakes.length) console.log(`… and ${count(broken - mistakes.length)} more lines`)
    const seconds = Math.max(durationMs / 1000, 0.1)
    console.log(
      `${name}: ${count(added)} added, ${count(changed)} changed, ${count(unchanged)} unchanged in ${seconds.toFixed(1)} s.`,
    )
  }
  if (broken > 0) {
    const lines = broken === 1 ? '1 line is' : `${count(broken)} lines are`
    throw new CommandFailed(`${lines} wrong and not imported; correct them and import the file again`)
  }
}

const count = (number: number) => number.toLocaleString('en')

function failureOf(error: unknown, file: string): unknown {
  if (!(error instanceof ImportStopped))
    return (error as NodeJS.ErrnoException).path === file ? unreadable(file, error) : error
  const { cause, progress } = error
  const { line, added, changed, unchanged } = progress
  if ((cause as NodeJS.ErrnoException).path === file) return unreadable(file, cause)
  const reason = cause instanceof ListRefused ? asFailure(cause).message : error.message
  const next = `--from-line ${line + 1}`
  return new CommandFailed(
    `${reason}: ${count(added + changed + unchanged)} entries up to line ${line} are imported; continue with ${next}`,
    { cause, exitCode: cause instanceof CommandFailed ? cause.exitCode : exitCodes.failed },
  )
}

/** Entries of a read. */
const page = 1_000

async function exportFile(name: string, { json, ...place }: TenantOptions): Promise<void> {
  await withLists(place, async (lists, { id }) => {
    if (!json) await write(csvLine(['value', 'expires', 'note']))
    let after: FeedPosition | undefined
    do {
      const { entries, next } = await lists.read(id, name, { after, limit: page })
      const lines = entries.map(({ value, expiresAt, note = '' }) => {
        const expires = expiresAt === undefined ? '' : new Date(expiresAt).toISOString()
        return json
          ? JSON.stringify({ value, ...(expires && { expires }), ...(note && { note }) })
          : csvLine([value, expires, note])
      })
      if (lines.length > 0) await write(lines.join('\n'))
      after = next
    } while (after)
  })
}

/** Waits for a slow reader. */
const write = (text: string): Promise<void> =>
  new Promise((resolve) => void process.stdout.write(`${text}\n`, () => resolve()))
