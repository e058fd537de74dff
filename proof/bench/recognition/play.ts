// How well does recognition work over the lives of a population? First visits, visits with a token, returns with storage cleared.

import { randomBytes } from 'node:crypto'
import { keyring } from '../../../server/src/core/crypto/keyring.ts'
import { tenantKeyring } from '../../../server/src/core/crypto/tenant-keyring.ts'
import type { Database } from '../../../server/src/core/storage/database.ts'
import { blockingKeys, mostDevicesOfAKey } from '../../../server/src/device/identity/blocking-keys.ts'
import { traitsOf } from '../../../server/src/device/identity/components.ts'
import {
  type Fingerprint,
  fingerprintOf,
  type KnownFingerprint,
  saltOf,
  updated,
} from '../../../server/src/device/identity/fingerprint.ts'
import type { RecognitionServices } from '../../../server/src/device/identity/recognise.ts'
import { findSimilar, type Similarity } from '../../../server/src/device/identity/similarity.ts'
import { mostCandidates } from '../../../server/src/device/store/device-keys.ts'
import { cpuSeconds, rounds } from '../harness/harness.ts'
import { byGroup, count, type Group, groupOf, noOutcomes } from './counts.ts'
import type { SimulatedDevice, Visit } from './device.ts'
import { startFilling } from './fill.ts'
import { makePopulation, type Population } from './population.ts'
import { randomOf } from './random.ts'
import { judgingRates } from './rates.ts'
import { recogniseAndStore } from './recognise-and-store.ts'
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
  const clock = { time: Date.parse('2026-03-01T00:00:00Z'), now: () => clock.time }
  const keys = tenantKeyring(database, keyring(randomBytes(32)), clock)
  const { id: tenantId } = await keys.createTenant('bench')
  const salt = saltOf(await keys.keysOf(tenantId))
  const services = { clock, database, tenantKeyring: keys }
  const playing = new Playing({ size, isFilled: filledFile !== undefined, tenantId, salt, services })
  const returning = await playing.firstVisits(filledFile)
  const strangers = playing.comeBack(returning)
  const readingMicros = await playing.read(returning)
  const compared = await playing.compare(returning, strangers)
  const recognisingMicros = await playing.recogniseAgain(returning)
  return { recognised: playing.recognised, ...compared, readingMicros, recognisingMicros }
}

interface Played {
  readonly size: number
  readonly isFilled: boolean
  readonly tenantId: string
  readonly salt: string
  readonly services: RecognitionServices & { readonly clock: { time: number } }
}

/** The steps of a population, in the order in which `play` takes them. */
class Playing {
  readonly recognised = byGroup(noOutcomes)
  readonly #world: Played
  readonly #random = randomOf(seed)
  readonly #population: Population
  readonly #owners = new Map<string, Tracked>()
  /** What returning devices and strangers show, without a token. */
  readonly #visits = new Map<Tracked, Visit>()

  constructor(world: Played) {
    this.#world = world
    this.#population = makePopulation(world.size, seed + 1, judgingRates)
  }

  /** All devices come, with their later visits by token. @returns those that will come back without their storage */
  async firstVisits(filledFile: string | undefined): Promise<Tracked[]> {
    const { size, isFilled, tenantId, salt, services } = this.#world
    const returns = isFilled ? mostReturns.filled : mostReturns.lived
    const filling = filledFile === undefined ? undefined : startFilling(filledFile, tenantId, salt, services.clock.time)
    const returning: Tracked[] = []
    for (let left = size; left > 0; left -= together) {
      const devices = Array.from({ length: Math.min(left, together) }, () => this.#track())
      // Devices that do not return need no state outside of the store.
      const its = devices.filter(() => this.#random.chance(returns / size))
      returning.push(...its)
      if (filling) for (const one of devices) one.id = filling.add(this.#knownOf(one, its.includes(one)))
      else await this.#live(devices)
    }
    filling?.finish()
    return returning
  }

  /** Days later. @returns strangers who come, too */
  comeBack(returning: readonly Tracked[]): Tracked[] {
    for (const one of returning) {
      one.day += daysUntilReturn(this.#random.next())
      this.#visits.set(one, today(one))
    }
    const strangers = Array.from({ length: strangersOfReturn * this.#compared(returning).length }, () => this.#track())
    for (const one of strangers) this.#visits.set(one, today(one))
    return strangers
  }

  /** Reads only, for the cost. @returns µs of CPU for one, by round */
  async read(returning: readonly Tracked[]): Promise<number[]> {
    const micros: number[] = []
    const inRound = Math.ceil(returning.length / rounds)
    for (let from = 0; from < returning.length; from += inRound) {
      const its = returning.slice(from, from + inRound)
      const before = cpuSeconds()
      await inGroups(its, (group) => Promise.all(group.map((one) => this.#alone(one))))
      micros.push(((cpuSeconds() - before) * 1e6) / its.length)
    }
    return micros
  }

  /** Reads only: what visits of a filled store would get, and the rows that are read. */
  async compare(returning: readonly Tracked[], strangers: readonly Tracked[]) {
    const { isFilled, salt, services } = this.#world
    const rows: number[] = []
    for (const one of [...this.#compared(returning), ...strangers]) {
      const isReturn = one.id !== ''
      const { fingerprint, similarity } = await this.#alone(one)
      if (isFilled && !isReturn) count(this.recognised[one.group], false, similarity.record && 'other')
      if (rows.length < 500 && isReturn) rows.push(await rowsRead(services.database, fingerprint, salt))
    }
    return { rows }
  }

  /** @returns µs of CPU for one recognition with its writes */
  async recogniseAgain(returning: readonly Tracked[]): Promise<number> {
    let writingSeconds = 0
    await inGroups(returning, async (its) => {
      const { ids, likely, isNew, seconds } = await this.#ask(its, (one) => this.#visits.get(one)!, false)
      writingSeconds += seconds
      for (const [index, one] of its.entries()) {
        const id = ids[index]!
        const owner = this.#owners.get(id)
        const isOther = id !== one.id && (this.#world.isFilled ? !isNew[index] : owner !== undefined && owner !== one)
        const taken = id === one.id ? 'own' : isOther ? 'other' : undefined
        count(this.recognised[one.group], true, taken, { isLikelyOwn: likely[index] === one.id })
      }
    })
    return (writingSeconds * 1e6) / returning.length
  }

  #compared(returning: readonly Tracked[]): readonly Tracked[] {
    return this.#world.isFilled ? returning : returning.slice(0, 5_000)
  }

  #track(): Tracked {
    const device = this.#population.newDevice()
    return { device, group: groupOf(device), day: this.#random.below(30), id: '', installationId: '' }
  }

  async #ask(its: readonly Tracked[], visitOf: (one: Tracked) => Visit, hasToken: boolean) {
    const { tenantId, services } = this.#world
    services.clock.time += 60_000
    const visits = its.map((one) => {
      const token = hasToken ? { installationId: one.installationId, text: '' } : undefined
      return { tenantId, ...visitOf(one), token }
    })
    const before = cpuSeconds()
    const answers = await Promise.all(visits.map((visit) => recogniseAndStore(visit, services)))
    for (const [index, one] of its.entries()) one.installationId = answers[index]!.installationId
    return {
      ids: answers.map(({ deviceId }) => deviceId),
      likely: answers.map((answer) => answer.likely?.deviceId),
      isNew: answers.map(({ newDevice }) => newDevice),
      seconds: cpuSeconds() - before,
    }
  }

  /** Visits with the token after the first visit; a device that returns does so after some days. */
  #comeAgain(devices: readonly Tracked[], part: number): Tracked[] {
    const its = devices.filter(() => this.#random.chance(part))
    for (const one of its) one.day += 1 + this.#random.below(14)
    return its
  }

  async #live(devices: readonly Tracked[]): Promise<void> {
    const owners = this.#owners
    const { ids } = await this.#ask(devices, today, false)
    for (const [index, one] of devices.entries()) {
      one.id = ids[index]!
      count(this.recognised[one.group], false, owners.has(one.id) ? 'other' : undefined)
      if (!owners.has(one.id)) owners.set(one.id, one)
    }
    for (const part of tokenVisits) {
      const its = this.#comeAgain(devices, part)
      const { ids } = await this.#ask(its, today, true)
      for (const [index, one] of its.entries()) {
        one.id = ids[index]!
        if (!owners.has(one.id)) owners.set(one.id, one)
      }
    }
  }

  /** A device as it is known before its return; devices that never return have only their first visit, which halves the work. */
  #knownOf(one: Tracked, doesReturn: boolean): KnownFingerprint {
    const seen = () => this.#fingerprintOf(today(one))
    let known: KnownFingerprint = { ...seen(), previous: new Map() }
    if (doesReturn)
      for (const part of tokenVisits) if (this.#comeAgain([one], part).length > 0) known = updated(known, seen())
    return known
  }

  #fingerprintOf({ facts, address }: Visit): Fingerprint {
    return fingerprintOf(traitsOf(facts, address), this.#world.salt)
  }

  async #alone(one: Tracked): Promise<{ fingerprint: Fingerprint; similarity: Similarity }> {
    const { tenantId, salt, services } = this.#world
    const fingerprint = this.#fingerprintOf(this.#visits.get(one)!)
    const { database, clock } = services
    return { fingerprint, similarity: await findSimilar(fingerprint, { database, tenantId, salt, now: clock.time }) }
  }
}

const today = ({ device, day }: Tracked): Visit => device.visit(day)

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
