// How well does recognition work over the lives of a population? First visits, visits with a token, returns with storage cleared.

import { randomBytes } from 'node:crypto'
import { keyring } from '../../../server/src/crypto/keyring.ts'
import { tenantKeyring } from '../../../server/src/crypto/tenant-keyring.ts'
import { blockingKeys, mostDevicesOfAKey } from '../../../server/src/device/identity/blocking-keys.ts'
import { traitsOf } from '../../../server/src/device/identity/components.ts'
import {
  type Fingerprint,
  fingerprintOf,
  type KnownFingerprint,
  saltOf,
  updated,
} from '../../../server/src/device/identity/fingerprint.ts'
import { storeInstallation } from '../../../server/src/device/identity/installation-change.ts'
import { recognise } from '../../../server/src/device/identity/recognise.ts'
import { findSimilar, type Similarity } from '../../../server/src/device/identity/similarity.ts'
import type { Database } from '../../../server/src/storage/database.ts'
import { mostCandidates } from '../../../server/src/storage/devices/device-keys.ts'
import { uuidBytes } from '../../../server/src/storage/uuid.ts'
import { cpuSeconds, rounds } from '../harness/harness.ts'
import { byGroup, count, type Group, groupOf, noOutcomes } from './counts.ts'
import type { SimulatedDevice, Visit } from './device.ts'
import { startFilling } from './fill.ts'
import { makePopulation } from './population.ts'
import { randomOf } from './random.ts'
import { judgingRates } from './rates.ts'
import { startComparison } from './rule.ts'
import { daysUntilReturn } from './schedule.ts'

const seed = 424_242
/** Concurrent visits; the clock advances between such groups. */
const together = 64
const mostReturns = { lived: 25_000, filled: 10_000 }
/** First visits by new devices for each device that returns. */
const strangersOfReturn = 4
/** Shares of the devices that come a second, third and fourth time with their token. */
const tokenVisits = [0.6, 0.4, 0.3]

interface Tracked {
  readonly device: SimulatedDevice
  readonly group: Group
  day: number
  id: string
  installationId: string
}

/**
 * Plays a population of this size against an empty store.
 * @param filledFile the file of a store that was filled directly, because recognising a million devices takes long. First visits are
 *   then those of unknown devices
 */
export async function play(size: number, database: Database, filledFile?: string) {
  const isFilled = filledFile !== undefined
  const random = randomOf(seed)
  const returns = isFilled ? mostReturns.filled : mostReturns.lived
  const population = makePopulation(size, seed + 1, judgingRates)
  const clock = { time: Date.parse('2026-03-01T00:00:00Z'), now: () => clock.time }
  const keys = tenantKeyring(database, keyring(randomBytes(32)), clock)
  const { id: tenantId } = await keys.createTenant('bench')
  const services = { clock, database, tenantKeyring: keys }
  const salt = saltOf(await keys.keysOf(tenantId))
  const track = (): Tracked => {
    const device = population.newDevice()
    return { device, group: groupOf(device), day: random.below(30), id: '', installationId: '' }
  }
  const recognised = byGroup(noOutcomes)
  const owners = new Map<string, Tracked>()
  const ask = async (its: readonly Tracked[], visitOf: (one: Tracked) => Visit, hasToken: boolean) => {
    clock.time += 60_000
    const visits = its.map((one) => {
      const token = hasToken ? { installationId: one.installationId, text: '' } : undefined
      return { tenantId, ...visitOf(one), token }
    })
    const before = cpuSeconds()
    const answers = await Promise.all(
      visits.map(async (visit) => {
        const answer = await recognise(visit, services)
        if (answer.change) await storeInstallation(database, answer.change)
        return answer
      }),
    )
    for (const [index, one] of its.entries()) one.installationId = answers[index]!.installationId
    return {
      ids: answers.map(({ deviceId }) => deviceId),
      isNew: answers.map(({ newDevice }) => newDevice),
      seconds: cpuSeconds() - before,
    }
  }
  const today = ({ device, day }: Tracked) => device.visit(day)

  /** Visits with the token after the first visit; a device that returns does so after some days. */
  const comeAgain = (devices: readonly Tracked[], part: number) => {
    const its = devices.filter(() => random.chance(part))
    for (const one of its) one.day += 1 + random.below(14)
    return its
  }
  const live = async (devices: readonly Tracked[]) => {
    const { ids } = await ask(devices, today, false)
    for (const [index, one] of devices.entries()) {
      one.id = ids[index]!
      count(recognised[one.group], false, owners.has(one.id) ? 'other' : undefined)
      if (!owners.has(one.id)) owners.set(one.id, one)
    }
    for (const part of tokenVisits) {
      const its = comeAgain(devices, part)
      const { ids } = await ask(its, today, true)
      for (const [index, one] of its.entries()) {
        one.id = ids[index]!
        if (!owners.has(one.id)) owners.set(one.id, one)
      }
    }
  }
  const seen = (one: Tracked) => {
    const { facts, address } = today(one)
    return fingerprintOf(traitsOf(facts, address), salt)
  }
  /** A device as it is known before its return; devices that never return have only their first visit, which halves the work. */
  const knownOf = (one: Tracked, doesReturn: boolean): KnownFingerprint => {
    let known: KnownFingerprint = { ...seen(one), previous: new Map() }
    if (doesReturn)
      for (const part of tokenVisits) if (comeAgain([one], part).length > 0) known = updated(known, seen(one))
    return known
  }

  const filling = filledFile === undefined ? undefined : startFilling(filledFile, tenantId, salt, clock.time)
  const returning: Tracked[] = []
  for (let left = size; left > 0; left -= together) {
    const devices = Array.from({ length: Math.min(left, together) }, track)
    // Devices that do not return need no state outside of the store.
    const its = devices.filter(() => random.chance(returns / size))
    returning.push(...its)
    if (filling) for (const one of devices) one.id = filling.add(knownOf(one, its.includes(one)))
    else await live(devices)
  }
  filling?.finish()

  const visits = new Map(
    returning.map((one) => {
      one.day += daysUntilReturn(random.next())
      return [one, today(one)]
    }),
  )
  const compared = isFilled ? returning : returning.slice(0, 5_000)
  const strangers = Array.from({ length: strangersOfReturn * compared.length }, track)
  for (const one of strangers) visits.set(one, today(one))

  // Read only: once for the cost, and once more for what another decision rule would have said.
  const alone = async (one: Tracked): Promise<{ fingerprint: Fingerprint; similarity: Similarity }> => {
    const { facts, address } = visits.get(one)!
    const fingerprint = fingerprintOf(traitsOf(facts, address), salt)
    return { fingerprint, similarity: await findSimilar(fingerprint, { database, tenantId, salt, now: clock.time }) }
  }
  const readingMicros: number[] = []
  const inRound = Math.ceil(returning.length / rounds)
  for (let from = 0; from < returning.length; from += inRound) {
    const its = returning.slice(from, from + inRound)
    const before = cpuSeconds()
    await inGroups(its, (group) => Promise.all(group.map(alone)))
    readingMicros.push(((cpuSeconds() - before) * 1e6) / its.length)
  }

  const comparison = startComparison()
  const rows: number[] = []
  for (const one of [...compared, ...strangers]) {
    const isReturn = one.id !== ''
    const { fingerprint, similarity } = await alone(one)
    if (isFilled && !isReturn) count(recognised[one.group], false, similarity.record && 'other')
    comparison.add(one.group, fingerprint, similarity, isReturn ? uuidBytes(one.id) : undefined)
    if (rows.length < 500 && isReturn) rows.push(await rowsRead(database, fingerprint, salt))
  }

  let writingSeconds = 0
  await inGroups(returning, async (its) => {
    const { ids, isNew, seconds } = await ask(its, (one) => visits.get(one)!, false)
    writingSeconds += seconds
    for (const [index, one] of its.entries()) {
      const id = ids[index]!
      const isOther = id !== one.id && (isFilled ? !isNew[index] : owners.has(id) && owners.get(id) !== one)
      count(recognised[one.group], true, id === one.id ? 'own' : isOther ? 'other' : undefined)
    }
  })
  const recognisingMicros = (writingSeconds * 1e6) / returning.length
  return { recognised, ...comparison.counts, readingMicros, recognisingMicros, rows }
}

async function inGroups<Of>(all: readonly Of[], work: (its: readonly Of[]) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < all.length; from += together) await work(all.slice(from, from + together))
}

/** Rows that one recognition reads: keys, those of established devices first, then installations. */
async function rowsRead(database: Database, fingerprint: Fingerprint, salt: string): Promise<number> {
  let [ofKeys, candidates] = [0, 0]
  for (const { key } of blockingKeys(fingerprint, salt)) {
    const { length } = await database.query(
      'select device_id from device_key where key = $1 union all select device_id from new_device_key where key = $1 limit 65',
      [key],
    )
    ofKeys += length
    if (length <= mostDevicesOfAKey) candidates += length
  }
  return ofKeys + Math.min(mostCandidates, candidates)
}
