// Which service do the browsers visit? The real one, with hundreds of other devices in its store; each condition gets a copy.

import { cp } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { endpoints } from '@ringfence/contract'
import type { App } from '@ringfence/server/apps/app.ts'
import type { IssuedCredentials } from '@ringfence/server/clients/credentials.ts'
import { type Clock, systemClock } from '@ringfence/server/core/clock.ts'
import { readConfig } from '@ringfence/server/core/config/config.ts'
import { openDatabase } from '@ringfence/server/core/storage/open-database.ts'
import { recognise } from '@ringfence/server/device/identity/recognise.ts'
import { httpServer } from '@ringfence/server/http/server.ts'
import type { Parts } from '@ringfence/server/parts.ts'
import { openParts, surfaceOf } from '@ringfence/server/parts.ts'
import { createApp } from '@ringfence/server/testing/sdk-client.ts'
import { pino } from 'pino'
import { makePopulation } from '../bench/recognition/population.ts'
import { judgingRates } from '../bench/recognition/rates.ts'

/** A data folder, and the credentials for it. */
export interface Store {
  readonly folder: string
  readonly app: App
  readonly credentials: IssuedCredentials
  /** Ids of the devices that it was filled with. */
  readonly others: ReadonlySet<string>
}

export interface Service {
  readonly url: string
  readonly app: App
  /** The device id of a report. Throws when the report does not exist. */
  deviceIdOf(dfrId: string): Promise<string>
  /** What a backend gets for a report: the member `signals`. */
  signalsOf(dfrId: string): Promise<Readonly<Record<string, { verdict: unknown; evidence: readonly string[] }>>>
  secureInfoOf(token: string): Promise<Readonly<Record<string, unknown>>>
  close(): Promise<void>
}

/** The browsers of a typical service in recent weeks (proof/bench/recognition: fingerprint-generator). */
const otherDevices = 400
const seed = 20_261_121

/** Creates a store in `folder` whose app is the site at `origin`. */
export async function makeStore(folder: string, origin: string): Promise<Store> {
  const needs = await platformOn(folder)
  try {
    const { id: tenantId } = await needs.tenantKeyring.createTenant('scenarios')
    const credentials = await needs.clients.createClient(tenantId, 'scenarios')
    const app = await createApp({ parts: needs, tenantId }, { origins: [origin] })
    const population = makePopulation(otherDevices, seed, judgingRates)
    const others = new Set<string>()
    for (let made = 0; made < otherDevices; made++) {
      const visit = { tenantId, tokenDeviceId: undefined, ...population.newDevice().visit(0) }
      others.add((await recognise(visit, needs)).deviceId)
    }
    return { folder, app, credentials, others }
  } finally {
    await needs.close()
    await needs.database.close()
  }
}

/** A copy of a store that no service has open. */
export async function copyOf(store: Store, folder: string): Promise<Store> {
  await cp(store.folder, folder, { recursive: true })
  return { ...store, folder }
}

/** Serves a store on loopback, on a free port. Its clock is `agoMs` behind. */
export async function openService({ folder, app, credentials }: Store, agoMs = 0): Promise<Service> {
  const needs = await platformOn(folder, { now: () => systemClock.now() - agoMs })
  const server = httpServer(needs, surfaceOf(needs))
  await server.listen({ host: '127.0.0.1', port: 0 })
  const url = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`
  needs.addresses.listensAt(url)
  const call = async (path: string, body: object) => {
    const answer = await fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...credentials },
      body: JSON.stringify(body),
    })
    const told = await answer.json()
    if (answer.status !== 200) throw new Error(`${path} answers ${answer.status}: ${JSON.stringify(told)}`)
    return told as Record<string, never>
  }
  const report = (dfrId: string, include?: string[]) =>
    call(endpoints.deviceFingerprint.path, { dfrId, deviceType: 'WEB', include })
  return {
    url,
    app,
    deviceIdOf: async (dfrId) => (await report(dfrId)).deviceId ?? '',
    signalsOf: async (dfrId) => (await report(dfrId, ['signals'])).signals!,
    secureInfoOf: async (token) => (await call(endpoints.secureInfo.path, { token })).secure_info!,
    async close() {
      server.server.closeAllConnections()
      await server.close()
      await needs.close()
      await needs.database.close()
    },
  }
}

async function platformOn(dataFolder: string, clock: Clock = systemClock): Promise<Parts> {
  return openParts({
    config: readConfig({
      options: { dataFolder, masterKeyFile: join(dataFolder, 'master.key'), trustedProxies: '127.0.0.0/8' },
    }),
    database: await openDatabase(dataFolder),
    clock,
    log: pino({ level: process.env.SCENARIOS_LOG ?? 'silent' }),
    environment: {},
  })
}
