// What does a whole device analysis cost? Recognition, signals, scores, velocity, rules, and what is stored: engine call and push.

import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import type { App, SdkSession } from '../server/src/apps/app.ts'
import { beginSession, sessionBearing } from '../server/src/apps/session.ts'
import { appSettings } from '../server/src/apps/settings.ts'
import type { SessionCall } from '../server/src/call.ts'
import { readConfig } from '../server/src/config.ts'
import { intelligence } from '../server/src/device/intelligence.ts'
import { pushFingerprint } from '../server/src/device/push.ts'
import { deviceFingerprint } from '../server/src/device/report/read.ts'
import { JsonText } from '../server/src/json-text.ts'
import { openPlatform, type Platform } from '../server/src/platform.ts'
import { openDatabase } from '../server/src/storage/open-database.ts'
import { type Bench, cpuSeconds, inTurns, type Table, tableText } from './harness.ts'
import type { SimulatedDevice } from './recognition/device.ts'
import { makePopulation } from './recognition/population.ts'
import { judgingRates } from './recognition/rates.ts'

/** `node bench/analysis.ts`, or as part of `npm run bench`. */
export const analysis: Bench = { name: 'analysis', run }

const known = 3_000
const perRound = 400
/** Visits under way at once. */
const together = 64
const origin = 'https://shop.example'

interface Prepared {
  readonly device: { token: string | undefined }
  readonly call: SessionCall
  readonly challenge: string
  readonly facts: object
}

async function run(): Promise<Table[]> {
  const folder = await mkdtemp(join(tmpdir(), 'ringfence-bench-'))
  const database = await openDatabase(folder)
  const clock = { time: Date.parse('2026-03-01T00:00:00Z'), now: () => clock.time }
  const { settings, ...parts } = readConfig({
    options: { dataFolder: folder, masterKey: randomBytes(32).toString('base64') },
  })
  const log = pino({ level: 'silent' })
  const platform = await openPlatform({ config: { settings, ...parts }, database, clock, log, environment: {} })
  try {
    await platform.ip.load()
    const tenant = await platform.tenantKeyring.createTenant('bench')
    const app = await platform.apps.create(tenant.id, {
      name: 'bench',
      origins: [origin],
      bundleIds: [],
      packageNames: [],
      settings: appSettings({}),
    })
    const population = makePopulation(known + 10 * perRound, 77, judgingRates)
    const devices: { device: SimulatedDevice; token: string | undefined }[] = []
    const visit = async (device: (typeof devices)[number]) => ({
      one: device,
      ...(await prepared(device, app, platform)),
    })

    /** Engine call and push of visits, after their sessions were begun; milliseconds of each and CPU-seconds of all. */
    const analyse = async (visitors: typeof devices) => {
      const tookMs: number[] = []
      let seconds = 0
      const dfrIds: string[] = []
      for (let from = 0; from < visitors.length; from += together) {
        clock.time += 60_000
        const group = await Promise.all(visitors.slice(from, from + together).map(visit))
        const before = cpuSeconds()
        await Promise.all(
          group.map(async ({ one, call, challenge, facts }) => {
            const start = performance.now()
            const { dfrId, deviceToken } = await fingerprint(call, challenge, facts, platform)
            tookMs.push(performance.now() - start)
            one.token = deviceToken
            dfrIds.push(dfrId)
          }),
        )
        seconds += cpuSeconds() - before
      }
      return { perCpuSecond: visitors.length / seconds, p99Ms: quantile(tookMs, 0.99), dfrIds }
    }
    const newOnes = (count: number) => {
      const some = Array.from({ length: count }, () => ({ device: population.newDevice(), token: undefined }))
      devices.push(...some)
      return some
    }
    const returning = () => Array.from({ length: perRound }, (_, index) => devices[(index * 7919) % devices.length]!)

    const { dfrIds } = await analyse(newOnes(known))
    const caller = { tenantId: tenant.id } as Parameters<typeof deviceFingerprint>[1]['caller']
    const read = async () => {
      const before = cpuSeconds()
      for (let from = 0; from < dfrIds.length; from += together) {
        const some = dfrIds.slice(from, from + together)
        await Promise.all(
          some.map((dfrId) => deviceFingerprint({ dfrId, deviceType: 'WEB' }, { caller } as never, platform)),
        )
      }
      return { perCpuSecond: dfrIds.length / (cpuSeconds() - before) }
    }
    const figures = async (visitors: typeof devices) => {
      const { dfrIds: _, ...told } = await analyse(visitors)
      return told
    }
    const rates = await inTurns({
      new: () => figures(newOnes(perRound)),
      returning: () => figures(returning()),
      cleared: () => figures(returning().map(({ device }) => ({ device, token: undefined }))),
      read,
    })
    const [{ bytes } = { bytes: 0 }] = await database.query<{ bytes: number }>(
      'select avg(length(sealed)) as bytes from device_report',
    )
    const [{ analysed } = { analysed: 0 }] = await database.query<{ analysed: number }>(
      'select avg(length(sealed)) as analysed from device_analysis',
    )
    const unit = 'analyses per CPU-second'
    return [
      {
        title: `Whole device analysis, ${known.toLocaleString('en')} devices known`,
        notes: [
          `Engine call and push by their handlers, without HTTP: facts checked, device recognised, signals, address, scores, velocity, the rules that come with Ringfence, everything durable on the embedded store; ${together} under way at once. A simulated population (docs/recognition.md). CPU of all threads, sealing included.`,
        ],
        rows: [
          {
            what: 'devices that return with their token',
            unit,
            values: rates.returning.perCpuSecond,
            goal: { atLeast: 2500 },
          },
          { what: 'devices that return with storage cleared', unit, values: rates.cleared.perCpuSecond },
          { what: 'new devices', unit, values: rates.new.perCpuSecond, goal: { atLeast: 1500 } },
          {
            what: 'returning, slowest of a hundred',
            unit: 'ms from engine call to dfrId',
            values: rates.returning.p99Ms,
          },
          { what: 'report read by its dfrId', unit: 'per CPU-second', values: rates.read.perCpuSecond },
          { what: 'report', unit: 'bytes sealed', values: [Number(bytes)] },
          { what: 'analysis', unit: 'bytes sealed', values: [Number(analysed)] },
        ],
      },
    ]
  } finally {
    await platform.close()
    await database.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** A session of the device’s browser, and what it tells today. */
async function prepared(
  one: { device: SimulatedDevice; token: string | undefined },
  app: App,
  platform: Platform,
): Promise<Prepared> {
  const { facts, address } = one.device.visit(Math.floor(platform.clock.now() / 86_400_000) % 180)
  const begun = await beginSession(app, 'WEB', origin, platform)
  const session: SdkSession = await sessionBearing(`Bearer ${begun.token}`, platform)
  const call: SessionCall = {
    app,
    session,
    address,
    headers: { 'user-agent': facts.userAgent ?? '' },
    requestId: randomUUID(),
    correlator: '',
    signal: AbortSignal.timeout(60_000),
    provenance: { sandbox: false },
    deviceCookie: { token: one.token },
  }
  return { device: one, call, challenge: begun.challenge, facts }
}

async function fingerprint(call: SessionCall, challenge: string, facts: object, platform: Platform) {
  const { app, session } = call
  const requestId = randomUUID()
  const ids = { tsId: session.id, inId: `${randomUUID()}-1770000000`, platform: 'WEB' } as const
  const updateInfo = { userId: requestId.slice(0, 8), phoneNumber: '917020141726' }
  const body = { requestId, challenge, sdkVersion: '0.1.0', facts: { ...facts }, updateInfo, ...ids }
  const { deviceToken } = await intelligence(body, call, platform)
  const push = {
    orderId: 'A-17',
    data: { requestId },
    status: 'SUCCESS',
    requestId,
    message: '',
    appId: app.id,
    ...ids,
  }
  const answer = await pushFingerprint(push, call, platform)
  if (answer instanceof JsonText) throw new Error('the app of the bench reveals no report')
  return { dfrId: answer.dfrId, deviceToken }
}

const quantile = (values: readonly number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)]!

if (import.meta.main) for (const table of await run()) console.log(tableText(table))
