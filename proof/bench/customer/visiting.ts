// Browsers that visit a service over HTTP: session, signed engine call and push; then the backend reads the report.

import { randomUUID } from 'node:crypto'
import { setTimeout as after } from 'node:timers/promises'
import { endpoints, type IntelligenceRequest } from '@ringfence/contract'
import { Pool } from 'undici'
import { newInstallationKey } from '../../../server/src/testing/installation-key.ts'
import { shopOrigin } from '../../../server/src/testing/sdk-client.ts'
import { quantile } from '../../quantiles.ts'
import { answerParent, givenOptions } from '../harness/processes.ts'
import type { SimulatedDevice } from '../recognition/device.ts'
import { makePopulation } from '../recognition/population.ts'
import { judgingRates } from '../recognition/rates.ts'

export interface VisitingOptions {
  readonly url: string
  readonly appId: string
  /** Headers of the backend. */
  readonly access: Readonly<Record<string, string>>
  /** How many devices come in turn. */
  readonly devices: number
  /** Another one makes other devices. */
  readonly seed?: number
}

export type Visiting =
  /** Starts sessions, so that a run has only what the goals name. */
  { readonly prepare: number } | { readonly atOnce: number; readonly perSecond?: number }

/** Of a run; a preparation has nothing to say. */
export interface Visited {
  readonly answered: number
  readonly elapsedMs: number
  readonly p50Ms: number
  readonly p99Ms: number
}

const { url, appId, access, devices: count, seed = 77 } = givenOptions<VisitingOptions>()
const pool = new Pool(url, { connections: 64, allowH2: false })
const population = makePopulation(count, seed, judgingRates)
const devices = Array.from({ length: count }, () => ({ device: population.newDevice(), key: newInstallationKey() }))

type Device = { readonly device: SimulatedDevice; readonly key: ReturnType<typeof newInstallationKey> }
interface Prepared {
  readonly headers: Record<string, string>
  readonly body: IntelligenceRequest
}

let next = 0
let prepared: Prepared[] = []

answerParent(async (asked: Visiting): Promise<Visited> => {
  if ('prepare' in asked) {
    const wanted = Array.from({ length: asked.prepare }, () => devices[next++ % count]!)
    prepared = []
    await inTurn(wanted, { atOnce: 16 }, async (one) => void prepared.push(await startSession(one)))
    return { answered: 0, elapsedMs: 0, p50Ms: 0, p99Ms: 0 }
  }
  const start = performance.now()
  const tookMs = await inTurn(prepared, asked, visit)
  const elapsedMs = performance.now() - start
  return { answered: tookMs.length, elapsedMs, p50Ms: quantile(tookMs, 0.5), p99Ms: quantile(tookMs, 0.99) }
})

async function startSession({ device, key }: Device): Promise<Prepared> {
  const { facts, address } = device.visit(0)
  const asApp = { appId, origin: shopOrigin, 'user-agent': facts.userAgent ?? '', 'x-forwarded-for': address }
  const query = new URLSearchParams({ packageName: shopOrigin, platform: 'WEB' })
  const config = await call('GET', `${endpoints.sdkConfig.path}?${query}`, asApp)
  const body = {
    requestId: randomUUID(),
    challenge: config.challenge,
    platform: 'WEB',
    sdkVersion: '0.1.0',
    tsId: config.sessionId,
    inId: `${randomUUID()}-1770000000`,
    facts: { ...facts },
    carry: true,
  } as const
  const headers = { ...asApp, authorization: `Bearer ${config.sessionToken}` }
  return { headers, body: { ...body, proof: { ...key.proofOf(body) } } }
}

async function visit({ headers, body }: Prepared): Promise<void> {
  const { analysis } = await call('POST', endpoints.intelligence.path, headers, body)
  const { requestId, tsId, inId, platform } = body
  const shared = { requestId, tsId, inId, platform, appId, status: 'SUCCESS', message: '' }
  const { dfrId } = await call('POST', endpoints.pushFingerprint.path, headers, {
    ...shared,
    data: { requestId, analysis },
  })
  await call('POST', endpoints.deviceFingerprint.path, access, { dfrId, deviceType: 'WEB' })
}

async function call(method: 'GET' | 'POST', path: string, headers: Record<string, string>, body?: object) {
  const sent = { 'content-type': 'application/json', ...headers }
  const answer = await pool.request({ method, path, headers: sent, body: body ? JSON.stringify(body) : null })
  const text = await answer.body.text()
  if (answer.statusCode !== 200) throw new Error(`${path} is answered ${answer.statusCode}: ${text}`)
  return JSON.parse(text)
}

/** Works through the list, so many at once; with a rate, each from a random moment on, from which it is timed. */
async function inTurn<One>(
  list: readonly One[],
  { atOnce, perSecond }: { readonly atOnce: number; readonly perSecond?: number },
  work: (one: One) => Promise<void>,
): Promise<number[]> {
  const tookMs: number[] = []
  const start = performance.now()
  let [taken, dueMs] = [0, 0]
  const worker = async () => {
    while (taken < list.length) {
      const one = list[taken++]!
      if (perSecond !== undefined) dueMs += (-Math.log(1 - Math.random()) * 1000) / perSecond
      const due = perSecond === undefined ? performance.now() : start + dueMs
      if (due > performance.now()) await after(due - performance.now())
      await work(one)
      tookMs.push(performance.now() - due)
    }
  }
  await Promise.all(Array.from({ length: perSecond === undefined ? atOnce : 64 }, worker))
  return tookMs
}
