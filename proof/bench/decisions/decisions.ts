// What does a decision cost, with all its parts, and how much latency does it add to the slowest of them?

import path from 'node:path'
import { endpoints } from '@ringfence/contract'
import type { App } from '../../../server/src/apps/app.ts'
import { appSettings } from '../../../server/src/apps/app-settings.ts'
import { apps } from '../../../server/src/apps/apps.ts'
import { systemClock } from '../../../server/src/core/clock.ts'
import { newInstallationKey } from '../../../server/src/testing/installation-key.ts'
import { sdkClientOf, shopOrigin } from '../../../server/src/testing/sdk-client.ts'
import { busy, ringfenceOptions, simSwapPath, startOperator } from '../harness/checks.ts'
import { answer, type Bench, inTurns, row, type Table } from '../harness/harness.ts'
import { withResources } from '../harness/processes.ts'
import { measure, type Server, startLoad, startServer } from '../harness/servers.ts'
import { importPortedNumbers, spread } from '../number-data.ts'
import { makePopulation } from '../recognition/population.ts'
import { judgingRates } from '../recognition/rates.ts'
import { withStore } from '../token-data.ts'

const users = 300
const numbers = 30_000
const operatorPath = '/sim-swap/v2/check'
const alone = { connections: 1, requests: 2_000, limitMs: 10_000 }
/** SDK calls of one machine. */
export const unlimited = {
  appRatePerSecond: 100_000,
  appRateBurst: 100_000,
  publicRatePerSecond: 100_000,
  storageMbPerAddressDay: 10_000,
  trustedProxies: '127.0.0.1',
}

export const decisions: Bench = {
  name: 'decisions',
  run: () =>
    withResources(async (keep, folder) => {
      const load = keep(await startLoad())
      const operator = keep(await startOperator())
      const dataFolder = path.join(folder, 'decisions')
      await importPortedNumbers(dataFolder, numbers)
      const options = ringfenceOptions(operator, {
        dataFolder,
        tokenLifetimeSeconds: 3600,
        decisionTokenUses: 'many',
        ...unlimited,
      })
      const server = keep(await startServer('ringfence', options, path.join(folder, 'log')))
      const bodies = await bodiesOf(server, await createShop({ dataFolder }))
      const asks = (kind: keyof typeof bodies) => ({
        path: endpoints.decide.path,
        headers: server.access,
        bodies: bodies[kind],
      })
      const checks = { path: simSwapPath, headers: server.access, bodies: bodies.numbers }
      const under = (kind: keyof typeof bodies) => measure(load, server, { ...asks(kind), ...busy, requests: 6_000 })
      for (const kind of ['user', 'whole', 'number'] as const) await under(kind)
      const rates = await inTurns({
        user: () => under('user'),
        whole: () => under('whole'),
        number: () => under('number'),
      })
      const waits = await inTurns({
        operator: () => measure(load, operator, { ...checks, path: operatorPath, ...alone }),
        whole: () => measure(load, server, { ...asks('whole'), ...alone }),
        number: () => measure(load, server, { ...asks('number'), ...alone }),
      })
      return [ratesTable(rates), waitsTable(waits)]
    }),
}

/** The app of the bench's tenant. */
export const createShop = (place: Parameters<typeof withStore>[0]): Promise<App> =>
  withStore(place, ({ database, tenantId }) =>
    apps(database, systemClock).create(tenantId, {
      name: 'shop',
      origins: [shopOrigin],
      bundleIds: [],
      packageNames: [],
      settings: appSettings({}),
    }),
  )

/** Requests of users who have signed in on a device of their own. */
export async function bodiesOf(server: Server, app: App) {
  const headers = { 'content-type': 'application/json', ...server.access }
  const population = makePopulation(users, 77, judgingRates)
  const whole: string[] = []
  for (let user = 0; user < users; user++) {
    const userId = `user-${user}`
    const { facts, address } = population.newDevice().visit(0)
    const sdk = await sdkClientOf(app, server, {
      key: newInstallationKey(),
      headers: { 'user-agent': facts.userAgent ?? '', 'x-forwarded-for': address },
    })
    const { dfrId, requestId } = await sdk.fingerprint(facts)
    const identities = [
      {
        identityType: 'EMAIL',
        identityValue: `${userId}@shop.example`,
        channel: 'OTP',
        methods: ['EMAIL'],
        verified: false,
      },
    ]
    const issued = await fetch(server.url + endpoints.issueToken.path, {
      method: 'POST',
      headers,
      body: JSON.stringify({ userId, identities, requestId }),
    })
    const { token } = (await issued.json()) as { token: string }
    whole.push(JSON.stringify({ action: 'LOGIN', userId, token, dfrId, params: { amount: user } }))
  }
  const numberOf = spread(numbers)
  const phoneNumbers = Array.from({ length: numbers }, (_, i) => String(numberOf(i)))
  return {
    whole,
    user: Array.from({ length: users }, (_, user) => JSON.stringify({ action: 'LOGIN', userId: `user-${user}` })),
    number: phoneNumbers.map((phoneNumber) => JSON.stringify({ action: 'LOGIN', phoneNumber })),
    numbers: phoneNumbers.map((phoneNumber) => JSON.stringify({ phoneNumber })),
  }
}

type Figures = Record<'perCpuSecond' | 'p50Ms' | 'p99Ms', number[]>

function ratesTable({ user, whole, number }: Record<'user' | 'whole' | 'number', Figures>): Table {
  const unit = 'decisions per CPU-second'
  return {
    title: 'Decision: cost',
    rows: [
      answer('a user id', unit, user.perCpuSecond),
      row('sign-in, device and account, no call', unit, whole.perCpuSecond, { atLeast: 1_500 }),
      answer('phone number, one call of its operator', unit, number.perCpuSecond),
    ],
    notes: [`Over HTTP, stored durably with an event, default rules. ${users} users on as many devices.`],
  }
}

function waitsTable({ operator, whole, number }: Record<'operator' | 'whole' | 'number', Figures>): Table {
  const added = number.p99Ms.map((value, round) => value - operator.p99Ms[round]!)
  return {
    title: 'Decision: latency',
    rows: [
      answer('sign-in, device and account, p50', 'ms', whole.p50Ms),
      row('sign-in, device and account, p99', 'ms', whole.p99Ms, { atMost: 12 }),
      row('operator directly, p99', 'ms', operator.p99Ms),
      row('phone number, one call of its operator, p99', 'ms', number.p99Ms),
      row('p99 added by Ringfence', 'ms', added, { atMost: 12 }),
    ],
    notes: ['One request at a time, on one connection.'],
  }
}
