// `ringfence users import`: customers from a file, by the million, with the time that is left.

import { statSync } from 'node:fs'
import { openFile } from '@ringfence/server/core/files/text-lines.ts'
import { NoHead } from '@ringfence/server/sign-in/customers/customer-file.ts'
import { ImportRefused } from '@ringfence/server/sign-in/customers/import-claim.ts'
import { importCustomers } from '@ringfence/server/sign-in/customers/import-customers.ts'
import type { ImportSummary, LineMessage } from '@ringfence/server/sign-in/customers/import-report.ts'
import type { ImportProgress } from '@ringfence/server/sign-in/customers/import-task.ts'
import type { Command } from 'commander'
import { CommandFailed, unreadable } from '../failure.ts'
import { progressBar } from '../progress.ts'
import { stoppable } from '../stopping.ts'
import { printable } from '../table.ts'
import { type TenantOptions, withTenant } from '../tenant-options.ts'

interface ImportOptions extends TenantOptions {
  replace?: true
}

export function addImport(command: Command): void {
  command
    .argument('<file>', 'CSV file; - for stdin')
    .option('--replace', 'also remove customers who are not in the file; not when it has wrong lines')
    .addHelpText(
      'after',
      `
The first line names the columns: id, number, email, in any order and with any others. A customer with several numbers or email
addresses has several columns of that name.
Wrong lines are reported, and the others are imported. A number or email address of several customers finds nobody.
A customer who is imported again gets the contacts of the new file. After an error or a kill, run the same command again.`,
    )
    .action(importFile)
}

async function importFile(file: string, { json, replace, ...place }: ImportOptions): Promise<void> {
  const found = file === '-' ? undefined : statSync(file, { throwIfNoEntry: false })
  if (found?.isDirectory()) throw new CommandFailed(`${file} is a folder: name a CSV file`)
  const bar = progressBar()
  try {
    const imported = (signal: AbortSignal) =>
      withTenant(place, ({ database, tenantKeyring, settings: { dataFolder } }, { id: tenantId }) =>
        importCustomers(
          {
            ...{ tenantId, source: openFile(file), bytes: found?.size ?? 0, dataFolder },
            ...{ replace: replace ?? false, onProgress: timed(bar.show), signal },
          },
          { database, tenantKeyring },
        ),
      )
    const summary = await stoppable(imported, () => 'stopped: run the same command again to complete the import')
    bar.end()
    print(summary, file, json)
  } catch (error) {
    bar.end()
    throw failureOf(error, file)
  }
}

/** Shows the time that is left of each phase. */
function timed(show: ReturnType<typeof progressBar>['show']) {
  let began = performance.now()
  let phase = ''
  return (progress: ImportProgress) => {
    const { done, total } = progress
    if (progress.phase !== phase) began = performance.now()
    phase = progress.phase
    const seconds = (performance.now() - began) / 1000
    const left = total === 0 || done === 0 ? 0 : Math.ceil((seconds * (total - done)) / done)
    show({ ...progress, ...(left > 0 && { detail: `${left} s left` }) })
  }
}

function print({ mistakes, sharedLines, durationMs, ...counts }: ImportSummary, file: string, json?: true): void {
  if (json) {
    console.log(JSON.stringify({ ...counts, mistakes, sharedLines, durationMs: Math.round(durationMs) }))
  } else {
    list(file, mistakes, counts.broken)
    list(file, sharedLines, counts.shared)
    console.log(summaryText(counts, durationMs))
  }
  if (counts.broken > 0) {
    const lines = counts.broken === 1 ? '1 line is' : `${count(counts.broken)} lines are`
    const removed = counts.notReplaced ? ', and nobody was removed' : ''
    throw new CommandFailed(`${lines} wrong and not imported${removed}; correct them and import the file again`)
  }
}

function list(file: string, messages: readonly LineMessage[], all: number): void {
  for (const { line, reason } of messages) console.log(`${file}:${line}: ${printable(reason)}`)
  if (all > messages.length) console.log(`… and ${count(all - messages.length)} more`)
}

function summaryText(
  {
    customers,
    numbers,
    emails,
    added,
    changed,
    unchanged,
    removed,
    repeated,
    withoutContact,
    shared,
  }: Omit<ImportSummary, 'mistakes' | 'sharedLines' | 'durationMs'>,
  durationMs: number,
): string {
  const seconds = Math.max(durationMs / 1000, 0.1).toFixed(1)
  const odd = [
    ...(repeated > 0 ? [`${count(repeated)} repeated lines`] : []),
    ...(withoutContact > 0 ? [`${count(withoutContact)} customers without number and email address`] : []),
    ...(shared > 0 ? [`${count(shared)} numbers or email addresses of several customers, which find nobody`] : []),
  ]
  return [
    `Imported ${count(customers)} customers with ${count(numbers)} numbers and ${count(emails)} email addresses in ${seconds} s.`,
    `${count(added)} added, ${count(changed)} changed, ${count(unchanged)} unchanged, ${count(removed)} removed.`,
    ...(odd.length > 0 ? [`${odd.join(', ')}.`] : []),
  ].join('\n')
}

const count = (number: number) => number.toLocaleString('en')

function failureOf(error: unknown, file: string): unknown {
  if ((error as NodeJS.ErrnoException).path === file) return unreadable(file, error)
  if (error instanceof NoHead || error instanceof ImportRefused)
    return new CommandFailed(`${file}: ${printable(error.message)}`, { cause: error })
  return error
}
