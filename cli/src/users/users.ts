// `ringfence users`: who are your customers? Imports them, so that their first sign-in finds them.

import type { Command } from 'commander'
import { addTenantOptions } from '../tenant-options.ts'
import { addImport } from './import.ts'

export function addUsers(ringfence: Command): void {
  const users = ringfence
    .command('users')
    .description('Manage your customers, whom sign-ins find')
    .addHelpText(
      'after',
      `
Examples:
  ringfence users import customers.csv
  ringfence users import customers.csv --replace   also remove who is not in the file

docs/guides/sign-in.md explains how a sign-in finds its customer.`,
    )
  addImport(
    addTenantOptions(
      users.command('import').description('Import your customers with their ids, phone numbers and email addresses'),
      'customers',
    ),
  )
}
