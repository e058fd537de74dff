// May another message go out? Limits per recipient, IP address and app, and for new numbers of one range or country.

import { parseAddress } from '../../../core/address/address.ts'
import { networksOf, quotaOf } from '../../../core/address/network-tree.ts'
import type { Core } from '../../../core/core.ts'
import type { TenantKeys } from '../../../core/crypto/keyring.ts'
import { Refusal } from '../../../core/errors.ts'
import { type BatchStatement, ConditionFailed, StorageUnavailable } from '../../../core/storage/database.ts'
import { addToCounts, type CountKey, countUpTo, readCounts } from '../../../core/storage/message-counts.ts'
import { mailboxOf } from '../../../email/mailbox.ts'
import { parsePhoneNumber } from '../../../phone/phone-number.ts'
import type { SignInNeeds } from '../room.ts'
import type { Recipient, SignIn } from '../transaction.ts'
import { type Share, shares } from './share.ts'

const hour = 3_600_000
const day = 24 * hour

/** A range is what a mobile operator buys at once: numbers that differ only in their last four digits. */
const rangeDigits = 4

type Resources = Pick<SignInNeeds, 'clock' | 'database' | 'settings' | 'tenantKeyring' | 'metrics' | 'ip'>

export interface MessageToCount {
  tenantId: string
  appId: string
  /** Of the person; undefined when a backend calls. */
  ipAddress: string | undefined
  recipient: Recipient
  /** Whose part of the recipient's limits it uses up. */
  share: Share
  /** No user has verified the number yet, so the message also counts for the number's range and country. */
  isNew: boolean
}

type OfRecipient = Pick<MessageToCount, 'tenantId' | 'recipient' | 'share'>

/** Also the label `limit` of the metric. */
type LimitName = 'recipient' | 'address' | 'app' | 'range' | 'country'

interface Limit {
  name: LimitName
  subject: string
  periodMs: number
  limit: number
}

export interface Reservation {
  /**
   * Undoes the count when nothing was sent. A message that may have left stays counted, except for its recipient, who may try again
   * at once.
   */
  giveBack(mayHaveLeft?: boolean): Promise<void>
}

/**
 * Counts a message before it is sent, across all servers, in one commit with what is `also` written. Above a limit it refuses with
 * `messagesLimited` and writes nothing. Periods are full hours and days in UTC.
 */
export async function reserveMessage(
  message: MessageToCount,
  resources: Resources,
  also?: readonly BatchStatement[],
): Promise<Reservation> {
  const ofRecipient = recipientLimits(message, resources.settings)
  return reserve(message.tenantId, limitsOf(message, resources), ofRecipient, resources, also)
}

/**
 * Counts a message that the telecom gate sent another way, for its own recipient. Apart from the messages that somebody asked for
 * there: otherwise the limit of an email address would show whether the number of its user has been swapped.
 */
export async function reserveStepUp(message: OfRecipient, resources: Resources): Promise<Reservation> {
  const limits = recipientLimits(message, resources.settings).map(apart('step-up'))
  return reserve(message.tenantId, limits, limits, resources)
}

/**
 * Counts the start of a SILENT sign-in like a message, at the same limits but apart: it sends none, so it must not use up those of the
 * number. It may cost a call of a portability source, so it counts as a check of the gate too. Never given back, as its verification may
 * cost a call of an operator. Refuses with `messagesLimited`.
 */
export async function countSilentStart(start: MessageToCount, resources: Resources): Promise<void> {
  const limits = [...limitsOf(start, resources).map(ofSilentStart), ...gateLimits(start, resources)]
  await reserve(start.tenantId, limits, [], resources)
}

/**
 * Counts that a stranger causes a paid look-up of a number's operator, at the same limits and apart from all else: it must use up neither
 * the daily cost cap nor what the person may do. Never given back. Refuses with `messagesLimited`.
 */
export async function countPaidLookUp(
  lookUp: Omit<MessageToCount, 'isNew' | 'share'>,
  resources: Resources,
): Promise<void> {
  const ofStranger = { ...lookUp, share: 'strangers', isNew: true } as const
  const limits = limitsOf(ofStranger, resources).map(apart('look-up'))
  await reserve(lookUp.tenantId, limits, [], resources)
}

/** What is counted apart from messages, at their limits. */
const apartFromMessages = ['gate', 'silent', 'look-up', 'step-up'] as const

const apart =
  (what: (typeof apartFromMessages)[number]) =>
  (limit: Limit): Limit => ({ ...limit, subject: `${what} ${limit.subject}` })
const ofSilentStart = apart('silent')

/** A count that was above its limit when the commit failed may be below it again when it is read. */
const mostTries = 3

/** Above a limit nothing is written: otherwise one caller could fill the disk with rows of ranges and recipients that he makes up. */
async function reserve(
  tenantId: string,
  limits: readonly Limit[],
  ofRecipient: readonly Limit[],
  resources: Resources,
  also: readonly BatchStatement[] = [],
): Promise<Reservation> {
  const { clock, database, tenantKeyring } = resources
  const keys = await tenantKeyring.keysOf(tenantId)
  for (let tries = 1; ; tries++) {
    const now = clock.now()
    const counted = inOrder(tenantId, limits, now, keys)
    try {
      await database.batch([...counted.map(({ key, limit }) => countUpTo(key, limit)), ...also])
      const giveBack = (mayHaveLeft = false) => takeBack(tenantId, mayHaveLeft ? ofRecipient : limits, now, resources)
      return { giveBack }
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error
      const before = await readCounts(
        database,
        counted.map(({ key }) => key),
      )
      refuseAbove(
        counted.filter(({ limit }, i) => before[i]! >= limit),
        now,
        resources,
      )
      if (tries === mostTries)
        throw new StorageUnavailable('counts change too often', { reason: 'conflicts', cause: error })
    }
  }
}

/** What concerns the caller first: whoever is limited himself does not learn how near a range or recipient is to its limit. */
const order: readonly (readonly LimitName[])[] = [['address', 'app', 'country'], ['range'], ['recipient']]

/** A sign-in whose message fails may be started again, and then its number is checked again. */
const checksPerMessage = 2

/**
 * Counts a check of the telecom gate, for its number and IP address. It is never given back, whatever becomes of the message: each
 * check may cost a call of an operator. Refuses with `messagesLimited`.
 */
export async function countGateCheck(check: GateCheck, resources: Resources): Promise<void> {
  await reserve(check.tenantId, gateLimits(check, resources), [], resources)
}

type GateCheck = OfRecipient & Pick<MessageToCount, 'ipAddress'>

const gateLimits = ({ ipAddress, ...message }: GateCheck, resources: Resources): Limit[] =>
  [...recipientLimits(message, resources.settings), ...addressLimits(ipAddress, resources)]
    .map(apart('gate'))
    .map((each) => ({ ...each, limit: each.limit * checksPerMessage }))

function refuseAbove(above: readonly Limit[], now: number, { metrics }: Pick<Core, 'metrics'>): void {
  const exceeded = order
    .map((names) => above.filter(({ name }) => names.includes(name)))
    .find(({ length }) => length > 0)
  if (!exceeded) return
  for (const name of new Set(exceeded.map(({ name }) => name))) metrics.count('messagesRefused', name)
  const ends = Math.max(...exceeded.map(({ periodMs }) => (Math.floor(now / periodMs) + 1) * periodMs))
  throw new Refusal('messagesLimited', { retryAfterSeconds: Math.max(1, Math.ceil((ends - now) / 1000)) })
}

/**
 * Removes the messages of this sign-in from the counts of the number's range and country, because a person has signed in with it.
 * Never throws.
 */
export async function forgetNewNumber(
  { record: { tenantId, appId }, content: { recipient, countedAt, countedAgainAt = [], silent } }: SignIn,
  resources: Resources & Pick<Core, 'log'>,
): Promise<void> {
  if (countedAt === undefined || !recipient) return
  const ofMessages = newNumberLimits(appId, recipient.value, resources.settings)
  const limits = silent ? ofMessages.map(ofSilentStart) : ofMessages
  try {
    for (const at of [countedAt, ...countedAgainAt]) await takeBack(tenantId, limits, at, resources)
  } catch (error) {
    resources.log.warn({ err: error }, 'could not remove a verified number from the count of its range')
  }
}

/** Messages that an app has caused in this hour (UTC). */
export async function messagesOfApp(
  { tenantId, appId }: Pick<MessageToCount, 'tenantId' | 'appId'>,
  { database, tenantKeyring, clock, settings }: Pick<Resources, 'database' | 'tenantKeyring' | 'clock' | 'settings'>,
): Promise<number> {
  const limit = limitOf('app', appId, hour, settings.messagesPerAppHour)
  const key = keyOf(tenantId, limit, clock.now(), await tenantKeyring.keysOf(tenantId))
  return (await readCounts(database, [key]))[0]!
}

/** Counts a test of a channel. @returns how many there were in this hour (UTC), with this one */
export async function countTest(
  tenantId: string,
  { database, tenantKeyring, clock }: Pick<Resources, 'database' | 'tenantKeyring' | 'clock'>,
): Promise<number> {
  const key = keyOf(
    tenantId,
    { subject: 'channel test', periodMs: hour },
    clock.now(),
    await tenantKeyring.keysOf(tenantId),
  )
  return (await addToCounts(database, [key], 1))[0]!
}

/** The limits of every message, for people. */
export const mostOfEach = (settings: Core['settings']): { name: string; most: number; of: string }[] => [
  { name: 'MESSAGES_PER_RECIPIENT_HOUR', most: settings.messagesPerRecipientHour, of: 'One recipient, an hour' },
  { name: 'MESSAGES_PER_RECIPIENT_DAY', most: settings.messagesPerRecipientDay, of: 'One recipient, a day' },
  { name: 'MESSAGES_PER_ADDRESS_HOUR', most: settings.messagesPerAddressHour, of: 'One IP address, an hour' },
  { name: 'MESSAGES_PER_APP_HOUR', most: settings.messagesPerAppHour, of: 'One app, an hour' },
  {
    name: 'NEW_NUMBERS_PER_RANGE_HOUR',
    most: settings.newNumbersPerRangeHour,
    of: 'New numbers of one range, an hour',
  },
  {
    name: 'NEW_NUMBERS_PER_COUNTRY_HOUR',
    most: settings.newNumbersPerCountryHour,
    of: 'New numbers of one country, an hour',
  },
]

function limitsOf(message: Omit<MessageToCount, 'tenantId'>, resources: Pick<SignInNeeds, 'settings' | 'ip'>): Limit[] {
  const { settings } = resources
  const { appId, ipAddress, recipient, isNew } = message
  return [
    ...recipientLimits(message, settings),
    ...addressLimits(ipAddress, resources),
    limitOf('app', appId, hour, settings.messagesPerAppHour),
    ...(recipient.type === 'MOBILE' && isNew ? newNumberLimits(appId, recipient.value, settings) : []),
  ]
}

/** Without the /56: each count is a row, and the /48 around it has little more. */
function addressLimits(ipAddress: string | undefined, { settings, ip }: Pick<SignInNeeds, 'settings' | 'ip'>): Limit[] {
  const address = ipAddress === undefined ? undefined : parseAddress(ipAddress)
  if (!address) return []
  return networksOf(address, ip.asnOf(address)).flatMap(({ level, name }) =>
    level === '/56' ? [] : limitOf('address', name, hour, quotaOf('traffic', level, settings.messagesPerAddressHour)),
  )
}

function recipientLimits(
  { recipient, share }: Pick<MessageToCount, 'recipient' | 'share'>,
  settings: Core['settings'],
): Limit[] {
  const whose = whoseMessages(recipient, share)
  return [
    limitOf('recipient', whose, hour, settings.messagesPerRecipientHour),
    limitOf('recipient', whose, day, settings.messagesPerRecipientDay),
  ]
}

const whoseMessages = ({ type, value }: Recipient, share: Share): string =>
  `${share === 'strangers' ? '' : `${share} `}${type} ${type === 'EMAIL' ? mailboxOf(value, 'tags') : value}`

/**
 * Against SMS pumping: bots request messages to numbers of one range that earn money per message.
 * None of them signs in.
 */
function newNumberLimits(appId: string, digits: string, settings: Core['settings']): Limit[] {
  const { newNumbersPerRangeHour, newNumbersPerCountryHour } = settings
  const callingCode = parsePhoneNumber(digits)?.callingCode
  return [
    limitOf('range', `${appId} ${digits.slice(0, -rangeDigits)}`, hour, newNumbersPerRangeHour),
    limitOf('country', `${appId} ${callingCode}`, hour, newNumbersPerCountryHour),
  ]
}

const limitOf = (name: LimitName, whose: string, periodMs: number, limit: number): Limit => ({
  name,
  subject: `${name} ${whose}`,
  periodMs,
  limit,
})

const subjectHashOf = ({ periodMs, subject }: Pick<Limit, 'periodMs' | 'subject'>, keys: Pick<TenantKeys, 'hash'>) =>
  keys.hash(`count ${periodMs} ${subject}`)

/** Under which hashes messages to a recipient, and checks of it, are counted. */
export function messageSubjectHashes(recipient: Recipient, keys: Pick<TenantKeys, 'hash'>): Uint8Array[] {
  const ofMessages = shares.flatMap((share) =>
    [hour, day].map((periodMs) => limitOf('recipient', whoseMessages(recipient, share), periodMs, 0)),
  )
  const ofOthers = apartFromMessages.flatMap((what) => ofMessages.map(apart(what)))
  return [...ofMessages, ...ofOthers].map((limit) => subjectHashOf(limit, keys))
}

async function takeBack(
  tenantId: string,
  limits: readonly Limit[],
  at: number,
  { database, tenantKeyring }: Resources,
): Promise<void> {
  const counted = inOrder(tenantId, limits, at, await tenantKeyring.keysOf(tenantId))
  await addToCounts(
    database,
    counted.map(({ key }) => key),
    -1,
  )
}

/** The same everywhere, so that no two servers wait for each other's rows. The caller's own first: one who is refused writes least. */
function inOrder(tenantId: string, limits: readonly Limit[], at: number, keys: TenantKeys) {
  const placeOf = ({ name }: Limit) => order.findIndex((names) => names.includes(name))
  return limits
    .map((limit) => ({ ...limit, key: keyOf(tenantId, limit, at, keys) }))
    .toSorted((a, b) => placeOf(a) - placeOf(b) || Buffer.compare(a.key.subjectHash, b.key.subjectHash))
}

function keyOf(
  tenantId: string,
  { subject, periodMs }: Pick<Limit, 'subject' | 'periodMs'>,
  at: number,
  keys: TenantKeys,
): CountKey {
  const periodStart = Math.floor(at / periodMs) * periodMs
  const periodEnd = periodStart + periodMs
  return { tenantId, subjectHash: subjectHashOf({ periodMs, subject }, keys), periodStart, periodEnd }
}
