// `ringfence lists`: which values do you allow, block or watch? Creates lists, changes their entries, and looks values up.

import { ListKind, ListPurpose, listCaps, listNamePattern } from '@ringfence/contract'
import type { Entry } from '@ringfence/server/rules/lists/entries.ts'
import { type ListDescription, ListRefused } from '@ringfence/server/rules/lists/lists.ts'
import { listReadsOf } from '@ringfence/server/rules/rule-sets.ts'
import { type Command, InvalidArgumentError } from 'commander'
import { type Answer, answering } from '../answer.ts'
import { displayName, wholeNumber } from '../arguments.ts'
import { momentOf } from '../clients/restrictions.ts'
import { CommandFailed } from '../failure.ts'
import { withRules } from '../rules/rules-store.ts'
import { isoTime, minuteText, printable, table, tableOf } from '../table.ts'
import { addTenantOptions, type TenantOptions } from '../tenant-options.ts'
import { userName } from '../user-name.ts'
import { addExport, addImport } from './list-files.ts'
import { isExisting, withLists } from './lists-store.ts'

export function addLists(ringfence: Command): void {
  const lists = ringfence
    .command('lists')
    .description('Manage lists of values that rules look up')
    .addHelpText(
      'after',
      `
Running servers apply a change within a second.

Examples:
  ringfence lists create stolen-cards --kind text --purpose block
  ringfence lists add stolen-cards card-4f2a91 --note "chargeback 8812" --expires 90d
  ringfence lists import stolen-cards cards.csv
  ringfence lists show                        all lists
  ringfence lists show stolen-cards           a list and its first entries
  ringfence lists lookup office 198.51.100.7  is it in the list, and why?
  ringfence lists remove stolen-cards card-4f2a91
  ringfence lists export stolen-cards > cards.csv
  ringfence lists delete stolen-cards

docs/guides/lists.md explains kinds of lists and how rules use them.`,
    )
  command('create', 'Create an empty list')
    .argument('<name>', 'name of the list', listName)
    .requiredOption('--kind <kind>', `what its entries are: ${kinds.join(', ')}`, oneOf(kinds))
    .requiredOption('--purpose <purpose>', `what it is for: ${purposes.join(', ')}`, oneOf(purposes))
    .option('--description <text>', 'what the list is about', displayName)
    .option('--by <name>', 'who creates it (default: your user name)', displayName, userName())
    .action(answering(create))
  command('show', 'Show all lists, or one list and its entries')
    .argument('[name]', 'name of the list', listName)
    .option('--limit <number>', 'how many entries', wholeNumber(1, 1_000), 20)
    .action(answering(show))
  changing('add', 'Add entries, or change their note and expiry')
    .argument('<name>', 'name of the list', listName)
    .argument('<values...>', 'values of the list’s kind')
    .action(answering(add))
  command('remove', 'Remove entries')
    .argument('<name>', 'name of the list', listName)
    .argument('<values...>', 'values, or ranges as they were added')
    .action(answering(remove))
  command('lookup', 'Look a value up, as a rule does')
    .argument('<name>', 'name of the list', listName)
    .argument('<value>', 'the value')
    .action(answering(lookUp))
  command('delete', 'Delete a list and its entries')
    .argument('<name>', 'name of the list', listName)
    .option('--force', 'also when the live rules, or those in shadow, name it')
    .action(answering(deleteList))
  addImport(changing('import', 'Import entries from a file: one value in a line, or CSV'))
  addExport(command('export', 'Print all entries as CSV, which import reads'))

  function command(name: string, description: string): Command {
    return addTenantOptions(lists.command(name).description(description), 'lists')
  }
  function changing(name: string, description: string): Command {
    return command(name, description)
      .option('--note <text>', 'why they are in the list', noteText)
      .option('--expires <when>', 'stop matching after days or hours (90d, 12h), or at a date (2027-01-31)', momentOf)
      .option('--by <name>', 'who makes the change (default: your user name)', displayName, userName())
  }
}

const kinds = (ListKind as unknown as { enum: string[] }).enum
const purposes = (ListPurpose as unknown as { enum: string[] }).enum

const oneOf =
  (values: readonly string[]) =>
  (text: string): string => {
    if (values.includes(text)) return text
    throw new InvalidArgumentError(`It must be one of ${values.join(', ')}.`)
  }

function listName(text: string): string {
  if (new RegExp(listNamePattern).test(text)) return text
  throw new InvalidArgumentError('It must have 1 to 64 letters, digits, - and _, and begin with a letter or digit.')
}

function noteText(text: string): string {
  if (/^[^\p{Cc}]*$/u.test(text) && text.length <= listCaps.noteLength) return text
  throw new InvalidArgumentError(`It must have at most ${listCaps.noteLength} characters, without control characters.`)
}

interface CreateOptions extends TenantOptions {
  kind: ListDescription['kind']
  purpose: ListDescription['purpose']
  description?: string
  by: string
}

async function create(name: string, options: CreateOptions): Promise<Answer> {
  const { kind, purpose, description, by, ...place } = options
  const list = { name, kind, purpose, ...(description !== undefined && { description }) }
  const [made, isNew] = await withLists(place, async (lists, { id }) => {
    try {
      return [await lists.create(id, list, by), true] as const
    } catch (error) {
      // The same command once more asks for nothing else.
      const existing = isExisting(error) ? await lists.describeOne(id, name) : undefined
      if (existing?.kind === kind && existing.purpose === purpose) return [existing, false] as const
      throw error
    }
  })
  return [listAsJson(made), `${isNew ? 'Created' : 'There is already'} ${name}. In a rule: inList("${name}", PATH)`]
}

async function show(name: string | undefined, options: TenantOptions & { limit: number }): Promise<Answer> {
  const { limit, ...place } = options
  const [described, entries] = await withLists(place, async (lists, { id }) => {
    if (name === undefined) return [await lists.describe(id), undefined] as const
    const list = await lists.describeOne(id, name)
    return [[list], (await lists.read(id, name, { limit })).entries] as const
  })
  const shown = described.map(listAsJson)
  const none = 'There is no list. Create one: ringfence lists create NAME --kind text'
  const head = ['LIST', 'KIND', 'PURPOSE', 'ENTRIES', 'CHANGED', 'DESCRIPTION']
  const lists = tableOf(
    described,
    none,
    head,
    ({ name, kind, purpose, entries: count, changedAt, description = '' }) => [
      ...[name, kind, purpose, count.toLocaleString('en'), minuteText(changedAt), description],
    ],
  )
  return [
    entries === undefined ? shown : { ...shown[0], shown: entries.map(entryAsJson) },
    entries && entries.length > 0 ? `${lists}\n\n${entriesText(entries)}` : lists,
  ]
}

const entriesText = (entries: readonly Entry[]) =>
  table(
    ['VALUE', 'ADDED', 'BY', 'EXPIRES', 'NOTE'],
    entries.map(({ value, addedAt, by = '', expiresAt, note = '' }) => [
      ...[printable(value), minuteText(addedAt), by, expiresAt === undefined ? '' : minuteText(expiresAt), note],
    ]),
  )

export interface EntryOptions extends TenantOptions {
  note?: string
  expires?: number
  by: string
}

async function add(name: string, values: string[], options: EntryOptions): Promise<Answer> {
  const { note, expires, by, ...place } = options
  const entries = values.map((value) => ({
    value,
    ...(note !== undefined && { note }),
    ...(expires !== undefined && { expiresAt: expires }),
  }))
  if (entries.length > listCaps.entriesOfCall) {
    throw new CommandFailed(`more than ${listCaps.entriesOfCall} values: write them to a file and import it`)
  }
  const added = await withLists(place, (lists, { id }) => lists.add(id, name, entries, by).catch(nameWrong(values)))
  return [added, `${name}: ${added.added} added, ${added.changed} changed, ${added.unchanged} unchanged.`]
}

/** All or none: one wrong value stores nothing. */
const nameWrong = (values: readonly string[]) => (error: unknown) => {
  if (!(error instanceof ListRefused) || error.index === undefined) throw error
  const value = JSON.stringify(values[error.index]?.slice(0, 64))
  throw new CommandFailed(`${value}: ${error.message}; nothing was added`, { cause: error })
}

async function remove(name: string, values: string[], place: TenantOptions): Promise<Answer> {
  const { removed, missing } = await withLists(place, (lists, { id }) => lists.remove(id, name, values, userName()))
  return [{ removed }, `${name}: ${removed} removed${missing === 0 ? '' : `, ${missing} not in the list`}.`]
}

async function lookUp(name: string, value: string, place: TenantOptions): Promise<Answer> {
  const entries = await withLists(place, (lists, { id }) => lists.lookUp(id, name, value))
  return [
    { inList: entries.length > 0, entries: entries.map(entryAsJson) },
    entries.length === 0 ? `${printable(value)} is not in ${name}.` : entriesText(entries),
  ]
}

async function deleteList(name: string, { force, ...place }: TenantOptions & { force?: true }): Promise<Answer> {
  if (!force && (await isUsed(name, place))) {
    throw new CommandFailed(
      `rules in force read ${name}: change them first, or use --force, after which inList("${name}", …) is false`,
    )
  }
  const deleted = await withLists(place, (lists, { id }) => lists.delete(id, name, userName()))
  if (!deleted) throw new CommandFailed(`there is no list ${name} (ringfence lists show)`)
  return [{ deleted }, `Deleted ${name}. Its entries are deleted in the background.`]
}

/** Whether the live rules, or those in shadow, look up values in it. */
const isUsed = (name: string, place: TenantOptions): Promise<boolean> =>
  withRules(place, async (rules, { id }) => listReadsOf(await rules.current(id)).some(({ list }) => list === name))

function listAsJson({ createdAt, changedAt, ...list }: ListDescription) {
  return { ...list, createdAt: isoTime(createdAt), changedAt: isoTime(changedAt) }
}

function entryAsJson({ addedAt, expiresAt, ...entry }: Entry) {
  return { ...entry, addedAt: isoTime(addedAt), ...(expiresAt !== undefined && { expiresAt: isoTime(expiresAt) }) }
}
