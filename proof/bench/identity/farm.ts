// Are the phones of a farm one device? 288 phones behind one address: all alike, or of 173 models, each with a key or without.

import { randomBytes } from 'node:crypto'
import { readConfig } from '../../../server/src/core/config/config.ts'
import { paceOf } from '../../../server/src/device/identity/pace.ts'
import type { RecognitionServices } from '../../../server/src/device/identity/recognise.ts'
import type { SimulatedDevice, Visit } from '../recognition/device.ts'
import { makePopulation } from '../recognition/population.ts'
import { judgingRates } from '../recognition/rates.ts'
import { recogniseAndStore } from '../recognition/recognise-and-store.ts'
import { tokenOf } from './life.ts'

const phones = 288
const address = '198.51.100.9'
/** Between two phones of the farm. */
const stepMs = 60_000
/** The default of the service for a network that is no mobile operator's. */
const pace = async () => paceOf(undefined, readConfig({ options: {} }).settings)

export interface Farm {
  /** First visits that got the id of another phone. */
  readonly merged: number
  /** The highest and the mean confidence of these. */
  readonly highest: number
  readonly mean: number
  /** Of the phones that proved their key at a second visit, those that were taken for another installation. */
  readonly foreign: number
  /** Of these phones, those whose installation was not stored any more. */
  readonly notByKey: number
}

type Services = RecognitionServices & { readonly clock: { time: number } }

export async function playFarm(tenantId: string, services: Services, seed: number, isEqual: boolean): Promise<Farm> {
  const visits = isEqual ? equalPhones(seed) : phonesOfModels(seed)
  const owners = new Set<string>()
  const merges: number[] = []
  const made: { installationId: string; keyHash: Uint8Array; visit: Visit }[] = []
  for (const visit of visits) {
    services.clock.time += stepMs
    const keyHash = randomBytes(16)
    const answer = await recogniseAndStore({ tenantId, ...visit, address, keyHash, pace }, services)
    if (owners.has(answer.deviceId)) merges.push(answer.confidence.score)
    owners.add(answer.deviceId)
    made.push({ installationId: answer.installationId, keyHash, visit })
  }
  let [foreign, notByKey] = [0, 0]
  services.clock.time += 7 * 86_400_000
  for (const { installationId, keyHash, visit } of made) {
    services.clock.time += stepMs
    const token = tokenOf(installationId, keyHash)
    const answer = await recogniseAndStore({ tenantId, ...visit, address, keyHash, token, pace }, services)
    if (answer.installationId !== installationId) foreign++
    if (answer.by !== 'key') notByKey++
  }
  const sum = merges.reduce((all, one) => all + one, 0)
  return {
    merged: merges.length,
    highest: Math.max(0, ...merges),
    mean: sum / Math.max(1, merges.length),
    foreign,
    notByKey,
  }
}

const isAndroid = ({ kind }: SimulatedDevice) => kind === 'androidChrome'
const whole = { ...judgingRates, missing: 0, slowVisits: 0 }

/** One phone, 288 times: what a farm bought in one lot shows. */
function equalPhones(seed: number): Visit[] {
  const population = makePopulation(1000, seed, whole)
  let device = population.newDevice()
  while (!isAndroid(device)) device = population.newDevice()
  const visit = device.visit(1)
  return Array.from({ length: phones }, () => visit)
}

/** Phones of a market's models, set up by the same people. */
function phonesOfModels(seed: number): Visit[] {
  const population = makePopulation(1000, seed, whole)
  const household = population.newHousehold()
  const its: Visit[] = []
  while (its.length < phones) {
    const device = population.newDevice(household)
    if (isAndroid(device)) its.push(device.visit(1))
  }
  return its
}
