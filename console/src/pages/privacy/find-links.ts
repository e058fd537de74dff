// Who and what does an erasure or export of one subject leave? The users linked to it, and their addresses, numbers and devices.

import type { AnswerOf, Call } from '../../api/call.ts'
import type { Permission } from '../../api/endpoints.ts'
import type { Subject } from './subject-names.ts'

export interface LinkedSubject extends Subject {
  /** How it is linked, in words. */
  readonly how: string
  /** The role sees only a part of the value, so no call can name it. */
  readonly isMasked: boolean
}

export interface Links {
  readonly subjects: readonly LinkedSubject[]
  /** Accounts of which only keyed hashes are stored. */
  readonly unknown: number
}

type May = (permission: Permission) => boolean

/** What a look at the links of this kind needs. */
export const neededToLink: Readonly<Record<Subject['kind'], Permission>> = {
  phoneNumber: 'numbers.read',
  email: 'decisions.read',
  userId: 'users.read',
  deviceId: 'devices.read',
}

/** Each of them costs two calls. More are shared by many people, and not one person. */
const mostUsersRead = 5

export async function findLinks(subject: Subject, call: Call, may: May, signal: AbortSignal): Promise<Links> {
  const { found, unknown } = await directLinks(subject, call, signal)
  const isMasked = ({ value }: Subject) => value.includes('*') && !may('personalData.read')
  const users = subject.kind === 'userId' ? [subject] : found.filter((each) => each.kind === 'userId')
  const readable = may('users.read') ? users.filter((user) => !isMasked(user)).slice(0, mostUsersRead) : []
  const ofUsers = await Promise.all(readable.map(({ value }) => linksOfUser(value, call, signal)))
  return { subjects: distinct([...found, ...ofUsers.flat()], subject, isMasked), unknown }
}

type Found = Omit<LinkedSubject, 'isMasked'>

async function directLinks(
  { kind, value }: Subject,
  call: Call,
  signal: AbortSignal,
): Promise<{ found: readonly Found[]; unknown: number }> {
  const userOf = (how: string) => (userId: string) => ({ kind: 'userId', value: userId, how }) as const
  if (kind === 'phoneNumber') {
    const { accounts, unknownAccounts } = await call('readNumber', { phoneNumber: value }, { signal })
    return { found: accounts.map(({ userId }) => userOf('seen with the number')(userId)), unknown: unknownAccounts }
  }
  if (kind === 'email') {
    const types = ['decision.created', 'sign_in.completed'] as const
    const { events } = await call('searchEvents', { email: value, types: [...types], limit: 100 }, { signal })
    const ids = events.flatMap(({ data }) => (typeof data.userId === 'string' ? [data.userId] : []))
    return { found: ids.map(userOf('seen with the address')), unknown: 0 }
  }
  if (kind === 'deviceId') {
    const { accounts, numbers, unknownAccounts } = await call('readDevice', { deviceId: value }, { signal })
    const how = 'seen with the device'
    const found = [
      ...accounts.map(({ userId }) => userOf(how)(userId)),
      ...numbers.map(({ phoneNumber }) => ({ kind: 'phoneNumber', value: phoneNumber, how }) as const),
    ]
    return { found, unknown: unknownAccounts }
  }
  return { found: [], unknown: 0 }
}

async function linksOfUser(userId: string, call: Call, signal: AbortSignal): Promise<readonly Found[]> {
  const how = `of user ${userId}`
  const [{ identities, numbers }, { devices }] = await Promise.all([
    call('readUser', { userId }, { signal }),
    call('listUserDevices', { userId }, { signal }),
  ])
  return [
    ...identities.flatMap(({ type, value }) => identityOf(type, value, how)),
    ...numbers.map(({ phoneNumber }) => ({ kind: 'phoneNumber', value: phoneNumber, how }) as const),
    ...devices.map(
      (device) => ({ kind: 'deviceId', value: device.deviceId, how: `${kindOf(device)} ${how}` }) as const,
    ),
  ]
}

/** Ids of other identity providers go with the user, and name nobody without it. */
function identityOf(type: string, value: string, how: string): Found[] {
  if (type === 'MOBILE') return [{ kind: 'phoneNumber', value, how }]
  return type === 'EMAIL' ? [{ kind: 'email', value, how }] : []
}

type Device = AnswerOf<'listUserDevices'>['devices'][number]

const kindOf = ({ model, browser, os, platform }: Device) =>
  model ?? ([browser, os].filter((each) => each !== undefined).join(' on ') || platform)

/** Each once, as it was found first, and never the subject itself. */
function distinct(
  found: readonly Found[],
  subject: Subject,
  isMasked: (subject: Subject) => boolean,
): readonly LinkedSubject[] {
  const others = new Map<string, LinkedSubject>()
  for (const each of found) {
    const key = keyOf(each)
    if (!goesWith(each, subject, isMasked(each)) && !others.has(key)) {
      others.set(key, { ...each, isMasked: isMasked(each) })
    }
  }
  return [...others.values()]
}

export const keyOf = ({ kind, value }: Subject): string => `${kind} ${value.toLowerCase()}`

/** It is the subject itself, also where the user id is the number or address. Of a masked value, what is visible decides. */
function goesWith(each: Subject, { kind, value }: Subject, isMasked: boolean): boolean {
  if (each.kind !== kind && (each.kind !== 'userId' || kind === 'deviceId')) return false
  const [seen, own] = [each, { value }].map((one) => (kind === 'userId' ? one.value : plain(one.value)))
  if (!isMasked) return seen === own
  const [first, last] = [seen!.slice(0, seen!.indexOf('*')), seen!.slice(seen!.lastIndexOf('*') + 1)]
  return own!.startsWith(first) && own!.endsWith(last)
}

/** As an erasure compares numbers and addresses. */
const plain = (value: string) => value.toLowerCase().replace(/^\+/, '')
