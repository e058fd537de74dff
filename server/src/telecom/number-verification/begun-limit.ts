// How many Number Verifications may begin in an hour? Each is stored for an hour, so that without a limit one caller could fill the disk.

import { parseAddress } from '../../core/address/address.ts'
import { networksOf, quotaOf } from '../../core/address/network-tree.ts'
import type { Core } from '../../core/core.ts'
import { Refusal } from '../../core/errors.ts'
import { addToCounts, readCounts } from '../../core/storage/message-counts.ts'

type Resources = Pick<Core, 'clock' | 'database' | 'settings' | 'tenantKeyring'>

const hour = 3_600_000

/** The part of the phones of an hour that one network may send: a stranger has one, a mobile operator may have few. */
const networkShare = 1 / 10

/** Counts one that a backend has begun. Refuses with numberVerificationsLimited. */
export async function countBegun(tenantId: string, resources: Resources): Promise<void> {
  const { settings, add } = await countsOf(tenantId, resources)
  const most = settings.numberVerificationsPerHour
  if ((await add('count number verifications')) > most) throw limited(`${most} verifications`, resources)
}

/**
 * Counts a phone at the authorization endpoint, which anybody can open who has seen a URL of the client. So phones have their own count,
 * and one network may use up a tenth of it only. Refuses with numberVerificationsLimited.
 */
export async function countPhone(tenantId: string, address: string | undefined, resources: Resources): Promise<void> {
  const { settings, add, read } = await countsOf(tenantId, resources)
  const most = settings.numberVerificationsPerHour
  const phones = 'count number verifications of phones'
  // First, so that above the limit no network gets a row.
  if ((await read(phones)) >= most) throw limited(`${most} verifications of phones`, resources)
  for (const { level, name } of networksOf(address === undefined ? undefined : parseAddress(address))) {
    const ofNetwork = quotaOf('traffic', level, Math.ceil(most * networkShare))
    // Larger networks than that are limited with all others.
    if (name === '' || ofNetwork >= most) continue
    if ((await add(`${phones} in ${name}`)) > ofNetwork)
      throw limited(`${ofNetwork} verifications of phones in one network`, resources)
  }
  if ((await add(phones)) > most) throw limited(`${most} verifications of phones`, resources)
}

async function countsOf(tenantId: string, { clock, database, settings, tenantKeyring }: Resources) {
  const keys = await tenantKeyring.keysOf(tenantId)
  const periodStart = startOfHour(clock.now())
  const periodEnd = periodStart + hour
  const keyOf = (subject: string) => ({ tenantId, subjectHash: keys.hash(subject), periodStart, periodEnd })
  return {
    settings,
    add: async (subject: string) => (await addToCounts(database, [keyOf(subject)], 1))[0]!,
    read: async (subject: string) => (await readCounts(database, [keyOf(subject)]))[0]!,
  }
}

const startOfHour = (now: number) => now - (now % hour)

function limited(mistake: string, { clock }: Resources): Refusal {
  const now = clock.now()
  const retryAfterSeconds = Math.ceil((startOfHour(now) + hour - now) / 1000)
  return new Refusal('numberVerificationsLimited', { mistake, retryAfterSeconds })
}
