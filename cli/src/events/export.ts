// `ringfence events export`: everything that happened, as a file. Can be stopped and continued.

import { type FileHandle, open } from 'node:fs/promises'
import { searchableTypes } from '@ringfence/contract'
import { systemClock } from '@ringfence/server/core/clock.ts'
import { momentIn } from '@ringfence/server/core/json/existing-date.ts'
import { typesOf } from '@ringfence/server/decisions/search/event-types.ts'
import { countExported, exportedEvents } from '@ringfence/server/decisions/search/export-events.ts'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { answering } from '../answer.ts'
import { CommandFailed, exitCodes } from '../failure.ts'
import { stoppable } from '../stopping.ts'
import { addTenantOptions, type TenantOptions, withTenant } from '../tenant-options.ts'
import { type EventFormat, headOf, idOfLine, lineOf } from './event-lines.ts'
import { exportProgress } from './export-progress.ts'

interface Options extends TenantOptions {
  out: string
  from?: number
  to?: number
  type?: string[]
  format?: EventFormat
  resume?: true
}

const dayMs = 86_400_000

export function addExport(events: Command): void {
  addTenantOptions(events.command('export').description('Write events to a file, oldest first'), 'events')
    .requiredOption('--out <file>', 'file to write: .csv is CSV, any other NDJSON')
    .option('--from <time>', 'not before this time, such as 2026-11-01 or 2026-11-01T08:00:00Z (default: all)', time)
    .option('--to <time>', 'before this time (default: now)', time)
    .option('--type <type>', 'only this type or group, such as decision.created or sign_in.*; may be repeated', types)
    .addOption(new Option('--format <format>', 'format of the file').choices(['ndjson', 'csv']))
    .option('--resume', 'continue a file that was not finished; use the same --type and --format')
    .addHelpText(
      'after',
      `
The file contains personal data. Ctrl-C stops after the current batch; --resume continues.

Examples:
  ringfence events export --out november.ndjson --from 2026-11-01 --to 2026-12-01
  ringfence events export --out decisions.csv --type 'decision.*'
  ringfence events export --out november.ndjson --from 2026-11-01 --to 2026-12-01 --resume`,
    )
    .action(answering(run))
}

async function run({ out, format = out.endsWith('.csv') ? 'csv' : 'ndjson', resume, ...options }: Options) {
  const written = (signal: AbortSignal) =>
    withTenant(options, async (store, { id: tenantId }) => {
      const now = systemClock.now()
      const { from = now - store.settings.eventDays * dayMs, to = now, type } = options
      if (from >= to) throw new CommandFailed('--from must be before --to', { exitCode: exitCodes.usage })
      const { file, after } = await (resume ? continued(out, format) : created(out, format))
      try {
        const range = { tenantId, from, to, ...(type && { types: typesOf(type) }), ...(after && { after }) }
        return { ...(await write(file, range, format, store, signal)), isStopped: signal.aborted }
      } finally {
        await file.close()
      }
    })
  const { events, seconds, isStopped } = await stoppable(written)
  if (isStopped) {
    const reason = `stopped after ${events} events; the same command with --resume continues ${out}`
    throw new CommandFailed(reason, { exitCode: exitCodes.interrupted })
  }
  return [
    { file: out, format, events, seconds },
    `Wrote ${events.toLocaleString('en')} events to ${out} in ${seconds.toFixed(1)} s.`,
  ] as const
}

type Range = Parameters<typeof countExported>[0]
type Resources = Parameters<typeof exportedEvents>[1]

async function write(file: FileHandle, range: Range, format: EventFormat, store: Resources, signal: AbortSignal) {
  const started = performance.now()
  const progress = exportProgress(await countExported(range, store))
  let events = 0
  try {
    for await (const batch of exportedEvents(range, store)) {
      await file.appendFile(batch.map((event) => lineOf(event, format)).join(''))
      events += batch.length
      progress.show(events, (performance.now() - started) / 1000)
      if (signal.aborted) break
    }
    await file.sync()
  } finally {
    progress.end()
  }
  return { events, seconds: (performance.now() - started) / 1000 }
}

interface Target {
  readonly file: FileHandle
  /** The id of the last event in the file. */
  readonly after?: string
}

/** Never overwrites a file. Only its owner may read it. */
async function created(out: string, format: EventFormat): Promise<Target> {
  try {
    const file = await open(out, 'ax', 0o600)
    await file.appendFile(headOf(format))
    return { file }
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause
    throw new CommandFailed(`${out} exists: choose another name, or continue it with --resume`, { cause })
  }
}

/** A line is at most as long as an event; 1 MB has several. */
const tailBytes = 1_048_576

/** Removes a line that was not written completely. */
async function continued(out: string, format: EventFormat): Promise<Target> {
  const file = await open(out, 'r+').catch((cause: NodeJS.ErrnoException) => {
    throw cause.code === 'ENOENT' ? new CommandFailed(`${out} does not exist: leave out --resume`, { cause }) : cause
  })
  try {
    const { size } = await file.stat()
    const start = Math.max(0, size - tailBytes)
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size - start), 0, size - start, start)
    const end = buffer.subarray(0, bytesRead).lastIndexOf('\n') + 1
    const lines = buffer.subarray(0, end).toString().split('\n')
    const last = lines.at(-2) ?? ''
    const after = idOfLine(last)
    const isHead = start === 0 && lines.length === 2 && `${last}\n` === headOf('csv')
    if (after === undefined && !isHead && end > 0) {
      throw new CommandFailed(`${out} is not an export of events: choose another name, and leave out --resume`)
    }
    await file.truncate(start + end)
    await file.close()
    const target = await open(out, 'a')
    if (start + end === 0) await target.appendFile(headOf(format))
    return { file: target, ...(after !== undefined && { after }) }
  } catch (error) {
    await file.close().catch(() => undefined)
    throw error
  }
}

function time(text: string): number {
  const isTime = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d))?$/.test(text)
  const at = isTime ? momentIn(text) : undefined
  if (at !== undefined) return at
  throw new InvalidArgumentError(
    'It must be a date, such as 2026-11-01 (UTC), or a time, such as 2026-11-01T08:00:00Z.',
  )
}

function types(text: string, before: string[] = []): string[] {
  if (searchableTypes.includes(text)) return [...before, text]
  throw new InvalidArgumentError(
    `It must be a type or group of docs/reference/events.md: ${searchableTypes.join(', ')}.`,
  )
}
