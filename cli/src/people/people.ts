// `ringfence people`: who may use the console? Makes one-time links.

import { type RoleName, roleNames, roles } from '@ringfence/contract'
import { appendAuditLine } from '@ringfence/server/admin/audit/chain.ts'
import { invite, linkUrl } from '@ringfence/server/admin/people/invitation.ts'
import { withoutFactors } from '@ringfence/server/admin/people/manage.ts'
import { personOfTenant } from '@ringfence/server/admin/people/person.ts'
import { findMember } from '@ringfence/server/admin/store/members.ts'
import { systemClock } from '@ringfence/server/core/clock.ts'
import { type Command, Option } from 'commander'
import { type Answer, answering } from '../answer.ts'
import { emailAddress, wholeNumber } from '../arguments.ts'
import { CommandFailed } from '../failure.ts'
import { isoTime, minuteText } from '../table.ts'
import { addTenantOptions, type TenantOptions, withTenant } from '../tenant-options.ts'
import { userName } from '../user-name.ts'

interface InviteOptions extends TenantOptions {
  role: RoleName
  email?: string
  minutes: number
}

export function addPeople(ringfence: Command): void {
  const people = ringfence
    .command('people')
    .description('Manage who may use the console')
    .addHelpText(
      'after',
      `
Roles:
${roleNames.map((name) => `  ${name.padEnd(8)}  ${roles[name].description}`).join('\n')}

Examples:
  ringfence people invite --role owner                           print a link that works once, for 15 minutes
  ringfence people invite --role analyst --email maya@shop.example   only for this email address
  ringfence people reset --email maya@shop.example               new password and second factor`,
    )
  addTenantOptions(people.command('invite').description('Print a one-time link that gives a role'), 'console')
    .addOption(new Option('--role <role>', 'what the person may do').choices(roleNames).makeOptionMandatory())
    .option('--email <address>', 'only for this email address; without it, whoever has the link chooses', emailAddress)
    .option('--minutes <number>', 'how long the link works', wholeNumber(1, 10_080), 15)
    .action(answering(inviteSomebody))
  addTenantOptions(
    people
      .command('reset')
      .description('Delete password and second factors of a person, and print a link to choose new ones'),
    'console',
  )
    .requiredOption('--email <address>', 'the email address of the person')
    .option('--minutes <number>', 'how long the link works', wholeNumber(1, 10_080), 15)
    .action(answering(resetSomebody))
}

interface ResetOptions extends TenantOptions {
  email: string
  minutes: number
}

async function resetSomebody({ email, minutes, ...options }: ResetOptions): Promise<Answer> {
  const made = await withTenant(options, async ({ database, keyring, tenantKeyring, settings }, tenant) => {
    const at = systemClock.now()
    const expiresAt = at + minutes * 60_000
    const keys = await tenantKeyring.keysOf(tenant.id)
    const found = await personOfTenant(database, tenant.id, email, keyring)
    const member = found && (await findMember(database, tenant.id, found.id))
    if (!member) throw new CommandFailed(`nobody with this email address has a role in tenant ${tenant.name}`)
    const by = { id: `command:${userName()}`, name: userName() }
    const details = { name: userName(), personId: member.id, expiresAt: new Date(expiresAt).toISOString() }
    const line = { tenantId: tenant.id, at, actor: by.id, action: 'resetPerson', details }
    const link = await database.transaction(async (tx) => {
      await appendAuditLine(tx, line, keys)
      await withoutFactors(tx, tenant.id, member, keyring)
      const { id: personId, role } = member
      return invite(tx, { tenantId: tenant.id, role, email, expiresAt, personId, made: { by, at, keys } }, keyring)
    })
    return {
      tenant: tenant.name,
      url: linkUrl(settings.baseUrl ?? `http://localhost:${settings.port}`, link),
      expiresAt,
    }
  })
  const { url, expiresAt } = made
  return [
    { ...made, expiresAt: isoTime(expiresAt) },
    `${url}\n\n${email} is signed out everywhere, and chooses a new password and second factor by this link. It works until ${minuteText(expiresAt)}. Send it to nobody else.`,
  ]
}

async function inviteSomebody({ role, email, minutes, ...options }: InviteOptions): Promise<Answer> {
  const made = await withTenant(options, async ({ database, keyring, tenantKeyring, settings }, { id, name }) => {
    const at = systemClock.now()
    const expiresAt = at + minutes * 60_000
    const keys = await tenantKeyring.keysOf(id)
    const details = { name: userName(), given: role, expiresAt: new Date(expiresAt).toISOString() }
    const line = { tenantId: id, at, actor: `command:${userName()}`, action: 'invite', details }
    const link = await database.transaction(async (tx) => {
      await appendAuditLine(tx, line, keys)
      const made = { by: { id: line.actor, name: userName() }, at, keys }
      return invite(tx, { tenantId: id, role, expiresAt, email, made }, keyring)
    })
    const url = linkUrl(settings.baseUrl ?? `http://localhost:${settings.port}`, link)
    return { tenant: name, role, url, expiresAt }
  })
  const { tenant, url, expiresAt } = made
  return [
    { ...made, expiresAt: isoTime(expiresAt) },
    `${url}\n\nWhoever opens this link first becomes ${role} of tenant ${tenant}. It works until ${minuteText(expiresAt)}. Send it to nobody else.`,
  ]
}
