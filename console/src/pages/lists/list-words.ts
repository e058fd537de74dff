// What are kinds and purposes of lists called?

import type { List } from '../../api/types.ts'
import { inDays } from '../../parts/values/time-text.ts'

export const listKinds = {
  phoneNumber: 'Phone numbers',
  userId: 'User ids',
  deviceId: 'Devices',
  ip: 'IP addresses and ranges',
  networkOperator: 'Network operators',
  email: 'Email addresses',
  emailMailbox: 'Mailboxes of email',
  emailDomain: 'Email domains',
  text: 'Texts of your params',
} as const satisfies Readonly<Record<List['kind'], string>>

export const purposes = { block: 'Block', allow: 'Allow', watch: 'Watch' } as const satisfies Readonly<
  Record<List['purpose'], string>
>

/** Of the name of a list, which rules use. */
export const listName = {
  label: 'Name',
  maxLength: 64,
  pattern: '[A-Za-z0-9][A-Za-z0-9_\\-]*',
  description: 'Rules use it: letters, digits, - and _',
  placeholder: 'blocked-numbers',
} as const

/** Calls whose answers change with the entries of a list. */
export const listReads = ['readList', 'describeLists'] as const

/** How long an entry stays. */
export const lifetimes = {
  forever: 'Permanently',
  '1': '1 day',
  '7': '7 days',
  '30': '30 days',
  '90': '90 days',
} as const
export type Lifetime = keyof typeof lifetimes

export const newEntry = (value: string, note: string, lifetime: Lifetime = 'forever') => ({
  value,
  ...(note !== '' && { note }),
  ...(lifetime !== 'forever' && { expiresAt: inDays(Number(lifetime)) }),
})
