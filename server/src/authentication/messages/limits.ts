// May another message go out? Limits for each recipient, address and app, and for new numbers of one range or country.

import { isIPv6 } from 'node:net'
import { Refusal } from '../../errors.ts'
import { parsePhoneNumber } from '../../phone/phone-number.ts'
import type { Platform } from '../../platform.ts'
import { addToCount, type CountKey } from '../../storage/message-counts.ts'
import type { Recipient } from '../transaction.ts'

const hour = 3_600_000
const day = 24 * hour

/** A range is what an operator hands out at once: numbers that differ in their last four digits. */
const rangeDigits = 4

type Resources = Pick<Platform, 'clock' | 'database' | 'settings' | 'tenantKeyring'>

export interface Asked {
  tenantId: string
  appId: string
  /** Of the person; undefined when a backend calls. */
  ipAddress: string | undefined
  recipient: Recipient
  /** A number that no user has proved: it counts for its range and country. */
  isNew: boolean
}

interface Limit {
  subject: string
  periodMs: number
  most: number
}

export interface Reservation {
  /** Nothing was sent after all. */
  giveBack(): Promise<void>
}

/**
 * Counts a message that is about to go out, for every server together. Refuses with `messagesLimited`, and counts nothing then.
 * Periods are whole hours and days of UTC.
 */
export async function reserveMessage(asked: Asked, resources: Resources): Promise<Reservation> {
  const now = resources.clock.now()
  const limits = limitsOf(asked, resources.settings)
  const counted = await count(asked.tenantId, limits, now, 1, resources)
  const giveBack = async () => {
    await count(asked.tenantId, limits, now, -1, resources)
  }
  const spent = limits.filter(({ most }, i) => counted[i]! > most)
  if (spent.length > 0) {
    await giveBack()
    const ends = Math.max(...spent.map(({ periodMs }) => (Math.floor(now / periodMs) + 1) * periodMs))
    throw new Refusal('messagesLimited', { retryAfterSeconds: Math.max(1, Math.ceil((ends - now) / 1000)) })
  }
  return { giveBack }
}

/** The number proved to be a person's: it does not count for its range and country any more. */
export async function forgetNewNumber(
  { tenantId, appId, value, countedAt }: { tenantId: string; appId: string; value: string; countedAt: number },
  resources: Resources,
): Promise<void> {
  await count(tenantId, newNumberLimits(appId, value, resources.settings), countedAt, -1, resources)
}

function limitsOf(
  { appId, ipAddress, recipient: { type, value }, isNew }: Asked,
  settings: Platform['settings'],
): Limit[] {
  return [
    { subject: `recipient ${type} ${value}`, periodMs: hour, most: settings.messagesPerRecipientHour },
    { subject: `recipient ${type} ${value}`, periodMs: day, most: settings.messagesPerRecipientDay },
    ...(ipAddress === undefined
      ? []
      : [{ subject: `address ${networkOf(ipAddress)}`, periodMs: hour, most: settings.messagesPerAddressHour }]),
    { subject: `app ${appId}`, periodMs: hour, most: settings.messagesPerAppHour },
    ...(type === 'MOBILE' && isNew ? newNumberLimits(appId, value, settings) : []),
  ]
}

/** SMS pumping: many numbers of one range, which share in the price of a message, and of which none ever signs in. */
function newNumberLimits(appId: string, digits: string, settings: Platform['settings']): Limit[] {
  const { newNumbersPerRangeHour, newNumbersPerCountryHour } = settings
  const callingCode = parsePhoneNumber(digits)?.callingCode
  return [
    { subject: `range ${appId} ${digits.slice(0, -rangeDigits)}`, periodMs: hour, most: newNumbersPerRangeHour },
    { subject: `country ${appId} ${callingCode}`, periodMs: hour, most: newNumbersPerCountryHour },
  ]
}

/** An IPv6 network of 64 bits is one customer's. */
function networkOf(address: string): string {
  if (!isIPv6(address)) return address
  const [head = '', tail] = address.split('::')
  const before = head.split(':').filter(Boolean)
  const after = tail?.split(':').filter(Boolean) ?? []
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length
  return [...before, ...Array(Math.max(0, zeros)).fill('0'), ...after].slice(0, 4).join(':')
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
