// `ringfence users`: who are your customers, and which sign-ins are theirs? Imports them, and does by hand what a backend does.

import type { UnlinkUserRequest } from '@ringfence/contract'
import { Refusal } from '@ringfence/server/core/errors.ts'
import { importedCustomers } from '@ringfence/server/sign-in/customers/forget.ts'
import { listIdentities } from '@ringfence/server/sign-in/persons/list-identities.ts'
import { mergeUsers } from '@ringfence/server/sign-in/persons/merge.ts'
import { unlinkUser } from '@ringfence/server/sign-in/persons/unlink.ts'
import { type Command, InvalidArgumentError } from 'commander'
import { type Answer, answering } from '../answer.ts'
import { CommandFailed } from '../failure.ts'
import type { Store } from '../store.ts'
import { printable, table } from '../table.ts'
import { addTenantOptions, type TenantOptions, withTenant } from '../tenant-options.ts'
import { addImport } from './import.ts'

export function addUsers(ringfence: Command): void {
  const users = ringfence
    .command('users')
    .description('Manage your customers, who are found by their sign-ins')
    .addHelpText(
      'after',
      `
Examples:
  ringfence users import customers.csv
  ringfence users import customers.csv --replace   also remove who is not in the file
  ringfence users show wallet-1                    which sign-ins are those of a user?
  ringfence users unlink wallet-1 --email ada@shop.example
  ringfence users merge wallet-1 wallet-2          everything of wallet-1 becomes that of wallet-2

docs/guides/tokens.md explains your own user ids.`,
    )
  addImport(command('import', 'Import your customers with their ids, phone numbers and email addresses'))
  command('show', 'Show the identities of a user, and whether the user was imported')
    .argument('<userId>', 'your id of the user, or the minted one', userIdText)
    .action(answering(show))
  command('unlink', 'Take an identity, or all of a sign-in, from a user')
    .argument('<userId>', 'your id of the user', userIdText)
    .option('--number <number>', 'phone number')
    .option('--email <address>', 'email address')
    .option('--person <personId>', 'the minted id, for all identities of a sign-in')
    .action(answering(unlink))
  command('merge', 'Make two users one, or give a user another id')
    .argument('<userId>', 'the user whose identities, trusted devices and habits move', userIdText)
    .argument('<into>', 'the user who gets them', userIdText)
    .action(answering(merge))

  function command(name: string, description: string): Command {
    return addTenantOptions(users.command(name).description(description), 'customers')
  }
}

function userIdText(text: string): string {
  if (text.length > 0 && text.length <= 256 && text.isWellFormed()) return text
  throw new InvalidArgumentError('It must have 1 to 256 characters.')
}

/** A refusal becomes one line. */
const asCommand = <T>(place: TenantOptions, work: (store: Store, tenantId: string) => Promise<T>): Promise<T> =>
  withTenant(place, async (store, { id }) => {
    try {
      return await work(store, id)
    } catch (error) {
      throw error instanceof Refusal ? new CommandFailed(error.details.mistake ?? error.message) : error
    }
  })

async function show(userId: string, place: TenantOptions): Promise<Answer> {
  const [found, contacts] = await asCommand(place, async (store, tenantId) => {
    const listed = await listIdentities({ userId }, { caller: { tenantId } }, store)
    const keys = await store.tenantKeyring.keysOf(tenantId)
    const person = { tenantId, customerIds: [listed.userId], identityHashes: [] }
    const [imported] = await importedCustomers(store.database, person, keys)
    return [listed, imported?.contacts ?? 0] as const
  })
  const rows = found.identities.map(({ type, value, personId, verifiedAt }) => [
    type,
    printable(value),
    verifiedAt,
    personId,
  ])
  const signIns =
    rows.length === 0
      ? 'Nobody has signed in as this user.'
      : table(['TYPE', 'IDENTITY', 'VERIFIED', 'PERSON ID'], rows)
  const imported = contacts === 0 ? 'Not imported' : `Imported with ${contacts} numbers and email addresses`
  return [{ ...found, importedContacts: contacts }, `${printable(found.userId)}: ${imported}.\n${signIns}`]
}

interface UnlinkOptions extends TenantOptions {
  number?: string
  email?: string
  person?: string
}

async function unlink(userId: string, { number, email, person, ...place }: UnlinkOptions): Promise<Answer> {
  if ([number, email, person].filter((each) => each !== undefined).length !== 1)
    throw new CommandFailed('name what is unlinked, by one of --number, --email and --person')
  const request: UnlinkUserRequest = {
    userId,
    ...(number !== undefined && { identity: { type: 'MOBILE' as const, value: number } }),
    ...(email !== undefined && { identity: { type: 'EMAIL' as const, value: email } }),
    ...(person !== undefined && { personId: person }),
  }
  const done = await asCommand(place, (store, tenantId) => unlinkUser(request, { caller: { tenantId } }, store))
  return [done, `It is no longer that of ${printable(done.userId)}.`]
}

async function merge(userId: string, into: string, place: TenantOptions): Promise<Answer> {
  const done = await asCommand(place, (store, tenantId) =>
    mergeUsers({ userId, into }, { caller: { tenantId } }, store),
  )
  const { persons, devices } = done
  return [
    done,
    `${printable(userId)} is ${printable(done.userId)} now: ${persons} sign-ins and ${devices} devices moved.`,
  ]
}
