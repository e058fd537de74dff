// How does a bench simulate a device visit? Session, engine call and push by their handlers, without HTTP.

import { randomBytes, randomUUID } from 'node:crypto'
import type { DevicePlatform, IntelligenceRequest } from '@ringfence/contract'
import type { Parts } from '@ringfence/server/parts.ts'
import { pino } from 'pino'
import type { App } from '../../server/src/apps/app.ts'
import { appSettings } from '../../server/src/apps/app-settings.ts'
import type { SessionCall } from '../../server/src/apps/call.ts'
import { sessionOfBearer, startSession } from '../../server/src/apps/session.ts'
import { readConfig } from '../../server/src/core/config/config.ts'
import { JsonText } from '../../server/src/core/json/json-text.ts'
import type { Database } from '../../server/src/core/storage/database.ts'
import { openDatabase } from '../../server/src/core/storage/open-database.ts'
import { intelligence } from '../../server/src/device-report/calls/intelligence.ts'
import { pushFingerprint } from '../../server/src/device-report/calls/push.ts'
import { openParts } from '../../server/src/parts.ts'
import type { InstallationKey } from '../../server/src/testing/installation-key.ts'

const origin = 'https://shop.example'
const packageOf: Record<DevicePlatform, string> = {
  WEB: origin,
  IOS: 'com.example.shop',
  ANDROID: 'com.example.shop.android',
}

/** What a device sends at one visit. */
export interface Shown {
  readonly facts: object
  readonly address: string
  readonly headers?: Readonly<Record<string, string>>
  readonly platform?: DevicePlatform
  /** Signs the engine call. */
  readonly key?: InstallationKey
  /** The push brings the analysis. */
  readonly carry?: boolean
}

/** A visit whose session has started. */
export interface PreparedVisit {
  readonly call: SessionCall
  /** Of the engine call; signed. */
  readonly body: IntelligenceRequest
}

export interface DeviceBench {
  readonly needs: Parts
  readonly database: Database
  readonly tenantId: string
  /** Epoch milliseconds; the bench moves it. */
  readonly clock: { time: number }
  prepare(shown: Shown, deviceToken?: string): Promise<PreparedVisit>
  /** Engine call and push. */
  fingerprint(visit: PreparedVisit): Promise<{ dfrId: string; deviceToken: string | undefined }>
  close(): Promise<void>
}

/** A service on the embedded store in this folder, with one tenant and one app. */
export async function openDeviceBench(folder: string): Promise<DeviceBench> {
  const database = await openDatabase(folder)
  const clock = { time: Date.parse('2026-03-01T00:00:00Z'), now: () => clock.time }
  const unlimited = { storageMbPerAppDay: 1_000_000, storageMbPerAddressDay: 1_000_000 }
  const masterKey = randomBytes(32).toString('base64')
  const config = readConfig({ options: { ...unlimited, dataFolder: folder, masterKey } })
  const log = pino({ level: 'silent' })
  const needs = await openParts({ config, database, clock, log, environment: {} })
  await needs.ip.load()
  const tenant = await needs.tenantKeyring.createTenant('bench')
  const app = await needs.apps.create(tenant.id, {
    name: 'bench',
    origins: [origin],
    bundleIds: [packageOf.IOS],
    packageNames: [packageOf.ANDROID],
    settings: appSettings({}),
  })
  return {
    needs,
    database,
    tenantId: tenant.id,
    clock,
    prepare: (shown, deviceToken) => prepared(shown, deviceToken, app, needs),
    fingerprint: (visit) => fingerprint(visit, needs),
    async close() {
      await needs.close()
      await database.close()
    },
  }
}

async function prepared(shown: Shown, deviceToken: string | undefined, app: App, needs: Parts): Promise<PreparedVisit> {
  const { platform: of = 'WEB', address, headers = {}, facts, key, carry } = shown
  const started = await startSession(app, { platform: of, packageName: packageOf[of] }, needs)
  const session = await sessionOfBearer(`Bearer ${started.token}`, needs)
  const call: SessionCall = {
    app,
    session,
    address,
    headers,
    requestId: randomUUID(),
    correlator: '',
    signal: new AbortController().signal,
    provenance: { sandbox: false },
    deviceCookie: { token: deviceToken },
    signedInBefore: { sent: undefined },
  }
  const requestId = randomUUID()
  const body = {
    requestId,
    challenge: started.challenge,
    sdkVersion: '0.1.0',
    facts: { ...facts },
    updateInfo: { userId: requestId.slice(0, 8), phoneNumber: '917020141726' },
    tsId: session.id,
    inId: `${randomUUID()}-1770000000`,
    platform: session.platform,
    ...(carry && { carry }),
  }
  return { call, body: key ? { ...body, proof: { ...key.proofOf(body) } } : body }
}

async function fingerprint({ call, body }: PreparedVisit, needs: Parts) {
  const { requestId, tsId, inId } = body
  const { deviceToken, analysis } = await intelligence(body, call, needs)
  const push = {
    orderId: `A-${requestId.slice(-6)}`,
    data: { requestId, ...(analysis !== undefined && { analysis }) },
    status: 'SUCCESS',
    requestId,
    message: '',
    appId: call.app.id,
    tsId,
    inId,
    platform: body.platform,
  }
  const answer = await pushFingerprint(push, call, needs)
  if (answer instanceof JsonText) throw new Error('the app of the bench reveals no report')
  return { dfrId: answer.dfrId, deviceToken }
}
