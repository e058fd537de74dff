// `ringfence privacy`: export and erase a person or device, verify a receipt, repeat erasures after a restore.

import { readFile } from 'node:fs/promises'
import { type ErasureReceipt, type PrivacySubject, subjectKinds } from '@ringfence/contract'
import { eraseSubject, type PrivacyResources } from '@ringfence/server/admin/privacy/erase.ts'
import { exportSubject } from '@ringfence/server/admin/privacy/export.ts'
import { ledgerOf, readLedger } from '@ringfence/server/admin/privacy/ledger.ts'
import { isAbout, isSigned, receiptKeyOf } from '@ringfence/server/admin/privacy/receipt.ts'
import { receiptsOf } from '@ringfence/server/admin/privacy/receipts.ts'
import { repeatErasures } from '@ringfence/server/admin/privacy/repeat.ts'
import { writtenAs } from '@ringfence/server/admin/privacy/subject.ts'
import { systemClock } from '@ringfence/server/core/clock.ts'
import { Refusal } from '@ringfence/server/core/errors.ts'
import { openCompression } from '@ringfence/server/device/store/compression/compression.ts'
import { Lists } from '@ringfence/server/rules/lists/lists.ts'
import { type Command, Option } from 'commander'
import { type Answer, answering } from '../answer.ts'
import { addPlaceOptions } from '../configuration.ts'
import { CommandFailed, exitCodes, unreadable } from '../failure.ts'
import { remoteOf } from '../remote/remote.ts'
import { addServerOptions, type ServerOptions } from '../remote/server-options.ts'
import { existing, type Store, withStore } from '../store.ts'
import { minuteText, printable, tableOf } from '../table.ts'
import { addTenantOptions, type TenantOptions, withTenant } from '../tenant-options.ts'
import { userName } from '../user-name.ts'

interface SubjectOptions extends TenantOptions, ServerOptions {
  kind: PrivacySubject['kind']
  reason: string
  removeListEntries?: true
}

export function addPrivacy(ringfence: Command): void {
  const privacy = ringfence
    .command('privacy')
    .description('Export and erase a person or device, with a signed receipt')
    .addHelpText(
      'after',
      `
Examples:
  ringfence privacy export --kind phoneNumber 917020141726 > asha.ndjson    everything that is stored, one record per line
  ringfence privacy erase --kind email asha@example.com --reason "Ticket 4711" > receipt.json
  ringfence privacy erase --kind userId u-1001 --reason "Ticket 4712" --server https://fraud.example.com --key key.json
  ringfence privacy receipts                                               when something was erased, without naming the person
  ringfence privacy repeat --ledger /old/erasures.ndjson --data /var/lib/ringfence
  ringfence privacy verify-receipt receipt.json --value asha@example.com     exit code 1 when it was changed`,
    )
  const kind = () => new Option('--kind <kind>', 'what the value is').choices([...subjectKinds]).makeOptionMandatory()
  addServerOptions(
    addTenantOptions(
      privacy.command('export').description('Print everything that is stored about it, as NDJSON'),
      'data',
    ),
  )
    .argument('<value>', 'user id, digits with country code, email address, or deviceId')
    .addOption(kind())
    .option('--reason <text>', 'why; needed with --server, for its audit log')
    .action(exportAll)
  addServerOptions(
    addTenantOptions(privacy.command('erase').description('Erase it, and print the signed receipt'), 'data'),
  )
    .argument('<value>', 'user id, digits with country code, email address, or deviceId')
    .addOption(kind())
    .requiredOption('--reason <text>', 'why; it is in the receipt')
    .option('--remove-list-entries', 'also entries of lists that name it, such as that of a proven fraudster')
    .action(answering(erase))
  addServerOptions(
    addTenantOptions(
      privacy.command('receipts').description('List the receipts of erasures, newest first'),
      'receipts',
    ),
  ).action(answering(receipts))
  addPlaceOptions(
    privacy.command('repeat').description('After a restore: erase again who was erased since the backup was made'),
  )
    .option(
      '--ledger <file...>',
      'erasures.ndjson of the servers before the restore (default: that of the data folder)',
    )
    .option('--json', 'print one line of JSON')
    .action(answering(repeat))
  addTenantOptions(privacy.command('verify-receipt').description('Check that a receipt is genuine'), 'receipt')
    .argument('<file>', 'JSON of the receipt')
    .option('--value <value>', 'check also that it is about this user id, number, email address or device')
    .option('--public-key <key>', 'public key of the tenant, to verify without its store')
    .action(answering(verifyReceipt))
}

async function repeat({ ledger, ...options }: TenantOptions & { ledger?: string[] }): Promise<Answer> {
  const done = await withStore(options, existing, async (store) => {
    const files = ledger ?? [ledgerOf(store.settings)]
    const read = await Promise.all(
      files.map((file) => readLedger(file).catch((error) => Promise.reject(unreadable(file, error)))),
    )
    const entries = read.flatMap((each) => each.entries)
    const damaged = read.reduce((sum, each) => sum + each.damaged, 0)
    return { ...(await repeatErasures(entries, userName(), resourcesOf(store))), damaged, files, known: entries.length }
  })
  const { repeated, nothingFound, damaged, known, files } = done
  const text =
    known === 0
      ? `${files.join(', ')}: no erasure is noted.`
      : `${repeated.length} erased again, ${nothingFound} of which nothing was restored, ${known - repeated.length - nothingFound} known already.`
  const failure = `${damaged} lines of ${files.join(', ')} are damaged: erase these by hand`
  return [{ repeated, nothingFound, damaged }, text, damaged > 0 ? new CommandFailed(failure) : undefined]
}

const usage = { exitCode: exitCodes.usage }

type ExportOptions = Omit<SubjectOptions, 'reason'> & Partial<Pick<SubjectOptions, 'reason'>>

const resourcesOf = (store: Store): PrivacyResources => {
  const resources = { ...store, clock: systemClock, compression: openCompression() }
  return { ...resources, rules: { lists: new Lists(resources) } }
}

async function exportAll(value: string, { kind, reason, json: _, ...options }: ExportOptions): Promise<void> {
  const server = remoteOf(options)
  if (server) {
    if (reason === undefined) throw new CommandFailed('--reason is missing: the server records why', usage)
    const { records, complete } = await server.call('exportSubject', { subject: { kind, value }, reason })
    for (const record of records) console.log(JSON.stringify(record))
    if (!complete) throw new CommandFailed('there are more records: run the command on the server for all of them')
    return
  }
  await withTenant(options, (store, { id }) =>
    orFailed(async () => {
      for await (const record of exportSubject(id, { kind, value }, resourcesOf(store))) {
        console.log(JSON.stringify(record))
      }
    }),
  )
}

async function erase(value: string, { kind, reason, removeListEntries, ...options }: SubjectOptions): Promise<Answer> {
  const keepListEntries = removeListEntries === undefined
  const request = { subject: { kind, value }, reason, keepListEntries }
  const server = remoteOf(options)
  const receipt = server
    ? await server.call('eraseSubject', request)
    : await withTenant(options, (store, { id: tenantId }) => {
        const erasure = { ...request, tenantId, by: userName() }
        return orFailed(() => eraseSubject(erasure, resourcesOf(store)))
      })
  return [receipt, JSON.stringify(receipt, undefined, 2)]
}

async function receipts(options: TenantOptions & ServerOptions): Promise<Answer> {
  const server = remoteOf(options)
  const found = server
    ? (await server.call('listErasures', { limit: 100 })).receipts
    : await withTenant(options, (store, { id }) => receiptsOf(id, { limit: 100 }, store))
  const head = ['ERASED', 'KIND', 'ROWS', 'BY', 'ID']
  const text = tableOf(found, 'Nothing was erased.', head, ({ erasedAt, subject, erased, by, id }) => [
    minuteText(Date.parse(erasedAt)),
    subject.kind,
    String(Object.values(erased).reduce((sum, rows) => sum + rows, 0)),
    printable(by),
    id,
  ])
  return [found, text]
}

async function verifyReceipt(
  file: string,
  { value, publicKey, ...options }: TenantOptions & { value?: string; publicKey?: string },
): Promise<Answer> {
  const receipt = await receiptIn(file)
  const key =
    publicKey ??
    (await withTenant(options, async ({ tenantKeyring }, { id }) => receiptKeyOf(await tenantKeyring.keysOf(id))))
  if (!isSigned(receipt, key)) throw new CommandFailed(`${file} was changed, or is not of this tenant`)
  const { kind } = receipt.subject
  const written = value === undefined ? [] : writtenAs(kind, value)
  const isOf = await Promise.all(written.map((each) => isAbout(receipt, each)))
  if (value !== undefined && !isOf.includes(true)) {
    throw new CommandFailed(`${file} is genuine, but about another ${kind}`)
  }
  return [
    { genuine: true, publicKey: key },
    `The receipt is genuine: erased ${receipt.erasedAt} by ${printable(receipt.by)}. Public key: ${key}`,
  ]
}

async function receiptIn(file: string): Promise<ErasureReceipt> {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch (cause) {
    throw new CommandFailed(`cannot read a receipt in ${file}: ${(cause as Error).message}`)
  }
}

async function orFailed<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof Refusal ? new CommandFailed(error.details.mistake ?? error.message) : error
  }
}
