// May another message go out? Limits per recipient, IP address and app, and for new numbers of one range or country.

import { Refusal } from '../../errors.ts'
import { parseAddress, subscriberNetwork } from '../../ip/address.ts'
import { parsePhoneNumber } from '../../phone/phone-number.ts'
import type { Platform } from '../../platform.ts'
import { addToCount, type CountKey } from '../../storage/message-counts.ts'
import type { Recipient, SignIn } from '../transaction.ts'

const hour = 3_600_000
const day = 24 * hour

/** A range is what a mobile operator buys at once: numbers that differ only in their last four digits. */
const rangeDigits = 4

type Resources = Pick<Platform, 'clock' | 'database' | 'settings' | 'tenantKeyring'>

export interface MessageToCount {
  tenantId: string
  appId: string
  /** Of the person; undefined when a backend calls. */
  ipAddress: string | undefined
  recipient: Recipient
  /** No user has verified the number yet, so the message also counts for the number's range and country. */
  isNew: boolean
}

interface Limit {
  subject: string
  periodMs: number
  limit: number
}

export interface Reservation {
  /** Undoes the count when nothing was sent. */
  giveBack(): Promise<void>
}

/**
 * Counts a message before it is sent, across all servers. Above a limit it refuses with
 * `messagesLimited` and counts nothing. Periods are full hours and days in UTC.
 */
export async function reserveMessage(message: MessageToCount, resources: Resources): Promise<Reservation> {
  const now = resources.clock.now()
  const limits = limitsOf(message, resources.settings)
  const counted = await count(message.tenantId, limits, now, 1, resources)
  const giveBack = async () => {
    await count(message.tenantId, limits, now, -1, resources)
  }
  const exceeded = limits.filter(({ limit }, i) => counted[i]! > limit)
  if (exceeded.length > 0) {
    await giveBack()
    const ends = Math.max(...exceeded.map(({ periodMs }) => (Math.floor(now / periodMs) + 1) * periodMs))
    throw new Refusal('messagesLimited', { retryAfterSeconds: Math.max(1, Math.ceil((ends - now) / 1000)) })
  }
  return { giveBack }
}

/**
 * Removes the number from the count of its range and country, because a person has signed in with
 * it. Never throws.
 */
export async function forgetNewNumber(
  { record: { tenantId, appId }, content: { recipient, countedAt } }: SignIn,
  resources: Resources & Pick<Platform, 'log'>,
): Promise<void> {
  if (countedAt === undefined || !recipient) return
  try {
    await count(tenantId, newNumberLimits(appId, recipient.value, resources.settings), countedAt, -1, resources)
  } catch (error) {
    resources.log.warn({ err: error }, 'could not remove a verified number from the count of its range')
  }
}

function limitsOf(
  { appId, ipAddress, recipient: { type, value }, isNew }: MessageToCount,
  settings: Platform['settings'],
): Limit[] {
  const address = ipAddress === undefined ? undefined : parseAddress(ipAddress)
  return [
    { subject: `recipient ${type} ${value}`, periodMs: hour, limit: settings.messagesPerRecipientHour },
    { subject: `recipient ${type} ${value}`, periodMs: day, limit: settings.messagesPerRecipientDay },
    ...(address
      ? [{ subject: `address ${subscriberNetwork(address)}`, periodMs: hour, limit: settings.messagesPerAddressHour }]
      : []),
    { subject: `app ${appId}`, periodMs: hour, limit: settings.messagesPerAppHour },
    ...(type === 'MOBILE' && isNew ? newNumberLimits(appId, value, settings) : []),
  ]
}

/**
 * Against SMS pumping: bots request messages to numbers of one range that earn money per message.
 * None of them signs in.
 */
function newNumberLimits(appId: string, digits: string, settings: Platform['settings']): Limit[] {
  const { newNumbersPerRangeHour, newNumbersPerCountryHour } = settings
  const callingCode = parsePhoneNumber(digits)?.callingCode
  return [
    { subject: `range ${appId} ${digits.slice(0, -rangeDigits)}`, periodMs: hour, limit: newNumbersPerRangeHour },
    { subject: `country ${appId} ${callingCode}`, periodMs: hour, limit: newNumbersPerCountryHour },
  ]
}

async function count(
  tenantId: string,
  limits: readonly Limit[],
  at: number,
  by: 1 | -1,
  { database, tenantKeyring }: Resources,
): Promise<number[]> {
  const keys = await tenantKeyring.keysOf(tenantId)
  return Promise.all(
    limits.map(({ subject, periodMs }) => {
      const periodStart = Math.floor(at / periodMs) * periodMs
      const key: CountKey = { tenantId, subjectHash: keys.hash(`count ${periodMs} ${subject}`), periodStart }
      return addToCount(database, key, periodStart + periodMs, by)
    }),
  )
}
