// What may a client do? The options of `ringfence clients create` and `restrict`, and how a list shows them.

import { type RoleName, roleNames, type Scope, scopes } from '@ringfence/contract'
import type { ClientRestrictions } from '@ringfence/server/clients/store/clients.ts'
import { addressBlocks } from '@ringfence/server/core/address/address-blocks.ts'
import { momentIn } from '@ringfence/server/core/json/existing-date.ts'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { isoTimeOr, minuteText } from '../table.ts'

export interface RestrictionOptions {
  scope?: Scope[] | undefined
  allowIp?: string[] | undefined
  expires?: number | undefined
  role?: RoleName | undefined
}

/** Adds the options to a command. */
export const restricting = (command: Command): Command =>
  command
    .option(
      '--scope <scope>',
      `allow only calls of this scope, repeatable: ${Object.keys(scopes).join(', ')}`,
      addScope,
    )
    .option('--allow-ip <block>', 'allow only this IP address or CIDR block, repeatable', addBlock)
    .option('--expires <when>', 'end the client after days or hours (90d, 12h), or at a date (2027-01-31)', momentOf)
    .addOption(
      new Option('--role <role>', 'allow calls of the admin API, with the permissions of this role').choices(roleNames),
    )

export const restrictionsFrom = ({ scope, allowIp, expires, role }: RestrictionOptions): ClientRestrictions => ({
  scopes: scope?.join(' ') ?? null,
  allowedIps: allowIp?.join(' ') ?? null,
  expiresAt: expires ?? null,
  role: role ?? null,
})

export const isRestricted = ({ scopes: names, allowedIps, expiresAt, role }: ClientRestrictions): boolean =>
  names !== null || allowedIps !== null || expiresAt !== null || role !== null

export const restrictionsAsJson = ({ scopes: names, allowedIps, expiresAt, role }: ClientRestrictions) => ({
  scopes: names?.split(' ') ?? null,
  allowedIps: allowedIps?.split(' ') ?? null,
  expiresAt: isoTimeOr(expiresAt),
  role,
})

/** `telecom, tokens from 10.0.0.0/8 until 2027-01-31 00:00`, or `everything`. */
export function restrictionsText({ scopes: names, allowedIps, expiresAt, role }: ClientRestrictions): string {
  return [
    names?.replaceAll(' ', ', ') ?? 'everything',
    ...(role === null ? [] : [`as ${role}`]),
    ...(allowedIps === null ? [] : [`from ${allowedIps.replaceAll(' ', ', ')}`]),
    ...(expiresAt === null ? [] : [`until ${minuteText(expiresAt)}`]),
  ].join(' ')
}

function addScope(text: string, previous: Scope[] = []): Scope[] {
  if (!Object.hasOwn(scopes, text))
    throw new InvalidArgumentError(`It must be one of ${Object.keys(scopes).join(', ')}.`)
  return [...new Set([...previous, text as Scope])]
}

function addBlock(text: string, previous: string[] = []): string[] {
  try {
    if (/[\s,]/.test(text) || text === '') throw new RangeError('Repeat --allow-ip for each block')
    addressBlocks(text)
    return [...previous, text]
  } catch (error) {
    throw new InvalidArgumentError(`${(error as Error).message}.`)
  }
}

const unitMs: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000 }

/** A moment in the future: `90d`, `12h`, or a date. Epoch milliseconds. */
export function momentOf(text: string): number {
  const [, count, unit] = /^(\d{1,4})([dh])$/.exec(text) ?? []
  const at = unit === undefined ? dateOf(text) : Date.now() + Number(count) * unitMs[unit]!
  if (at !== undefined && at > Date.now()) return at
  throw new InvalidArgumentError(
    'It must be a number of days or hours (90d, 12h), or a date in the future (2027-01-31).',
  )
}

/** In UTC. */
function dateOf(text: string): number | undefined {
  return /^\d{4}-\d\d-\d\d(T[\d:.]+Z)?$/.test(text) ? momentIn(text) : undefined
}
