// What happens to devices over a year? Each comes twenty times, with and without its storage, and every recogniser names it.

import { randomBytes } from 'node:crypto'
import { keyring } from '../../../server/src/core/crypto/keyring.ts'
import { tenantKeyring } from '../../../server/src/core/crypto/tenant-keyring.ts'
import type { Database } from '../../../server/src/core/storage/database.ts'
import { type Family, traitsOf } from '../../../server/src/device/identity/components.ts'
import {
  type Visit as RecognisedVisit,
  type Recognition,
  type RecognitionServices,
  recognise,
} from '../../../server/src/device/identity/recognise.ts'
import { cpuSeconds } from '../harness/harness.ts'
import { type Group, groupOf } from '../recognition/counts.ts'
import type { Said } from '../recognition/decided.ts'
import { halfOf } from '../recognition/missing.ts'
import { makePopulation, type Population } from '../recognition/population.ts'
import { type Random, randomOf } from '../recognition/random.ts'
import { judgingRates } from '../recognition/rates.ts'
import { recogniseAndStore } from '../recognition/recognise-and-store.ts'
import { type Appointment, scheduleOf } from '../recognition/schedule.ts'
import type { Shown } from '../recognition/trials.ts'
import { type AccountCounts, startAccounts } from './accounts.ts'
import { equalHash, fpStalker, type Recogniser } from './baselines.ts'
import { type Proof, Scoreboard } from './counts.ts'
import type { Asked, Life } from './life.ts'

const seed = 515_151
const habits = { returns: 20, cleared: 0.5, privateWindows: 0.1 }
/** Concurrent visits; the clock advances between such groups. */
const together = 64
/** Part of the visits without a token that are also judged without their address and with half of their facts. */
const poorVisits = 0.15
const msOfDay = 86_400_000
const start = Date.parse('2026-03-01T00:00:00Z')

export interface Judged extends Said {
  readonly family: Family
  readonly shown: Shown
  readonly isReturn: boolean
  /** An iPhone: its confidence is a constant, not a measurement. */
  readonly isIndistinguishable: boolean
}

export interface Played {
  readonly boards: Readonly<Record<string, Scoreboard>>
  /** What the server said about visits without a token, and whether it was right. */
  readonly judged: readonly Judged[]
  readonly accounts: ReadonlyMap<Group, AccountCounts>
  readonly lives: readonly Life[]
  readonly visits: number
  readonly recognisingMicros: number
  /** Visits with their key that were not named by it. */
  readonly notByKey: number
}

export const ringfence = 'Ringfence'
/** The same, where the device that a visit is likely of counts as its id. */
export const withLikely = 'Ringfence, with likely'

export async function playLives(size: number, database: Database): Promise<Played & { service: Service }> {
  const random = randomOf(seed)
  const clock = { time: start, now: () => clock.time }
  const keys = tenantKeyring(database, keyring(randomBytes(32)), clock)
  const { id: tenantId } = await keys.createTenant('bench')
  const services = { clock, database, tenantKeyring: keys }
  const population = makePopulation(size, seed + 1, judgingRates)
  const lives = makeLives(size, population, random)
  const accounts = startAccounts({ tenantId, services, lives, population, random })
  const played = new Lives(services, random)
  let [visits, seconds] = [0, 0]
  for (const group of groupsOf(lives, random)) {
    const { day } = group[0]!.appointment
    clock.time = start + Math.round(day * msOfDay)
    const asked = group.map((planned) => askedOf(planned, tenantId))
    const withoutToken = asked.filter(({ proof }) => proof !== 'kept')
    await played.judgePoor(withoutToken)
    await accounts.observe(withoutToken, day)
    const before = cpuSeconds()
    const answers = await Promise.all(asked.map(({ visit }) => recogniseAndStore(visit, services)))
    seconds += cpuSeconds() - before
    visits += group.length
    for (const [index, one] of asked.entries()) played.record(one, answers[index]!)
  }
  const { boards, judged, notByKey } = played
  const recognisingMicros = (seconds * 1e6) / visits
  const counts = { accounts: accounts.counts, visits, recognisingMicros, notByKey }
  return { boards, judged, lives, ...counts, service: { tenantId, services } }
}

/** Shows the device, so that it ages. */
function askedOf({ life, appointment, proof }: Planned, tenantId: string): Asked {
  const isPrivate = appointment.how.isPrivate === true
  const shown = life.device.visit(appointment.day, appointment.how)
  return { life, proof, isPrivate, visit: { tenantId, ...shown, ...proofOf(life, proof, isPrivate) } }
}

/** What every recogniser said. */
class Lives {
  readonly boards: Record<string, Scoreboard>
  readonly judged: Judged[] = []
  notByKey = 0
  readonly #services: RecognitionServices
  readonly #random: Random
  readonly #baselines: Readonly<Record<string, Recogniser>> = { 'FP-STALKER': fpStalker(), 'equal hash': equalHash() }

  constructor(services: RecognitionServices, random: Random) {
    this.#services = services
    this.#random = random
    const names = [ringfence, withLikely, ...Object.keys(this.#baselines)]
    this.boards = Object.fromEntries(names.map((name) => [name, new Scoreboard()]))
  }

  record({ life, proof, isPrivate, visit }: Asked, answer: Recognition): void {
    if (proof !== 'kept') this.judged.push(this.#judgedOf(life, proof, visit, 'as it came', answer))
    this.boards[ringfence]!.add(life.index, life.group, proof, answer.deviceId, life.tokens.get(ringfence))
    const likely = answer.likely?.deviceId ?? answer.deviceId
    this.boards[withLikely]!.add(life.index, life.group, proof, likely, life.tokens.get(withLikely))
    if (proof === 'kept' && answer.by !== 'key') this.notByKey++
    if (!isPrivate) {
      life.tokens.set(ringfence, answer.deviceId)
      life.tokens.set(withLikely, likely)
      life.ids.add(answer.deviceId)
      life.installationId = answer.installationId
      life.keyHash = visit.keyHash!
    }
    for (const [name, recogniser] of Object.entries(this.#baselines)) {
      const token = proof === 'kept' ? life.tokens.get(name) : undefined
      const id = token ?? recogniser.identify(visit.facts)
      if (token) recogniser.learn(visit.facts, token)
      this.boards[name]!.add(life.index, life.group, proof, id, token)
      if (!isPrivate) life.tokens.set(name, id)
    }
  }

  /** Some of the visits, without their address and with half of their facts. Reads only: changes are not stored. */
  async judgePoor(its: readonly Asked[]): Promise<void> {
    for (const { life, proof, visit } of its) {
      if (!this.#random.chance(poorVisits)) continue
      const halved = { ...visit, facts: halfOf(visit.facts, this.#random) }
      for (const [how, poor] of [
        ['without address', { ...visit, address: undefined }],
        ['half of the facts', halved],
      ] as const) {
        this.judged.push(this.#judgedOf(life, proof, poor, how, await recognise(poor, this.#services)))
      }
    }
  }

  #judgedOf(life: Life, proof: Proof, visit: RecognisedVisit, shown: Shown, answer: Recognition): Judged {
    const { family, isIndistinguishable } = traitsOf(visit.facts, undefined)
    const owner = this.boards[ringfence]!.ownerOf(answer.deviceId)
    const isReturn = proof !== 'first visit'
    // A new device is right for a first visit only; a known one is right when it is its own.
    const isRight = answer.by === 'none' ? !isReturn : owner === life.index
    return { family, isIndistinguishable, shown, isReturn, said: answer.confidence.score, isRight, weight: 1 }
  }
}

interface Service {
  readonly tenantId: string
  readonly services: RecognitionServices & { readonly clock: { time: number } }
}

/** A kept profile proves its key; a cleared one and a private window make a new one. */
function proofOf(life: Life, proof: Proof, isPrivate: boolean): Pick<RecognisedVisit, 'token' | 'keyHash'> {
  if (proof !== 'kept' || isPrivate) return { keyHash: randomBytes(16) }
  return {
    keyHash: life.keyHash,
    token: { installationId: life.installationId } as NonNullable<RecognisedVisit['token']>,
  }
}

/** Four of ten accounts have one device, four two and two three; the devices of an account share home, language and region. */
function makeLives(size: number, population: Population, random: Random): Life[] {
  const lives: Life[] = []
  for (let account = 0; lives.length < size; account++) {
    const household = population.newHousehold()
    const part = random.next()
    const count = part < 0.4 ? 1 : part < 0.8 ? 2 : 3
    for (let left = Math.min(count, size - lives.length); left > 0; left--) {
      const device = population.newDevice(household)
      lives.push({
        index: lives.length,
        account,
        device,
        group: groupOf(device),
        keyHash: randomBytes(16),
        tokens: new Map(),
        ids: new Set(),
        installationId: '',
      })
    }
  }
  return lives
}

interface Planned {
  readonly life: Life
  readonly appointment: Appointment
  readonly proof: Proof
}

/** All visits in order of time, in groups of different devices. */
function* groupsOf(lives: readonly Life[], random: Random): Generator<Planned[]> {
  const all = lives.flatMap((life) =>
    scheduleOf(habits, random).map((appointment, index): Planned => {
      const proof = index === 0 ? 'first visit' : appointment.isCleared ? 'cleared' : 'kept'
      return { life, appointment, proof }
    }),
  )
  all.sort((a, b) => a.appointment.day - b.appointment.day)
  let group: Planned[] = []
  for (const one of all) {
    if (group.length === together || group.some(({ life }) => life === one.life)) {
      yield group
      group = []
    }
    group.push(one)
  }
  if (group.length > 0) yield group
}
